import BitpalModel
public import FoundationEssentials

/// Several portfolios in one currency: what each comes to, and what all of them do.
public struct PortfolioTotal: Equatable, Sendable {
  /// A portfolio's sums in the common currency.
  public struct Line: Equatable, Sendable {
    /// The sums in the portfolio's own currency, as they were converted.
    public let info: PortfolioInfo

    /// The price of one unit of its currency in the common one; 1 where they are the same, nil where it is unknown.
    public let rate: Decimal?

    /// The sums in the common currency; nil without a rate.
    public let figures: Figures?
  }

  /// The sums that can be added up.
  public struct Figures: Equatable, Sendable {
    /// The value of all holdings that have a price.
    public let value: Decimal

    /// Their value less their cost.
    public let unrealized: Decimal

    /// Proceeds less cost removed.
    public let realized: Decimal

    /// The cost of what is held.
    public let openCost: Decimal

    /// All fees.
    public let fees: Decimal
  }

  /// A line a portfolio, in the order in which they were given.
  public let lines: [Line]

  /// The sums over those that could be converted; nil where none could: that is not nothing.
  public let total: Figures?

  /// Whether every holding has a price and every portfolio a rate.
  public let isComplete: Bool

  /// Adds portfolios up.
  ///
  /// - Parameter portfolios: Each with its sums in its own currency, and what one unit of that costs in the common one.
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
  public init(
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
  /// - Parameter values: The five, in the order of the properties.
  fileprivate init(_ values: [Decimal]) {
    self.init(value: values[0], unrealized: values[1], realized: values[2], openCost: values[3], fees: values[4])
  }
}
