import BitpalModel
import BitpalOutput
import BitpalProviders

/// The coins that a search found.
///
/// The name stands last: one that is written from right to left cannot reorder what follows it then.
struct SearchView: View {
  let output: SearchOutput
  private let providers: [ProviderDescriptor]

  init(_ answer: Sourced<[CoinListItem]>, query: String, providers: [ProviderDescriptor]) {
    output = SearchOutput(answer, query: query)
    self.providers = providers
  }

  func table(style: Style) -> String {
    if output.coins.isEmpty { return "" }
    var table = TextTable([.init("ID", widest: 50), .init("SYMBOL", widest: 14), .init("NAME", widest: 60)])
    for coin in output.coins { table.add([.init(coin.id), .init(coin.symbol.uppercased()), .init(coin.name)]) }
    return Provenance.line([output.provenance], providers: providers, style: style) + "\n\n"
      + table.text(style: style)
  }
}
