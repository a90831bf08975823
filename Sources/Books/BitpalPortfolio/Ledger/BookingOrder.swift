import BitpalModel
import FoundationEssentials

/// The order in which transactions are booked: by their instants in the zone of the book.
///
/// At one instant, half of a split of a day comes first, and the others keep the order in which they were recorded.
///
/// A day without a time is a day of the zone of the book, which may have been another one when it was recorded. Where a coin cannot
/// be booked for that reason, its days stand where they fit among the times of the day, so that a book is read in every zone.
struct BookingOrder {
  /// The coins whose days stand where they fit, with the error that they have otherwise.
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

  /// Moves the days of a coin to where they fit.
  ///
  /// What comes in moves to the beginning of the day in UTC. What goes out moves to noon in UTC, when the day has begun in every
  /// zone, if coins came in before. A split moves to the time at which its amount is all that is held.
  private func fit(_ own: [(place: Int, transaction: Transaction)], _ keys: inout [Int64]) {
    let times = own.map(\.transaction).filter { !$0.isOfDay }
    for (place, transaction) in own where transaction.isOfDay && transaction.label?.movesCost != true {
      let end = transaction.date.adding(Transaction.latestMidnight)
      if transaction.type.isIncoming {
        keys[place] = transaction.key(at: transaction.date)
      } else if times.contains(where: { $0.type.isIncoming && $0.date > transaction.date && $0.date <= end }) {
        keys[place] = transaction.key(at: end)
      }
    }
    for (_, split) in own where split.isSplitOfDay && !split.type.isIncoming {
      let day = own.filter { $0.transaction.date == split.date && $0.transaction.label != .split }
      let days = Set(day.map(\.place))
      let near = times.filter { $0.isTime(ofDayOf: split) }.map { $0.key(at: $0.date) }.flatMap { [$0 - 1, $0 + 1] }
      let key = ([split.instant, split.date].map { split.key(at: $0) } + near).first { key in
        let before = own.filter {
          keys[$0.place] < key && $0.transaction.group != split.group && !days.contains($0.place)
        }
        return before.reduce(0) { $0 + ($1.transaction.type.isIncoming ? 1 : -1) * $1.transaction.amount }
          == split.amount
      }
      guard let key else { continue }
      for (place, half) in own where half.isSplitOfDay && half.group == split.group { keys[place] = key }
      // What has that day alone is of after the split.
      for place in days { keys[place] = max(keys[place], key + 1) }
    }
  }
}

extension Transaction {
  /// The time after midnight in UTC at which a day begins in the last zone, and that before it in the first one.
  fileprivate static let latestMidnight = Duration.seconds(12 * 3600)
  private static let earliestMidnight = Duration.seconds(-14 * 3600)

  /// Whether it is half of a split with a day and no time.
  package var isSplitOfDay: Bool { label == .split && isOfDay }

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
