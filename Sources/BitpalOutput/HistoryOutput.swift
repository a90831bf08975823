package import BitpalJSON
package import BitpalModel
import BitpalPortfolio
package import BitpalService
import FoundationEssentials

/// `bitpal.history/1`: the daily closes of one coin.
package struct HistoryOutput: OutputShape {
  /// By day; a day without a price is missing.
  package let closes: [Resampling.DailyClose]

  /// The id.
  package let coin: String

  /// Lower case.
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

/// Daily closes as the price directives of plain-text accounting.
///
/// Numbers are written with all their digits and never with an exponent: ledger reads `2.4e-05` as 2.4.
package struct PriceDirectives: Sendable {
  /// The programs that read them.
  package enum Format: String, CaseIterable, Sendable {
    /// `P 2025-01-15 BTC 96841.33 USD`, for ledger.
    case ledger

    /// The same, for hledger.
    case hledger

    /// `2025-01-15 price BTC 96841.33 USD`.
    case beancount
  }

  private let closes: [Resampling.DailyClose]
  private let symbol: String
  private let currency: String

  package init(closes: [Resampling.DailyClose], symbol: String, currency: String) {
    self.closes = closes
    self.symbol = symbol
    self.currency = currency
  }

  /// A line for each day, with a line end.
  package func text(_ format: Format) -> String {
    closes.map { close in
      let price = close.price.plainText
      return switch format {
      case .ledger, .hledger: "P \(close.dateText) \(Self.quoted(symbol)) \(price) \(Self.quoted(currency))\n"
      case .beancount:
        "\(close.dateText) price \(BeancountCommodity.name(symbol)) \(price) \(BeancountCommodity.name(currency))\n"
      }
    }.joined()
  }

  /// In capitals; in quotes when it is not all letters, for then it would be read as a number or an operator.
  package static func quoted(_ symbol: String) -> String {
    let symbol = symbol.uppercased().filter { $0 != "\"" && !$0.isNewline }.printable()
    return !symbol.isEmpty && symbol.allSatisfy { $0.isASCII && $0.isLetter } ? symbol : "\"\(symbol)\""
  }
}
