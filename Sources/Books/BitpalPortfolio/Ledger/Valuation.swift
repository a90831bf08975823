import BitpalModel
import FoundationEssentials

/// The sums over positions at given prices.
struct Valuation {
  /// A position with its value, but without its share of the total value.
  struct Line {
    let position: OpenPosition
    let coin: Coin?

    /// The value; nil without a price.
    let value: Decimal?
    let gain: Decimal?
    let gainPercent: Decimal?
    let isStale: Bool

    /// Returns the holding with its share of the total value; without a share when that is nil or zero.
    ///
    /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
    func holding(of total: Decimal?) throws(PortfolioError) -> Holding {
      var share: Decimal?
      if let value, let total, total != 0 { share = try Valuation.percent(value, of: total) }
      return Holding(
        position: position, coin: coin, currentValue: value, profitLoss: gain, profitLossPercentage: gainPercent,
        share: share, isStale: isStale)
    }
  }

  /// The transactions of the last 24 hours, by coin, and the flows of all of them.
  private let moved: [String: [Transaction]]
  private let flows: CashFlows

  init(_ moved: [Transaction]) {
    self.moved = Dictionary(grouping: moved, by: \.coinId)
    flows = CashFlows(moved, of: Set(moved.map(\.coinId)))
  }

  private var value = DecimalParts.zero
  private var openCost = DecimalParts.zero
  private var unpricedCost = DecimalParts.zero
  private var removedCost = DecimalParts.zero
  private var realized = DecimalParts.zero
  private var fees = DecimalParts.zero
  private var valueBefore = DecimalParts.zero
  private var valueOfChanged = DecimalParts.zero
  private var pricedCount = 0
  private var changedCount = 0
  private var holdingCount = 0
  private var isStale = false

  mutating func add(_ position: OpenPosition, quote: Sourced<Coin>?) throws(PortfolioError) -> Line {
    holdingCount += 1
    try Self.add(position.totalCost, to: &openCost)
    try Self.add(position.removedCost, to: &removedCost)
    try Self.add(position.realizedPnL, to: &realized)
    try Self.add(position.fees, to: &fees)
    guard let quote, let amount = DecimalParts(position.totalAmount), let price = DecimalParts(quote.value.currentPrice)
    else {
      try Self.add(position.totalCost, to: &unpricedCost)
      return Line(position: position, coin: nil, value: nil, gain: nil, gainPercent: nil, isStale: false)
    }
    let worth = try Self.decimal(amount.valued(at: price), "the value", of: position.coinId)
    let cost = try Self.parts(position.totalCost)
    let gain = try Self.decimal(try Self.parts(worth).totalling(cost.negated), "the gain", of: position.coinId)
    pricedCount += 1
    try Self.add(worth, to: &value)
    isStale = isStale || quote.freshness.isStale
    if let change = quote.value.priceChangePercentage24h {
      let (old, paid, had) = try moves(of: position, at: price)
      if let before = Self.before(try Self.decimal(old.valued(at: price), "the value", of: position.coinId), change) {
        changedCount += 1
        valueBefore = try Self.total(try Self.total(valueBefore, paid), try Self.parts(before))
        valueOfChanged = try Self.total(try Self.total(valueOfChanged, had), try Self.parts(worth))
      }
    }
    return Line(
      position: position, coin: quote.value, value: worth, gain: gain,
      gainPercent: position.totalCost == 0 ? nil : try Self.percent(gain, of: position.totalCost),
      isStale: quote.freshness.isStale)
  }

  /// Returns how much of a position was held 24 hours ago, and what was paid and had for what moved since.
  ///
  /// Rewards are earned, and coins that were moved count at the price of now; see ``CashFlows``. What replaced others counts as held.
  private func moves(
    of position: OpenPosition, at price: DecimalParts
  ) throws(PortfolioError) -> (old: DecimalParts, paid: DecimalParts, had: DecimalParts) {
    var (old, paid, had) = (try Self.parts(position.totalAmount), DecimalParts.zero, DecimalParts.zero)
    let moved = moved[position.coinId] ?? []
    guard !moved.contains(where: { $0.label == .rename || $0.label == .split }) else { return (old, paid, had) }
    for transaction in moved {
      let amount = try Self.parts(transaction.amount)
      old = try Self.total(old, transaction.type.isIncoming ? amount.negated : amount)
      switch try flows.flow(of: transaction) {
      case .none: break
      case .money(let money) where money.isBelowZero: had = try Self.total(had, money.negated)
      case .money(let money): paid = try Self.total(paid, money)
      case .coins(let coins, let fee):
        let worth = try coins.valued(at: price).fitting("the value", of: position.coinId)
        paid = try Self.total(paid, fee)
        if transaction.type.isIncoming { paid = try Self.total(paid, worth) } else { had = try Self.total(had, worth) }
      }
    }
    return (old, paid, had)
  }

  mutating func add(_ position: ClosedPosition) throws(PortfolioError) {
    try Self.add(position.removedCost, to: &removedCost)
    try Self.add(position.realizedPnL, to: &realized)
    try Self.add(position.fees, to: &fees)
  }

  /// Returns the sums over all positions that were added.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
  func summary() throws(PortfolioError) -> PortfolioSummary {
    let hasValue = holdingCount == 0 || pricedCount > 0
    let pricedCost = try Self.total(openCost, unpricedCost.negated)
    let unrealized = try Self.total(value, pricedCost.negated)
    let total = try Self.decimal(unrealized.totalling(realized), "the gain")
    let base = try Self.decimal(pricedCost.totalling(removedCost), "the cost")
    let change = try Self.decimal(valueOfChanged.totalling(valueBefore.negated), "the change")
    let before = try Self.decimal(valueBefore, "the value")
    return PortfolioSummary(
      totalValue: hasValue ? try Self.decimal(value, "the value") : nil,
      unrealizedPnL: hasValue ? try Self.decimal(unrealized, "the gain") : nil,
      realizedPnL: try Self.decimal(realized, "the gain"), totalPnL: hasValue ? total : nil,
      totalPnLPercentage: hasValue && base != 0 ? try Self.percent(total, of: base) : nil,
      totalOpenCost: try Self.decimal(openCost, "the cost"), unpricedCost: try Self.decimal(unpricedCost, "the cost"),
      totalClosedCost: try Self.decimal(removedCost, "the cost"), fees: try Self.decimal(fees, "the sum of fees"),
      change24h: changedCount > 0 ? change : nil,
      change24hPercentage: changedCount > 0 && before != 0 ? try Self.percent(change, of: before) : nil,
      isComplete: pricedCount == holdingCount, isChangeComplete: changedCount == holdingCount, isStale: isStale)
  }

  /// Returns the value 24 hours ago, value ÷ (1 + change ÷ 100); nil for a change of −100 % or less.
  private static func before(_ value: Decimal, _ change: Decimal) -> Decimal? {
    guard let hundred = DecimalParts(100 as Decimal), let change = DecimalParts(change),
      let divisor = hundred.adding(change), !divisor.isZero, !divisor.isBelowZero, let by = divisor.decimal,
      let times = DecimalParts(value)?.hundredfold.decimal
    else { return nil }
    return try? times.divided(by: by)
  }

  private static func percent(_ part: Decimal, of whole: Decimal) throws(PortfolioError) -> Decimal {
    try (DecimalParts(part)?.hundredfold.decimal).flatMap { try? $0.divided(by: whole) }.fitting("a percentage")
  }

  private static func add(_ value: Decimal, to sum: inout DecimalParts) throws(PortfolioError) {
    sum = try total(sum, try parts(value))
  }

  private static func total(_ left: DecimalParts, _ right: DecimalParts) throws(PortfolioError) -> DecimalParts {
    try left.totalling(right).fitting("a total")
  }

  private static func parts(_ value: Decimal) throws(PortfolioError) -> DecimalParts {
    try DecimalParts(value).fitting("a total")
  }

  private static func decimal(
    _ value: DecimalParts?, _ what: String, of coin: String = "the portfolio"
  ) throws(PortfolioError) -> Decimal {
    try (value?.decimal).fitting(what, of: coin)
  }
}
