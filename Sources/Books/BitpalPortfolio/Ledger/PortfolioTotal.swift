import BitpalModel
package import FoundationEssentials

/// The sums of several portfolios in one currency, each and all together.
package struct PortfolioTotal: Equatable, Sendable {
  /// A portfolio's sums in the common currency.
  package struct Line: Equatable, Sendable {
    /// The portfolio's name, own currency, method and extent.
    package let info: PortfolioInfo

    /// The price of one unit of its currency in the common one, as given; nil where it is unknown.
    package let rate: Decimal?

    /// The sums in the common currency; nil without a rate.
    package let figures: Figures?
  }

  /// The sums that can be added up.
  package struct Figures: Equatable, Sendable {
    /// The value of all holdings that have a price.
    package let value: Decimal

    /// The value less the cost of the holdings that have a price.
    package let unrealized: Decimal

    /// The proceeds less the cost removed.
    package let realized: Decimal

    /// The cost of all holdings.
    package let openCost: Decimal

    /// All fees.
    package let fees: Decimal
  }

  /// One line per portfolio, in the given order.
  package let lines: [Line]

  /// The sums of the portfolios with a rate; nil when there are portfolios and none has one.
  package let total: Figures?

  /// Whether every holding has a price and every portfolio a rate.
  package let isComplete: Bool

  /// Adds portfolios up.
  ///
  /// - Parameter portfolios: The portfolios with their sums in their own currencies, and the price of one unit of each
  ///   currency in the common one; nil for an unknown rate.
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` when a sum cannot be calculated.
  package init(
    _ portfolios: [(info: PortfolioInfo, summary: PortfolioSummary, rate: Decimal?)]
  ) throws(PortfolioError) {
    var lines: [Line] = []
    var sums = [DecimalParts](repeating: .zero, count: 5)
    var isComplete = true
    for (info, summary, rate) in portfolios {
      guard let rate else {
        isComplete = false
        lines.append(Line(info: info, rate: nil, figures: nil))
        continue
      }
      isComplete = isComplete && summary.isComplete
      let own = [
        summary.totalValue ?? 0, summary.unrealizedPnL ?? 0, summary.realizedPnL, summary.totalOpenCost, summary.fees,
      ]
      var converted: [Decimal] = []
      for (place, amount) in own.enumerated() {
        guard let amount = DecimalParts(amount), let rate = DecimalParts(rate), let value = amount.valued(at: rate),
          let sum = sums[place].totalling(value), let decimal = value.decimal
        else { throw .tooManyDigits(coinId: info.name.text, what: "a total") }
        sums[place] = sum
        converted.append(decimal)
      }
      lines.append(Line(info: info, rate: rate, figures: Figures(converted)))
    }
    var totals: [Decimal] = []
    for sum in sums {
      guard let decimal = sum.decimal else { throw .tooManyDigits(coinId: "all portfolios", what: "a total") }
      totals.append(decimal)
    }
    self.lines = lines
    total = lines.isEmpty || lines.contains { $0.figures != nil } ? Figures(totals) : nil
    self.isComplete = isComplete
  }
}

extension PortfolioTotal.Figures {
  /// Creates the figures.
  ///
  /// - Parameter values: The five sums, in the order of the properties.
  fileprivate init(_ values: [Decimal]) {
    self.init(value: values[0], unrealized: values[1], realized: values[2], openCost: values[3], fees: values[4])
  }
}
