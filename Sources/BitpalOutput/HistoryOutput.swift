package import BitpalJSON
package import BitpalModel
package import BitpalService
import FoundationEssentials

/// `bitpal.history/1`: the daily closes of one coin.
package struct HistoryOutput: OutputShape {
  package let closes: [Resampling.DailyClose]
  package let coin: String
  package let currency: String
  package let provenance: Provenance
  private let missing: [CoinFailure]
  private let provider: String?

  /// - Parameters:
  ///   - missing: The days without a price, each as a failure.
  ///   - provider: The first of the configured ones.
  package init(
    _ answer: Sourced<[Resampling.DailyClose]>, coin: String, currency: String, missing: [CoinFailure],
    provider: String?
  ) {
    closes = answer.value
    provenance = Provenance(answer)
    self.coin = coin
    self.currency = currency
    self.missing = missing
    self.provider = provider
  }

  package let schema = "bitpal.history/1"

  package let columns = ["date", "price"]

  package var rows: [JSONObject] {
    closes.map { ["date": .string($0.dateText), "price": JSONValue($0.price)] }
  }

  package var members: JSONObject {
    let history: JSONObject = [
      "coin": .string(coin), "currency": .string(currency), "provider": JSONValue(provider), "days": rowsValue,
    ]
    return history + provenance.json
  }

  package var errors: [OutputError] { missing.map { OutputError($0.error, about: (.date, $0.coin)) } }
}
