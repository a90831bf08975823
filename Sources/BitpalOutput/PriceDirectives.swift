package import BitpalModel
import BitpalPortfolio

/// Daily closes as the price directives of plain-text accounting.
///
/// Numbers are written with all their digits, unless a number of decimals is asked for, and never with an exponent: ledger
/// reads `2.4e-05` as 2.4.
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
  private let commodity: String
  private let currency: String
  private let digits: Int?

  /// - Parameters:
  ///   - commodity: What is priced, as the ledger is to spell it.
  ///   - currency: What the prices are in, likewise.
  ///   - digits: The decimals to which prices are rounded, half to even; nil for all they have.
  package init(closes: [Resampling.DailyClose], commodity: String, currency: String, digits: Int? = nil) {
    self.closes = closes
    self.commodity = commodity
    self.currency = currency
    self.digits = digits
  }

  /// A line for each day, with a line end.
  package func text(_ format: Format) -> String {
    closes.map { close in
      let price = (digits.map { close.price.rounded(scale: $0) } ?? close.price).plainText
      return switch format {
      case .ledger, .hledger:
        "P \(close.dateText) \(LedgerCommodity.quoted(commodity)) \(price) \(LedgerCommodity.quoted(currency))\n"
      case .beancount:
        "\(close.dateText) price \(BeancountCommodity.name(commodity)) \(price) \(BeancountCommodity.name(currency))\n"
      }
    }.joined()
  }
}
