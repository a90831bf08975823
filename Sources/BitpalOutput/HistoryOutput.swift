package import BitpalJSON
package import BitpalModel
import BitpalPortfolio
package import BitpalService
package import FoundationEssentials

/// `bitpal.history/1`: the daily closes of one coin.
package struct HistoryOutput: OutputShape {
  /// By day; a day without a price is missing.
  package let closes: [Resampling.DailyClose]

  /// The id.
  package let coin: String

  /// Lower case.
  package let currency: String
  package let provenance: Provenance
  private let provider: String?

  /// The days without a price, each as a failure.
  package let missing: [CoinFailure]

  /// - Parameters:
  ///   - days: Those that were asked for.
  ///   - provider: The first of the configured ones.
  package init(
    _ answer: Sourced<[Resampling.DailyClose]>, currency: String, days: HistoryDays, provider: String?
  ) {
    closes = answer.value
    provenance = Provenance(answer)
    coin = answer.about.coin
    self.currency = currency
    missing = days.missing(in: answer, currency)
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

/// The days of which the closes are asked for, in UTC.
package struct HistoryDays: Sendable {
  /// The midnight with which the first of them begins.
  package let first: Date

  /// The same of the last.
  package let last: Date

  /// One day, or from one to another; yesterday where none is given, for today has no close yet.
  package init(on: Date?, from: Date?, to: Date?, now: Date) {
    let yesterday = now.startOfDay.adding(.seconds(-86_400))
    first = on ?? from ?? yesterday
    last = on ?? to ?? yesterday
  }

  /// The days the source has no price of, although they lie within its reach.
  fileprivate func missing(in answer: Sourced<[Resampling.DailyClose]>, _ currency: String) -> [CoinFailure] {
    let known = Set(answer.value.map(\.day))
    var failures: [CoinFailure] = []
    var day = first
    while day <= last {
      if !known.contains(day) {
        let text = day.dayText
        failures.append(
          CoinFailure(
            coin: text,
            error: .noData(question: "\(answer.about.coin) in \(currency) on \(text)", provider: answer.source)))
      }
      day = day.adding(.seconds(86_400))
    }
    return failures
  }
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
      case .ledger, .hledger:
        "P \(close.dateText) \(LedgerCommodity.name(symbol)) \(price) \(LedgerCommodity.name(currency))\n"
      case .beancount:
        "\(close.dateText) price \(BeancountCommodity.name(symbol)) \(price) \(BeancountCommodity.name(currency))\n"
      }
    }.joined()
  }
}
