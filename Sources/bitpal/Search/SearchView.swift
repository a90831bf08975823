import BitpalJSON
import BitpalModel
import BitpalProviders

/// The coins that a search found.
///
/// The name stands last: one that is written from right to left cannot reorder what follows it then.
struct SearchView: View {
  private let answer: Sourced<[CoinListItem]>
  private let query: String
  private let providers: [ProviderDescriptor]

  init(_ answer: Sourced<[CoinListItem]>, query: String, providers: [ProviderDescriptor]) {
    self.answer = answer
    self.query = query
    self.providers = providers
  }

  var columns: [String] { ["id", "symbol", "name"] }

  var rows: [JSONObject] {
    answer.value.map { ["id": .string($0.id), "symbol": .string($0.symbol), "name": .string($0.name)] }
  }

  var json: JSONObject {
    ["schema": "bitpal.search/1", "query": .string(query), "results": .array(rows.map(JSONValue.object))]
      + Origin(answer).json + ["errors": []]
  }

  func table(style: Style) -> String {
    if answer.value.isEmpty { return "" }
    var table = TextTable([.init("ID", widest: 50), .init("SYMBOL", widest: 14), .init("NAME", widest: 60)])
    for item in answer.value { table.add([.init(item.id), .init(item.symbol.uppercased()), .init(item.name)]) }
    return Origin.line([Origin(answer)], providers: providers, style: style) + "\n\n" + table.text(style: style)
  }
}
