public import BitpalModel
public import FoundationEssentials

/// The value of a portfolio at the end of each day in UTC: its transactions at daily closes.
///
/// On a day without a close, such as a weekend for a currency, the last close before it is used, for at most
/// `carriedDays`. Beyond that the day has no value and is left out. A coin without any close is left out of all
/// values and listed in ``unknownCoins``. The result depends on the arguments only.
public struct ValueHistory: Equatable, Sendable {
  /// The values of one day, at its end.
  public struct Day: Equatable, Sendable {
    /// The midnight in UTC at which the day begins.
    public let day: Date

    /// The value of the holdings at the end of the day, at its closes.
    public let value: Decimal

    /// The cost of these holdings, at the moving average.
    public let cost: Decimal

    /// The holdings at the end of the previous day with a value, at this day's closes.
    let valueBefore: DecimalParts

    /// The inflow of the day, and of the days without a value before it.
    let inflow: DecimalParts

    /// The outflow of the day, and of the days without a value before it.
    let outflow: DecimalParts

    /// Whether this is the first day and nothing was held before it, so that all holdings came in on it.
    public let isOpening: Bool
  }

  /// The most days for which a close is used in place of missing ones after it.
  package static let carriedDays = 7

  /// The days that have a value, earliest first; the first is that of the first transaction or a later one.
  public let days: [Day]

  /// The number of days between the first and the last value without one, because a held coin had no close.
  public let daysWithoutValue: Int

  /// The ids of the coins without any close that were held on one of the days, sorted.
  public let unknownCoins: [String]

  /// Calculates the values of every day from one to another.
  ///
  /// - Parameters:
  ///   - transactions: In the order in which they were recorded.
  ///   - closes: The closes by coin, in the order of days; in the portfolio's currency.
  ///   - first: Any instant of the first day; the history begins later where the first transaction does.
  ///   - last: Any instant of the last day.
  /// - Throws: ``PortfolioError`` for transactions that cannot be booked or summed up.
  public init(
    _ transactions: [Transaction], closes: [String: [Resampling.DailyClose]], from first: Date, to last: Date
  ) throws(PortfolioError) {
    try self.init(booked: try PortfolioLedger.bookings(transactions), closes: closes, from: first, to: last)
  }

  /// Calculates the values from transactions that are booked already.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` when a sum cannot be calculated.
  package init(
    booked: [Booking], closes: [String: [Resampling.DailyClose]], from first: Date, to last: Date
  ) throws(PortfolioError) {
    let (first, end) = (first.startOfDay, last.startOfDay.adding(.seconds(86_400)))
    let known = closes.filter { !$0.value.isEmpty }
    var bookings: [Booking] = []
    var unknown: [String: Bool] = [:]
    for booking in booked {
      let transaction = booking.transaction
      if known[transaction.coinId] != nil {
        bookings.append(booking)
      } else if transaction.date < end {
        unknown[transaction.coinId] = transaction.date >= first || booking.quantity != 0
      }
    }
    unknownCoins = unknown.filter(\.value).keys.sorted()

    var book = DayBook(known, CashFlows(booked.map(\.transaction), of: Set(known.keys)))
    var days: [Day] = []
    var gaps = (now: 0, between: 0)
    var place = bookings.startIndex
    func take(before end: Date, _ body: (Booking) throws(PortfolioError) -> Void) throws(PortfolioError) {
      while place < bookings.endIndex, bookings[place].transaction.date < end {
        try body(bookings[place])
        place += 1
      }
    }
    var day = max(first, bookings.first?.transaction.date.startOfDay ?? .distantFuture)
    try take(before: day) { book.carry($0) }
    book.begin()
    while day < end {
      let next = day.adding(.seconds(86_400))
      try take(before: next) { booking throws(PortfolioError) in try book.add(booking) }
      if let valued = try book.close(day, isFirst: days.isEmpty && gaps.now == 0) {
        gaps = (0, gaps.between + (days.isEmpty ? 0 : gaps.now))
        days.append(valued)
      } else {
        gaps.now += 1
      }
      day = next
    }
    self.days = days
    daysWithoutValue = gaps.between
  }
}

/// The holdings, with the flows since the last day that has a value.
private struct DayBook {
  private struct Line {
    let closes: [Resampling.DailyClose]

    /// The index of the first close after the day.
    var next = 0
    var held = DecimalParts.zero
    var cost = DecimalParts.zero

    /// The number of coins held at the end of the last day that has a value.
    var heldBefore = DecimalParts.zero

    /// Coins that were put in or taken out, which count at the day's close.
    var coinsIn = DecimalParts.zero
    var coinsOut = DecimalParts.zero

    /// Returns the close of a day, or the last one within ``ValueHistory/carriedDays`` before it; nil without one.
    mutating func price(on day: Date) -> DecimalParts? {
      while next < closes.count, closes[next].day <= day { next += 1 }
      guard next > 0, day.since(closes[next - 1].day) <= .seconds(86_400 * ValueHistory.carriedDays) else { return nil }
      return DecimalParts(closes[next - 1].price)
    }

    var isIdle: Bool { held.isZero && heldBefore.isZero && coinsIn.isZero && coinsOut.isZero }
  }

  private var lines: [Line] = []
  private var places: [String: Int] = [:]
  private var moneyIn = DecimalParts.zero
  private var moneyOut = DecimalParts.zero
  private let flows: CashFlows

  init(_ closes: [String: [Resampling.DailyClose]], _ flows: CashFlows) {
    self.flows = flows
    for (coin, closes) in closes {
      places[coin] = lines.count
      lines.append(Line(closes: closes))
    }
  }

  /// Sets the holding of a coin after a booking, without a flow.
  mutating func carry(_ booking: Booking) {
    guard let place = places[booking.transaction.coinId] else { return }
    lines[place].held = DecimalParts(booking.quantity) ?? .zero
    lines[place].cost = DecimalParts(booking.cost) ?? .zero
  }

  /// Marks the present holdings as held before the first day.
  mutating func begin() {
    for place in lines.indices { lines[place].heldBefore = lines[place].held }
  }

  /// Adds a booking of the current day, with its flow.
  mutating func add(_ booking: Booking) throws(PortfolioError) {
    guard let place = places[booking.transaction.coinId] else { return }
    carry(booking)
    switch try flows.flow(of: booking.transaction) {
    case .none: break
    case .money(let money) where money.isBelowZero: moneyOut = try Self.sum(moneyOut, money.negated)
    case .money(let money): moneyIn = try Self.sum(moneyIn, money)
    case .coins(let amount, let fee):
      moneyIn = try Self.sum(moneyIn, fee)
      if booking.transaction.type.isIncoming {
        lines[place].coinsIn = try Self.sum(lines[place].coinsIn, amount)
      } else {
        lines[place].coinsOut = try Self.sum(lines[place].coinsOut, amount)
      }
    }
  }

  /// Returns the values at the end of a day; nil when a held or moved coin has no close.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - isFirst: Whether it is the first day of the history.
  mutating func close(_ day: Date, isFirst: Bool) throws(PortfolioError) -> ValueHistory.Day? {
    var (value, before, cost) = (DecimalParts.zero, DecimalParts.zero, DecimalParts.zero)
    var (inflow, outflow) = (moneyIn, moneyOut)
    for place in lines.indices where !lines[place].isIdle {
      guard let price = lines[place].price(on: day) else { return nil }
      let line = lines[place]
      value = try Self.sum(value, line.held.valued(at: price))
      before = try Self.sum(before, line.heldBefore.valued(at: price))
      cost = try Self.sum(cost, line.cost)
      inflow = try Self.sum(inflow, line.coinsIn.valued(at: price))
      outflow = try Self.sum(outflow, line.coinsOut.valued(at: price))
    }
    let (total, spent) = (try value.decimal.fitting("a total"), try cost.decimal.fitting("a total"))
    for place in lines.indices {
      lines[place].heldBefore = lines[place].held
      (lines[place].coinsIn, lines[place].coinsOut) = (.zero, .zero)
    }
    (moneyIn, moneyOut) = (.zero, .zero)
    return ValueHistory.Day(
      day: day, value: total, cost: spent, valueBefore: before, inflow: inflow, outflow: outflow,
      isOpening: isFirst && before.isZero)
  }

  private static func sum(_ left: DecimalParts, _ right: DecimalParts?) throws(PortfolioError) -> DecimalParts {
    try right.flatMap { left.totalling($0) }.fitting("a total")
  }
}
