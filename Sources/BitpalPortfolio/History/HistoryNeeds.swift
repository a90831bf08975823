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
    begin = PortfolioLedger.ordered(transactions).first?.date.startOfDay
    for booking in try PortfolioLedger.bookings(transactions) where booking.transaction.date < end {
      let (day, coin) = (booking.transaction.date.startOfDay, booking.transaction.coinId)
      // What was gone before the history begins has no part in it.
      let place = places[coin].flatMap { spans[$0].isHeld || spans[$0].last >= from ? $0 : nil }
      if let place {
        spans[place].last = day
        spans[place].isHeld = booking.quantity != 0
      } else if let old = places[coin] {
        spans[old] = (coin, day, day, booking.quantity != 0)
      } else {
        places[coin] = spans.count
        spans.append((coin, day, day, booking.quantity != 0))
      }
    }
    coins = spans.filter { $0.isHeld || $0.last >= from }.map { span in
      Coin(
        coin: span.coin, first: span.first >= from ? span.first : max(span.first, from.adding(.zero - carried)),
        last: span.isHeld ? to : span.last, isHeld: span.isHeld)
    }
  }
}
