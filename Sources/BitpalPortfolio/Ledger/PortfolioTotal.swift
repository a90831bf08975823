import BitpalModel
public import FoundationEssentials

/// The sums of several portfolios in one currency, each and all together.
public struct PortfolioTotal: Equatable, Sendable {
  /// A portfolio's sums in the common currency.
  public struct Line: Equatable, Sendable {
    /// The portfolio's name, own currency, method and extent.
    public let info: PortfolioInfo

    /// The price of one unit of its currency in the common one, as given; nil where it is unknown.
    public let rate: Decimal?

    /// The sums in the common currency; nil without a rate.
    public let figures: Figures?
  }

  /// The sums that can be added up.
  public struct Figures: Equatable, Sendable {
    /// The value of all holdings that have a price.
    public let value: Decimal

    /// The value less the cost of the holdings that have a price.
    public let unrealized: Decimal

    /// The proceeds less the cost removed.
    public let realized: Decimal

    /// The cost of all holdings.
    public let openCost: Decimal

    /// All fees.
    public let fees: Decimal
  }

  /// One line per portfolio, in the given order.
  public let lines: [Line]

  /// The sums of the portfolios with a rate; nil when there are portfolios and none has one.
  public let total: Figures?

  /// Whether every holding has a price and every portfolio a rate.
  public let isComplete: Bool

  /// Adds portfolios up.
  ///
  /// - Parameter portfolios: The portfolios with their sums in their own currencies, and the price of one unit of each
  ///   currency in the common one; nil for an unknown rate.
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` when a sum cannot be calculated.
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
  /// - Parameter values: The five sums, in the order of the properties.
  fileprivate init(_ values: [Decimal]) {
    self.init(value: values[0], unrealized: values[1], realized: values[2], openCost: values[3], fees: values[4])
  }
}
