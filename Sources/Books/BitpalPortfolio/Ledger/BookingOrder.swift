import BitpalModel
import FoundationEssentials

/// The order in which transactions are booked: by their instants in the zone of the book.
///
/// At one instant, half of a split of a day comes first, and the others keep the order in which they were recorded.
///
/// A day without a time is a day of the zone of the book, which may have been another one when it was recorded. Where a coin cannot
/// be booked for that reason, its days are those of the nearest zone in which it can, so that a book is read in every zone.
struct BookingOrder {
  /// The keys of days that are those of another zone, by their place.
  private var moved: [Int: Int64] = [:]

  /// Returns the result of a calculation, which is repeated with another order where coins cannot be booked.
  ///
  /// - Parameters:
  ///   - transactions: In the order in which they were recorded.
  ///   - book: A calculation over the places of transactions; nil where they stand in order.
  /// - Throws: The first error of a coin.
  static func booking<Transactions: RandomAccessCollection<Transaction>, Result>(
    _ transactions: Transactions, _ book: (_ places: [Int]?) throws(PortfolioError) -> Result
  ) throws(PortfolioError) -> Result where Transactions.Index == Int {
    var order = BookingOrder()
    do throws(PortfolioError) {
      return try book(order.places(of: transactions))
    } catch {
      guard let coin = error.misplacedCoin else { throw error }
      order.fit(transactions)
      guard !order.moved.isEmpty else { throw error }
      do throws(PortfolioError) {
        return try book(order.places(of: transactions))
      } catch let other {
        throw other.misplacedCoin == coin ? error : other
      }
    }
  }

  /// Returns the places of transactions in order; nil where they stand in it.
  func places<Transactions: RandomAccessCollection<Transaction>>(
    of transactions: Transactions
  ) -> [Int]? where Transactions.Index == Int {
    var keys = transactions.map { $0.key(at: $0.instant) }
    for (place, key) in moved { keys[place] = key }
    if zip(keys, keys.dropFirst()).allSatisfy(<=) { return nil }
    return keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
  }

  /// Moves the days of all coins that cannot be booked in the order of their instants.
  private mutating func fit<Transactions: RandomAccessCollection<Transaction>>(
    _ transactions: Transactions
  ) where Transactions.Index == Int {
    var keys = transactions.map { $0.key(at: $0.instant) }
    let known = keys
    for places in Dictionary(grouping: transactions.indices, by: { transactions[$0].coinId }).values {
      let own = places.map { (place: $0, transaction: transactions[$0]) }
      if !Self.isSound(own, keys, holding: 0) { Self.fit(own, &keys) }
    }
    for place in keys.indices where keys[place] != known[place] { moved[place] = keys[place] }
  }

  /// Moves the days of a coin to one zone in which all that goes out of it is there.
  ///
  /// That is the nearest to the book's, or to UTC in a book without splits. Where no zone is right for all days, as in summer and
  /// winter or after a move, each day moves to the nearest that is right for it.
  private static func fit(_ own: [(place: Int, transaction: Transaction)], _ keys: inout [Int64]) {
    let split = own.first { $0.transaction.isSplitOfDay }?.transaction
    let here = split.map { $0.date.timeIntervalSince($0.instant) } ?? 0
    let offsets = offsets.sorted { (abs($0 - here), $0) < (abs($1 - here), $1) }
    let own = own.sorted { ($0.transaction.date, $0.place) < ($1.transaction.date, $1.place) }
    let days = disputedDays(of: own.map(\.transaction))
    if days.isEmpty || fit(Set(own.lazy.map(\.transaction.date)), among: own, holding: 0, at: offsets, &keys) { return }
    var (settled, held) = (own.startIndex, Decimal(0))
    for day in days {
      while own[settled].transaction.date < day.adding(.seconds(-2 * 86_400)) {
        held += own[settled].transaction.change
        settled += 1
      }
      let near = own[settled...].prefix { $0.transaction.date <= day.adding(Transaction.latestMidnight) }.filter {
        !$0.transaction.isOfDay || $0.transaction.date <= day
      }
      if !isSound(near, keys, holding: held) { _ = fit([day], among: near, holding: held, at: offsets, &keys) }
    }
  }

  /// Moves days to the first offset at which what goes out is there; returns whether there is one.
  private static func fit(
    _ days: Set<Date>, among own: [(place: Int, transaction: Transaction)], holding held: Decimal, at offsets: [Double],
    _ keys: inout [Int64]
  ) -> Bool {
    let known = own.map { keys[$0.place] }
    for offset in offsets {
      for (place, transaction) in own where transaction.isOfDay && days.contains(transaction.date) {
        keys[place] = transaction.key(at: transaction.instant(eastOfUTCBy: offset))
      }
      if isSound(own, keys, holding: held) { return true }
    }
    for (entry, key) in zip(own, known) { keys[entry.place] = key }
    return false
  }

  /// Returns the days without a time that are beside a time by which zones disagree about them, in order.
  private static func disputedDays(of transactions: [Transaction]) -> [Date] {
    let disputed = Set(
      transactions.lazy.filter { !$0.isOfDay }.flatMap { transaction in
        let last = transaction.date.adding(.zero - Transaction.earliestMidnight).startOfDay
        return [last, last.adding(.seconds(-86_400))].filter { transaction.isTime(ofDay: $0) }
      })
    return Set(transactions.lazy.filter(\.isOfDay).map(\.date)).intersection(disputed).sorted()
  }

  /// The seconds by which clocks are ahead of UTC.
  private static let offsets = stride(from: -12.0 * 3600, through: 14 * 3600, by: 900)

  /// Returns whether what goes out of a coin in some order is there, and what is split is all of it.
  private static func isSound(
    _ own: [(place: Int, transaction: Transaction)], _ keys: [Int64], holding held: Decimal
  ) -> Bool {
    var held = held
    for (_, transaction) in own.sorted(by: { (keys[$0.place], $0.place) < (keys[$1.place], $1.place) }) {
      if transaction.isSplitOfDay, !transaction.type.isIncoming, transaction.amount != held { return false }
      held += transaction.change
      if held < 0 { return false }
    }
    return true
  }
}

extension Transaction {
  /// The time after midnight in UTC at which a day begins in the last zone, and that before it in the first one.
  fileprivate static let latestMidnight = Duration.seconds(12 * 3600)
  fileprivate static let earliestMidnight = Duration.seconds(-14 * 3600)

  /// Whether it is half of a split with a day and no time.
  package var isSplitOfDay: Bool { label == .split && isOfDay }

  /// The instant at which it is booked where clocks are ahead of UTC by some seconds, see ``ClockZone/place(of:isSplit:)``.
  ///
  /// Renamings stay: their halves are of two coins.
  fileprivate func instant(eastOfUTCBy offset: Double) -> Date {
    guard isOfDay, isSplitOfDay || label?.movesCost != true else { return instant }
    let midnight = date.addingTimeInterval(-offset)
    return isSplitOfDay ? midnight : max(midnight, date)
  }

  fileprivate func key(at instant: Date) -> Int64 { instant.milliseconds * 2 + (isSplitOfDay ? 0 : 1) }

  /// The amount that it adds to what is held; below zero for what goes out.
  fileprivate var change: Decimal { type.isIncoming ? amount : -amount }

  /// Returns whether it is of a time by which zones disagree about a day.
  fileprivate func isTime(ofDay day: Date) -> Bool {
    date >= day.adding(Self.earliestMidnight) && date <= day.adding(Self.latestMidnight)
  }
}

extension PortfolioError {
  /// The coin that is not held where it goes out, or is split.
  fileprivate var misplacedCoin: String? {
    switch self {
    case .insufficientBalance(let coin, _, _, _, _), .unpairedSplit(let coin, _): coin
    default: nil
    }
  }
}
