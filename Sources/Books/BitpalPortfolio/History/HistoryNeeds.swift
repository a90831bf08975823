import BitpalModel
package import FoundationEssentials

/// The coins and days whose closes a ``ValueHistory`` needs.
package struct HistoryNeeds: Sendable {
  /// A coin and the days on which it was held.
  package struct Coin: Sendable {
    /// The coin's id.
    package let coin: String

    /// The first day on which it was held, at most ``ValueHistory/carriedDays`` before the history begins.
    package let first: Date

    /// The last day on which it was held, or some days after a later split: the closes on both sides show whether those of before
    /// are in the shares of after.
    package let last: Date

    /// Whether some of it is held at the end of the history.
    package let isHeld: Bool
  }

  /// The coins, in the order in which they first came in.
  package let coins: [Coin]

  /// The day of the first transaction; nil without one.
  package let begin: Date?

  /// The bookings of all transactions, also of later ones.
  package let bookings: [Booking]

  /// Creates the needs of a history.
  ///
  /// - Parameters:
  ///   - transactions: In the order in which they were recorded.
  ///   - first: The first day of the history; nil for the day of the first transaction.
  ///   - last: The last day of the history.
  /// - Throws: ``PortfolioError`` for transactions that cannot be booked.
  package init(_ transactions: [Transaction], from first: Date?, to last: Date) throws(PortfolioError) {
    let (from, to) = ((first ?? .distantPast).startOfDay, last.startOfDay)
    let end = to.adding(.seconds(86_400))
    let carried = Duration.seconds(86_400 * ValueHistory.carriedDays)
    var spans: [(coin: String, first: Date, last: Date, isHeld: Bool)] = []
    var places: [String: Int] = [:]
    bookings = try PortfolioLedger.bookings(transactions)
    begin = bookings.first?.transaction.date.startOfDay
    for booking in bookings where booking.transaction.date < end {
      let (day, coin) = (booking.transaction.date.startOfDay, booking.transaction.coinId)
      let place = places[coin] ?? spans.count
      places[coin] = place
      if place == spans.count { spans.append((coin, day, day, false)) }
      // A coin that was gone before the history begins, and comes again, begins with its return.
      if !spans[place].isHeld, spans[place].last < from { spans[place].first = day }
      spans[place].last = day
      spans[place].isHeld = booking.quantity != 0
    }
    let splits = Dictionary(
      bookings.lazy.map(\.transaction).filter { $0.label == .split && $0.date >= end }
        .map { ($0.coinId, $0.date.startOfDay.adding(carried)) }
    ) { max($0, $1) }
    coins = spans.filter { $0.isHeld || $0.last >= from }.map { span in
      Coin(
        coin: span.coin, first: span.first >= from ? span.first : max(span.first, from.adding(.zero - carried)),
        last: splits[span.coin] ?? (span.isHeld ? to : span.last), isHeld: span.isHeld)
    }
  }
}
