import BitpalModel
import FoundationEssentials

/// The order in which transactions are booked: by their instants in the zone of the book.
///
/// At one instant, half of a split of a day comes first, and the others keep the order in which they were recorded.
///
/// A day without a time is a day of the zone of the book, which may have been another one when it was recorded. Where a coin cannot
/// be booked for that reason, its days are those of the nearest zone in which it can, so that a book is read in every zone.
struct BookingOrder {
  /// The coins whose days are of another zone, with the error that they have otherwise.
  private var errors: [String: PortfolioError] = [:]

  /// Returns the result of a calculation, which is repeated with another order for coins that cannot be booked.
  ///
  /// - Parameters:
  ///   - transactions: In the order in which they were recorded.
  ///   - book: A calculation over the places of transactions; nil where they stand in order.
  /// - Throws: The first error of a coin.
  static func booking<Transactions: RandomAccessCollection<Transaction>, Result>(
    _ transactions: Transactions, _ book: (_ places: [Int]?) throws(PortfolioError) -> Result
  ) throws(PortfolioError) -> Result where Transactions.Index == Int {
    var order = BookingOrder()
    while true {
      do throws(PortfolioError) {
        return try book(order.places(of: transactions))
      } catch {
        guard let coin = error.misplacedCoin else { throw error }
        if let first = order.errors[coin] { throw first }
        let own = transactions.filter { $0.coinId == coin }
        let times = own.filter { !$0.isOfDay }
        guard own.contains(where: { day in day.isOfDay && times.contains { $0.isTime(ofDayOf: day) } }) else {
          throw error
        }
        order.errors[coin] = error
      }
    }
  }

  /// Returns the places of transactions in order; nil where they stand in it.
  func places<Transactions: RandomAccessCollection<Transaction>>(
    of transactions: Transactions
  ) -> [Int]? where Transactions.Index == Int {
    var keys = transactions.map { $0.key(at: $0.instant) }
    for coin in errors.keys {
      fit(transactions.indices.filter { transactions[$0].coinId == coin }.map { ($0, transactions[$0]) }, &keys)
    }
    if zip(keys, keys.dropFirst()).allSatisfy(<=) { return nil }
    return keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
  }

  /// Moves the days of a coin to where they are in the nearest zone in which it can be booked, if there is one.
  private func fit(_ own: [(place: Int, transaction: Transaction)], _ keys: inout [Int64]) {
    let split = own.first { $0.transaction.isSplitOfDay }?.transaction
    let here = split.map { $0.date.timeIntervalSince($0.instant) } ?? 0
    for offset in Self.offsets.sorted(by: { (abs($0 - here), $0) < (abs($1 - here), $1) }) {
      let moved = own.map { (place, transaction) in
        (key: transaction.key(at: transaction.instant(eastOfUTCBy: offset)), place: place, transaction: transaction)
      }
      guard isSound(moved.sorted { ($0.key, $0.place) < ($1.key, $1.place) }.map(\.transaction)) else { continue }
      for (key, place, _) in moved { keys[place] = key }
      return
    }
  }

  /// The seconds by which clocks are ahead of UTC.
  private static let offsets = stride(from: -12.0 * 3600, through: 14 * 3600, by: 900)

  /// Returns whether what goes out of a coin is there, and what is split is all of it.
  private func isSound(_ own: [Transaction]) -> Bool {
    var held: Decimal = 0
    for transaction in own {
      if transaction.isSplitOfDay, !transaction.type.isIncoming, transaction.amount != held { return false }
      held += transaction.type.isIncoming ? transaction.amount : -transaction.amount
      if held < 0 { return false }
    }
    return true
  }
}

extension Transaction {
  /// The time after midnight in UTC at which a day begins in the last zone, and that before it in the first one.
  fileprivate static let latestMidnight = Duration.seconds(12 * 3600)
  private static let earliestMidnight = Duration.seconds(-14 * 3600)

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

  /// Returns whether it is of a time by which zones disagree about the day of another.
  fileprivate func isTime(ofDayOf other: Transaction) -> Bool {
    date >= other.date.adding(Self.earliestMidnight) && date <= other.date.adding(Self.latestMidnight)
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
