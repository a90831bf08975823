import BitpalModel
import FoundationEssentials

/// The bookkeeping of one coin from the first piece that comes in to the last that goes out, at the moving average.
struct Cycle {
  let coinId: String
  /// The time at which the first coin came in, or that of the coins that it replaced.
  var opened: Date

  /// The number of coins held.
  private(set) var held = DecimalParts.zero

  /// The cost of the held coins, at the moving average.
  private(set) var cost = DecimalParts.zero
  private var boughtAmount = DecimalParts.zero
  private var soldAmount = DecimalParts.zero
  private var proceeds = DecimalParts.zero

  /// The cost of the coins that were sold, or sent at a value.
  private var removed = DecimalParts.zero

  /// The cost of the coins that were sent without a value.
  private var sent = DecimalParts.zero
  private var fees = DecimalParts.zero

  init(coinId: String, opened: Date) {
    self.coinId = coinId
    self.opened = opened
  }

  /// The cost and proceeds of coins that went out.
  struct Removal {
    let cost: DecimalParts

    /// The proceeds; nil for coins sent without a value.
    let proceeds: DecimalParts?
  }

  /// Books a transaction.
  ///
  /// - Returns: The removal; nil for coins that came in.
  /// - Throws: ``PortfolioError/insufficientBalance(coinId:owned:attempted:date:sale:)`` for more coins than are held,
  ///   ``PortfolioError/tooManyDigits(coinId:what:)`` for a sum that no number can hold.
  mutating func book(_ transaction: Transaction) throws(PortfolioError) -> Removal? {
    let amount = try parts(transaction.amount, "the amount")
    var total: DecimalParts?
    if transaction.pricePerCoin != nil { total = try fitting(transaction.worth, "a total") }
    fees = try fitting(fees.adding(try parts(transaction.fee, "a fee")), "the sum of fees")
    if transaction.type.isIncoming {
      held = try fitting(held.adding(amount), "the quantity")
      boughtAmount = try fitting(boughtAmount.adding(amount), "the quantity")
      cost = try fitting(cost.adding(total ?? .zero), "the cost")
      return nil
    }
    let rest = try fitting(held.subtracting(amount), "the quantity")
    guard !rest.isBelowZero else {
      throw .insufficientBalance(
        coinId: coinId, owned: held.decimal ?? 0, attempted: transaction.amount, date: transaction.date,
        sale: transaction.id)
    }
    let share = rest.isZero ? cost : try fitting(cost.portion(amount, of: held), "the cost")
    held = rest
    cost = try fitting(cost.subtracting(share), "the cost")
    if let total {
      soldAmount = try fitting(soldAmount.adding(amount), "the quantity")
      removed = try fitting(removed.adding(share), "the cost")
      proceeds = try fitting(proceeds.adding(total), "the proceeds")
    } else {
      sent = try fitting(sent.adding(share), "the cost")
    }
    return Removal(cost: share, proceeds: total)
  }

  /// Books the second half of a split: what all coins took out at the first half is the cost of those that replace them.
  ///
  /// The coins bought and sold before count as those that they would be now, rounded half-even at 18 digits.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
  mutating func split(
    _ old: Decimal, into new: Transaction, at moved: DecimalParts
  ) throws(PortfolioError) {
    let ratio = try parts(try (try? new.amount.divided(by: old)).fitting("the ratio", of: coinId), "the ratio")
    let isWhole = boughtAmount.compared(to: try parts(old, "the amount")) == .equal
    held = try parts(new.amount, "the amount")
    boughtAmount = isWhole ? held : try fitting(boughtAmount.valued(at: ratio), "the quantity")
    soldAmount = try fitting(soldAmount.valued(at: ratio), "the quantity")
    fees = try fitting(fees.adding(try parts(new.fee, "a fee")), "the sum of fees")
    sent = try fitting(sent.subtracting(moved), "the cost")
    cost = moved
  }

  /// Returns the open position; something must be held.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
  func open() throws(PortfolioError) -> OpenPosition {
    OpenPosition(
      coinId: coinId, totalAmount: try decimal(held), totalCost: try decimal(cost), avgCost: try quotient(cost, held),
      realizedPnL: try decimal(try fitting(proceeds.subtracting(removed), "the gain")),
      removedCost: try decimal(removed), sentCost: try decimal(sent), fees: try decimal(fees), openedDate: opened)
  }

  /// Returns the closed position, after the transaction that left no coins.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
  func closed(by last: Transaction) throws(PortfolioError) -> ClosedPosition {
    let realized = try fitting(proceeds.subtracting(removed), "the gain")
    let paid = try fitting(removed.adding(sent), "the cost")
    return ClosedPosition(
      id: last.id, coinId: coinId, totalQuantity: try decimal(boughtAmount), totalCost: try decimal(paid),
      removedCost: try decimal(removed), avgCostPrice: try quotient(paid, boughtAmount),
      avgSellPrice: soldAmount.isZero ? nil : try quotient(proceeds, soldAmount),
      realizedPnL: try decimal(realized),
      realizedPnLPercentage: removed.isZero ? nil : try quotient(realized.hundredfold, removed),
      fees: try decimal(fees), openedDate: opened, closedDate: last.date)
  }

  private func parts(_ value: Decimal, _ what: String) throws(PortfolioError) -> DecimalParts {
    try fitting(DecimalParts(value), what)
  }

  private func fitting(_ value: DecimalParts?, _ what: String) throws(PortfolioError) -> DecimalParts {
    try value.fitting(what, of: coinId)
  }

  private func decimal(_ value: DecimalParts) throws(PortfolioError) -> Decimal {
    try value.decimal.fitting("a sum", of: coinId)
  }

  private func quotient(_ dividend: DecimalParts, _ divisor: DecimalParts) throws(PortfolioError) -> Decimal {
    let (left, right) = (try decimal(dividend), try decimal(divisor))
    return try (try? left.divided(by: right)).fitting("an average", of: coinId)
  }
}
