package import BitpalModel
import BitpalPortfolio
import FoundationEssentials

/// A writer of daily closes as the price directives of plain-text accounting.
///
/// Numbers are written with all their digits, unless a number of decimals is requested, and never with an exponent:
/// ledger reads `2.4e-05` as 2.4.
package struct PriceDirectives: Sendable {
  /// The programs that read the directives.
  package enum Format: String, CaseIterable, Sendable {
    /// `P 2025-01-15 BTC 96841.33 USD`, for ledger.
    case ledger

    /// The same format, for hledger.
    case hledger

    /// `2025-01-15 price BTC 96841.33 USD`.
    case beancount

    /// Returns a name of a commodity in the form of the program.
    package var name: (String) -> String {
      switch self {
      case .ledger, .hledger: LedgerCommodity.name
      case .beancount: BeancountCommodity.name
      }
    }
  }

  private let closes: [Resampling.DailyClose]
  private let commodity: String
  private let currency: String
  private let digits: Int?
  private let hasComma: Bool
  private let isOfJournal: Bool

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - closes: The closes, by day.
  ///   - commodity: The commodity of the prices, as the journal spells it.
  ///   - currency: The currency of the prices, as the journal spells it.
  ///   - digits: The decimals to which prices are rounded, half to even; nil for all digits.
  ///   - hasComma: Whether the journal writes the numbers of the currency with a decimal comma.
  ///   - isOfJournal: Whether a journal has the commodity under this very name.
  package init(
    closes: [Resampling.DailyClose], commodity: String, currency: String, digits: Int? = nil, hasComma: Bool = false,
    isOfJournal: Bool = false
  ) {
    self.closes = closes
    self.commodity = commodity
    self.currency = currency
    self.digits = digits
    self.hasComma = hasComma
    self.isOfJournal = isOfJournal
  }

  /// Returns the decimals of converted prices, 8; nil for prices of the source, which have their own.
  ///
  /// The digits of a product say nothing beyond those of its factors, and programs of accounting pass them all on.
  package static func digits(of answer: Sourced<[Resampling.DailyClose]>) -> Int? {
    guard answer.conversion != nil else { return nil }
    // A price below a ten thousandth keeps five significant digits.
    let smallest = answer.value.map(\.price).min() ?? 1
    return max(8, NumberFormat.spanScale(smallest) + 3)
  }

  /// Returns one line per day, each with a line end.
  package func text(_ format: Format) -> String {
    closes.map { close in
      let price = number(digits.map { close.price.rounded(scale: $0) } ?? close.price)
      return switch format {
      case .ledger, .hledger:
        "P \(close.dateText) \(LedgerCommodity.quoted(commodity)) \(price) \(LedgerCommodity.quoted(currency))\n"
      case .beancount:
        "\(close.dateText) price \(name(commodity)) \(price) \(name(currency))\n"
      }
    }.joined()
  }

  /// Returns a commodity as Beancount writes it; one that a journal has with a single letter, which Beancount 3 allows, stays.
  private func name(_ commodity: String) -> String {
    isOfJournal && commodity.utf8.count == 1 && commodity.first?.isUppercase == true
      ? commodity : BeancountCommodity.name(commodity)
  }

  /// Returns a number as the journal writes it: never with three decimals behind a comma, which could be a group of digits.
  private func number(_ price: Decimal) -> String {
    let parts = price.plainText.split(separator: ".")
    guard hasComma, parts.count == 2 else { return price.plainText }
    return parts[0] + "," + parts[1] + (parts[1].count == 3 ? "0" : "")
  }
}
