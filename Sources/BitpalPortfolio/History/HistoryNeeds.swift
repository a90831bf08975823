import BitpalModel
package import FoundationEssentials

/// The closes that a ``ValueHistory`` takes: of which coins, of which days.
package struct HistoryNeeds: Sendable {
  /// A coin and the days on which it was held.
  package struct Coin: Sendable {
    /// The id.
    package let coin: String

    /// The first day, and some days before it where it was held before the history: one of them may stand for it.
    package let first: Date

    /// The last day.
    package let last: Date

    /// Whether some of it is still held.
    package let isHeld: Bool
  }

  /// In the order in which they first came in.
  package let coins: [Coin]

  /// The day of the first transaction; nil without one.
  package let begin: Date?

  /// All transactions, booked.
  package let bookings: [Booking]

  /// - Parameters:
  ///   - first: The first day of the history; nil for that of the first transaction.
  ///   - last: Its last day.
  /// - Throws: ``PortfolioError`` for what cannot be booked.
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
      // What was gone before the history begins has no part in it.
      if !spans[place].isHeld, spans[place].last < from { spans[place].first = day }
      spans[place].last = day
      spans[place].isHeld = booking.quantity != 0
    }
    coins = spans.filter { $0.isHeld || $0.last >= from }.map { span in
      Coin(
        coin: span.coin, first: span.first >= from ? span.first : max(span.first, from.adding(.zero - carried)),
        last: span.isHeld ? to : span.last, isHeld: span.isHeld)
    }
  }
}
