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

  /// The transactions of the last 24 hours, by coin, in the order in which they are booked.
  private let moved: [String: [Transaction]]

  init(_ moved: [Transaction]) {
    self.moved = Dictionary(grouping: moved, by: \.coinId)
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
      let day = try DayLots(of: position, moved[position.coinId] ?? [])
      let old = try Self.decimal(day.old.valued(at: price), "the value", of: position.coinId)
      if let before = Self.before(old, change) {
        changedCount += 1
        let paid = try Self.total(day.paid, try day.atNow.valued(at: price).fitting("the value", of: position.coinId))
        valueBefore = try Self.total(try Self.total(valueBefore, paid), try Self.parts(before))
        try Self.add(worth, to: &valueOfChanged)
      }
    }
    return Line(
      position: position, coin: quote.value, value: worth, gain: gain,
      gainPercent: position.totalCost == 0 ? nil : try Self.percent(gain, of: position.totalCost),
      isStale: quote.freshness.isStale)
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

  fileprivate static func add(_ value: Decimal, to sum: inout DecimalParts) throws(PortfolioError) {
    sum = try total(sum, try parts(value))
  }

  fileprivate static func total(_ left: DecimalParts, _ right: DecimalParts) throws(PortfolioError) -> DecimalParts {
    try left.totalling(right).fitting("a total")
  }

  fileprivate static func parts(_ value: Decimal) throws(PortfolioError) -> DecimalParts {
    try DecimalParts(value).fitting("a total")
  }

  private static func decimal(
    _ value: DecimalParts?, _ what: String, of coin: String = "the portfolio"
  ) throws(PortfolioError) -> Decimal {
    try (value?.decimal).fitting(what, of: coin)
  }
}

/// The holding of a coin, by how it came to be held within the last 24 hours.
private struct DayLots {
  private struct Lot {
    var amount: Decimal

    /// The sum that was paid; nil for coins that count at the price of now.
    var cost: Decimal?
    var isOld = false
  }

  /// The lots, those that went in first before the others; what goes out is the oldest.
  private var lots: [Lot]

  /// The coins that went out before they came, as where a sale by its day alone is booked after what came later than that midnight.
  private var owed: Decimal

  /// Takes the transactions of a coin within the last 24 hours, in their order, from what was held before them.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
  init(of position: OpenPosition, _ moved: [Transaction]) throws(PortfolioError) {
    let before = moved.reduce(position.totalAmount) { $1.type.isIncoming ? $0 - $1.amount : $0 + $1.amount }
    lots = before > 0 ? [Lot(amount: before, isOld: true)] : []
    owed = max(0, -before)
    var replaced: Decimal?
    for transaction in moved {
      switch (transaction.type.isIncoming, transaction.label) {
      case (false, .split?): replaced = transaction.amount
      case (true, .split?):
        for place in lots.indices {
          lots[place].amount = try Self.share(
            transaction.amount, of: replaced ?? transaction.amount, lots[place].amount)
        }
      // What replaced another coin counts as held.
      case (true, .rename?): try add(Lot(amount: transaction.amount, isOld: true))
      case (true, _): try add(Lot(amount: transaction.amount, cost: try Self.cost(of: transaction)))
      case (false, _): try take(transaction.amount)
      }
    }
  }

  /// The number of coins that were held 24 hours ago.
  var old: DecimalParts { get throws(PortfolioError) { try sum(\.amount) { $0.isOld } } }

  /// The number of coins that came without a price, which count at that of now.
  var atNow: DecimalParts { get throws(PortfolioError) { try sum(\.amount) { !$0.isOld && $0.cost == nil } } }

  /// The sum that was paid for the other coins.
  var paid: DecimalParts { get throws(PortfolioError) { try sum({ $0.cost ?? 0 }) { _ in true } } }

  private func sum(_ value: (Lot) -> Decimal, _ isCounted: (Lot) -> Bool) throws(PortfolioError) -> DecimalParts {
    var sum = DecimalParts.zero
    for lot in lots where isCounted(lot) { try Valuation.add(value(lot), to: &sum) }
    return sum
  }

  private mutating func add(_ lot: Lot) throws(PortfolioError) {
    lots.append(lot)
    let due = owed
    owed = 0
    try take(due)
  }

  private mutating func take(_ amount: Decimal) throws(PortfolioError) {
    var left = amount
    while left > 0, let first = lots.first {
      guard first.amount > left else {
        left -= first.amount
        lots.removeFirst()
        continue
      }
      lots[0].cost = try first.cost.map { cost throws(PortfolioError) in
        try Self.share(first.amount - left, of: first.amount, cost)
      }
      lots[0].amount -= left
      left = 0
    }
    owed += left
  }

  /// Returns what was paid for coins that came; nil for those that were only moved.
  ///
  /// Rewards, airdrops and interest cost their fees.
  private static func cost(of transaction: Transaction) throws(PortfolioError) -> Decimal? {
    switch (transaction.type, transaction.label) {
    case (.receive, .reward?), (.receive, .airdrop?), (.receive, .interest?): return transaction.fee
    case (.receive, _): return nil
    default:
      let worth = try transaction.worth.fitting("a total", of: transaction.coinId)
      return try (worth.totalling(try Valuation.parts(transaction.fee))?.decimal).fitting(
        "a total", of: transaction.coinId)
    }
  }

  /// Returns a part of a value.
  private static func share(_ part: Decimal, of whole: Decimal, _ value: Decimal) throws(PortfolioError) -> Decimal {
    guard part != whole else { return value }
    let product = DecimalParts(value).flatMap { DecimalParts(part)?.valued(at: $0) }?.decimal
    return try product.flatMap { try? $0.divided(by: whole) }.fitting("a quantity")
  }
}
