import BitpalJSON
import BitpalModel
import BitpalProviders
import BitpalService
import FoundationEssentials

/// The daily closes of one coin.
struct HistoryView: View {
  private let coin: String
  private let currency: String
  private let answer: Sourced<[Resampling.DailyClose]>
  private let missing: [CoinFailure]
  private let providers: [ProviderDescriptor]

  /// - Parameter missing: The days without a price, each as a failure.
  init(
    _ answer: Sourced<[Resampling.DailyClose]>, coin: String, currency: String, missing: [CoinFailure],
    providers: [ProviderDescriptor]
  ) {
    self.answer = answer
    self.coin = coin
    self.currency = currency
    self.missing = missing
    self.providers = providers
  }

  let columns = ["date", "price"]

  var rows: [JSONObject] {
    answer.value.map { ["date": .string($0.dateText), "price": JSONValue($0.price)] }
  }

  var json: JSONObject {
    let history: JSONObject = [
      "schema": "bitpal.history/1", "coin": .string(coin), "currency": .string(currency),
      "provider": JSONValue(providers.first?.id), "days": .array(rows.map(JSONValue.object)),
    ]
    return history + Origin(answer).json + [
      "errors": .array(
        missing.map { failure in
          [
            "date": .string(failure.coin), "code": .string(failure.error.code.rawValue),
            "message": .string(failure.error.description),
          ]
        })
    ]
  }

  func table(style: Style) -> String {
    var table = TextTable([.init("DATE"), .init("CLOSE \(currency.uppercased())", .right)])
    for close in answer.value { table.add([.init(close.dateText), .init(NumberFormat.price(close.price))]) }
    return style("\(coin.printable(limit: 80)) · daily closes, UTC · \(currency.uppercased())", .heading) + "\n"
      + Origin.line([Origin(answer)], providers: providers, style: style) + "\n\n" + table.text(style: style)
  }
}
