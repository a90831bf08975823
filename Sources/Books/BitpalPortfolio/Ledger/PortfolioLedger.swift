import BitpalModel
package import FoundationEssentials

/// The open and closed positions that follow from transactions, with their costs and without prices.
///
/// The rule is the moving weighted average. Coins that come in add quantity × price to the cost. Coins that go out
/// remove cost × quantity ÷ held, rounded half-even at 18 digits after the point, and exactly everything when they
/// close the position. So the cost bought always equals the cost removed plus the cost remaining. The result depends on
/// the transactions and their order only. Coins that replace others (``TransactionLabel/rename``, ``TransactionLabel/split``) cost what these
/// removed. The time grows linearly with the number of transactions if they are sorted.
public struct PortfolioLedger: Equatable, Sendable {
  /// The open positions, by coin id.
  public let positions: [OpenPosition]

  /// The closed cycles, in the order in which they were closed.
  public let closed: [ClosedPosition]

  /// Books all transactions.
  ///
  /// - Parameter transactions: In the order in which they were recorded, which decides between those of one instant.
  /// - Throws: ``PortfolioError/insufficientBalance(coinId:owned:attempted:date:sale:)`` for the first transaction that
  ///   takes out more than is held, ``PortfolioError/unpairedRename(_:date:)``, ``PortfolioError/unpairedSplit(_:date:)`` for
  ///   the second half of a renaming or a split without the first,
  ///   ``PortfolioError/tooManyDigits(coinId:what:)`` when a sum cannot be held exactly.
  public init(_ transactions: [Transaction]) throws(PortfolioError) {
    let result = try Self.run(transactions)
    (positions, closed) = (result.positions, result.closed)
  }

  /// Returns the number of coins that are held after the transactions of one coin, whose cost may be that of another.
  ///
  /// - Throws: As ``init(_:)``, but for half a renaming.
  package static func held(_ transactions: [Transaction]) throws(PortfolioError) -> Decimal {
    try run(transactions, isOneCoin: true).positions.first?.totalAmount ?? 0
  }

  /// Returns the effect of each transaction, by date.
  ///
  /// - Throws: As ``init(_:)``.
  package static func bookings(_ transactions: [Transaction]) throws(PortfolioError) -> [Booking] {
    try run(transactions, isNoting: true).bookings
  }

  /// Checks that transactions can be booked.
  ///
  /// - Throws: As ``init(_:)``.
  static func check<Transactions: RandomAccessCollection<Transaction>>(
    _ transactions: Transactions
  ) throws(PortfolioError) where Transactions.Index == Int {
    _ = try run(transactions)
  }

  /// Returns the ids of closed positions by the ids of the transactions that belong to them.
  ///
  /// - Throws: As ``init(_:)``.
  package static func closedPositions(of transactions: [Transaction]) throws(PortfolioError) -> [UUID: UUID] {
    var open: [String: [UUID]] = [:]
    var closed: [UUID: UUID] = [:]
    for booking in try bookings(transactions) {
      let transaction = booking.transaction
      open[transaction.coinId, default: []].append(transaction.id)
      // A position has the id of the transaction that closes it; the first half of a split does not.
      guard booking.quantity == 0, transaction.label != .split else { continue }
      for id in open.removeValue(forKey: transaction.coinId) ?? [] { closed[id] = transaction.id }
    }
    return closed
  }

  /// Returns the transactions in the order of their places; those of one instant keep the given order, but for a split of a day
  /// without a time: it is in force before the first trade of its day.
  package static func ordered(_ transactions: [Transaction]) -> [Transaction] {
    guard let places = BookingOrder().places(of: transactions) else { return transactions }
    return places.map { transactions[$0] }
  }

  private struct Result {
    var positions: [OpenPosition] = []
    var closed: [ClosedPosition] = []
    var bookings: [Booking] = []
  }

  private static func run<Transactions: RandomAccessCollection<Transaction>>(
    _ transactions: Transactions, isOneCoin: Bool = false, isNoting: Bool = false
  ) throws(PortfolioError) -> Result where Transactions.Index == Int {
    try BookingOrder.booking(transactions) { (order) throws(PortfolioError) in
      try run(transactions, in: order, isOneCoin, isNoting)
    }
  }

  private static func run<Transactions: RandomAccessCollection<Transaction>>(
    _ transactions: Transactions, in order: [Int]?, _ isOneCoin: Bool, _ isNoting: Bool
  ) throws(PortfolioError) -> Result where Transactions.Index == Int {
    var result = Result()
    if isNoting { result.bookings.reserveCapacity(transactions.count) }
    var places: [String: Int] = [:]
    var cycles: [Cycle?] = []
    var renames = Renames()
    for index in transactions.indices {
      var transaction = transactions[order?[index] ?? index]
      let coin = transaction.coinId
      let place = places[coin] ?? cycles.count
      if place == cycles.count {
        places[coin] = place
        cycles.append(nil)
      }
      // The cycle is a copy while it changes, and is stored back afterwards.
      var cycle = cycles[place] ?? Cycle(coinId: coin, opened: transaction.date)
      let (removal, reopened) = try renames.book(&transaction, in: &cycle, isOneCoin)
      if let last = reopened.flatMap({ id in result.closed.lastIndex { $0.id == id } }) {
        result.closed.remove(at: last)
      }
      if isNoting { result.bookings.append(try booking(transaction, cycle, removal)) }
      if cycle.held.isZero {
        result.closed.append(try cycle.closed(by: transaction))
        cycles[place] = nil
      } else {
        cycles[place] = cycle
      }
    }
    for cycle in cycles.compactMap(\.self).sorted(by: { $0.coinId < $1.coinId }) {
      result.positions.append(try cycle.open())
    }
    return result
  }

  /// The coins that others replace, by the group of both, until these come in.
  private struct Renames {
    /// Coins that were replaced.
    struct Source {
      var cost: DecimalParts

      /// The cycle that they were taken out of, as it is afterwards; of several the one that was opened first.
      var cycle: Cycle

      /// The transaction by which the first of them went out.
      let transaction: Transaction
    }

    private var moved: [String: Source] = [:]

    /// Books a transaction, with the cost of the coins that it replaces.
    ///
    /// - Returns: The removal, and the id of the first half of a split, which had closed the position that goes on.
    mutating func book(
      _ transaction: inout Transaction, in cycle: inout Cycle, _ isOneCoin: Bool
    ) throws(PortfolioError) -> (removal: Cycle.Removal?, reopened: UUID?) {
      if transaction.label == .split, transaction.type.isIncoming {
        let source = try source(of: transaction, .split)
        transaction = try transaction.costing(source.cost)
        cycle = source.cycle
        try cycle.split(source.transaction.amount, into: transaction, at: source.cost)
        return (nil, source.transaction.id)
      }
      if transaction.label == .rename, transaction.type.isIncoming, !isOneCoin {
        let source = try source(of: transaction, .rename)
        cycle.opened = min(cycle.opened, source.cycle.opened)
        transaction = try transaction.costing(source.cost)
      }
      let removal = try cycle.book(transaction)
      if let removal, let label = transaction.label, label.movesCost {
        try add(transaction, label, cost: removal.cost, cycle)
      }
      return (removal, nil)
    }

    /// Adds coins that went out to be replaced.
    ///
    /// - Parameters:
    ///   - transaction: The transaction by which they went out.
    ///   - label: Its label.
    ///   - removed: The cost that they took out.
    ///   - cycle: The cycle that they were taken out of, as it is afterwards.
    private mutating func add(
      _ transaction: Transaction, _ label: TransactionLabel, cost removed: DecimalParts, _ cycle: Cycle
    ) throws(PortfolioError) {
      let coin = transaction.coinId
      guard let group = transaction.group else { throw .unpaired(label, of: coin, on: transaction.date) }
      guard var source = moved[group] else {
        moved[group] = Source(cost: removed, cycle: cycle, transaction: transaction)
        return
      }
      // A split is of one coin.
      guard label == .rename else { throw .unpaired(label, of: coin, on: transaction.date) }
      source.cost = try source.cost.totalling(removed).fitting("the cost", of: coin)
      if cycle.opened < source.cycle.opened { source.cycle = cycle }
      moved[group] = source
    }

    /// Removes and returns the coins that those of a transaction replace.
    ///
    /// - Throws: ``PortfolioError/unpairedRename(_:date:)``, ``PortfolioError/unpairedSplit(_:date:)`` without them, and for a
    ///   split that is not of all that was held.
    private mutating func source(
      of transaction: Transaction, _ label: TransactionLabel
    ) throws(PortfolioError) -> Source {
      guard let group = transaction.group, let source = moved.removeValue(forKey: group),
        label == .rename || source.cycle.coinId == transaction.coinId && source.cycle.held.isZero
      else { throw .unpaired(label, of: transaction.coinId, on: transaction.date) }
      return source
    }
  }

  private static func booking(
    _ transaction: Transaction, _ cycle: Cycle, _ removal: Cycle.Removal?
  ) throws(PortfolioError) -> Booking {
    guard let quantity = cycle.held.decimal, let cost = cycle.cost.decimal else {
      throw .tooManyDigits(coinId: cycle.coinId, what: "a sum")
    }
    guard let removal else {
      return Booking(transaction: transaction, quantity: quantity, cost: cost, costRemoved: nil, realized: nil)
    }
    let removed = try removal.cost.decimal.fitting("the cost", of: cycle.coinId)
    var gain: Decimal?
    if let proceeds = removal.proceeds {
      gain = try (proceeds.subtracting(removal.cost)?.decimal).fitting("the gain", of: cycle.coinId)
    }
    return Booking(transaction: transaction, quantity: quantity, cost: cost, costRemoved: removed, realized: gain)
  }
}

/// The effect of one transaction on its coin: the state after it and, for outgoing coins, their cost and gain.
package struct Booking: Equatable, Sendable {
  /// The transaction.
  package let transaction: Transaction

  /// The number of coins held after the transaction.
  package let quantity: Decimal

  /// The cost of the coins held after the transaction.
  package let cost: Decimal

  /// The cost of the coins that went out; nil when coins came in.
  package let costRemoved: Decimal?

  /// The proceeds less the cost removed, without fees; nil when coins came in, or went out without a value.
  package let realized: Decimal?
}

extension Transaction {
  /// Returns these coins, which replace others, at the cost of those.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` when the cost of one coin cannot be calculated.
  fileprivate func costing(_ cost: DecimalParts) throws(PortfolioError) -> Transaction {
    let total = try cost.decimal.fitting("the cost", of: coinId)
    let price = try (try? total.divided(by: amount)).fitting("the price", of: coinId)
    return Transaction(self, pricePerCoin: price, total: total == 0 ? nil : total)
  }
}

extension PortfolioLedger {
  /// Returns the reason why transactions cannot be booked, and the first one that fails; nil when all can be booked.
  ///
  /// It is found by bisection, because every attempt books the transactions from the start.
  ///
  /// - Parameter transactions: The transactions of one coin, in the order of ``ordered(_:)``.
  package static func firstFault(
    of transactions: [Transaction]
  ) -> (error: PortfolioError, transaction: Transaction)? {
    func error(_ count: Int) -> PortfolioError? {
      do throws(PortfolioError) {
        _ = try held(Array(transactions.prefix(count)))
        return nil
      } catch {
        return error
      }
    }
    guard var found = error(transactions.count) else { return nil }
    var (good, bad) = (0, transactions.count)
    while bad - good > 1 {
      let middle = (good + bad) / 2
      if let earlier = error(middle) { (bad, found) = (middle, earlier) } else { good = middle }
    }
    return (found, transactions[bad - 1])
  }
}
