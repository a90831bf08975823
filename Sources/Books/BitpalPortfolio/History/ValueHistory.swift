public import BitpalModel
public import FoundationEssentials

/// The value of a portfolio at the end of each day in UTC: its transactions at daily closes.
///
/// On a day without a close, such as a weekend for a currency, the last close before it is used, for at most
/// `carriedDays`. Beyond that the day has no value and is left out. A coin without any close is left out of all
/// values and listed in ``unknownCoins``. Most sources give the closes before a split of a share as if the split had been then;
/// others give them as they were: the closes on both sides of a recorded split show which, and a holding of before is valued in
/// the shares that its close is of. The result depends on the arguments only.
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

    /// Whether this is the first day, or the first after a few without a close, such as a weekend, and nothing was held before
    /// them, so that all holdings came in on it.
    public let isOpening: Bool
  }

  /// The most days for which a close is used in place of missing ones after it.
  package static let carriedDays = 7

  /// The days that have a value, earliest first; the first is that of the first transaction or a later one.
  public let days: [Day]

  /// The number of days between the first and the last value without one, because a held coin had no close.
  public let daysWithoutValue: Int

  /// The coin for whose lack of a close the days after the last one have no value; nil where they end as asked for.
  package let lackingAtEnd: String?

  /// The ids of the coins without any close that were held on one of the days, sorted.
  public let unknownCoins: [String]

  /// The ids of the coins that were bought or sold at less than 5/9 or more than 9/5 of the day's close, sorted: as a rule they
  /// were split later, which is not recorded, and the source gives its closes in the shares of after.
  package let strayedCoins: [String]

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
    let bookings = booked.filter { known[$0.transaction.coinId] != nil }
    unknownCoins = Self.held(booked.filter { known[$0.transaction.coinId] == nil }, from: first, before: end)

    var book = DayBook(
      known, CashFlows(booked.map(\.transaction), of: Set(known.keys)),
      try StockSplit.all(in: booked.map(\.transaction), closes: known))
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
    try take(before: day) { booking throws(PortfolioError) in try book.carry(booking) }
    book.begin()
    while day < end {
      let next = day.adding(.seconds(86_400))
      try take(before: next) { booking throws(PortfolioError) in try book.add(booking) }
      if let valued = try book.close(day, isFirst: days.isEmpty && gaps.now <= Self.carriedDays) {
        gaps = (0, gaps.between + (days.isEmpty ? 0 : gaps.now))
        days.append(valued)
      } else {
        gaps.now += 1
      }
      day = next
    }
    lackingAtEnd = days.isEmpty || gaps.now == 0 ? nil : book.lacking
    (self.days, strayedCoins, daysWithoutValue) = (days, book.strayedCoins, gaps.between)
  }
}

extension ValueHistory {
  /// Returns the ids of the coins that were held or moved from a day until another, sorted.
  private static func held(_ bookings: [Booking], from first: Date, before end: Date) -> [String] {
    var held: [String: Bool] = [:]
    for booking in bookings where booking.transaction.date < end {
      held[booking.transaction.coinId] = booking.transaction.date >= first || booking.quantity != 0
    }
    return held.filter(\.value).keys.sorted()
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

    /// The prices of the day's purchases and sales.
    var paid: [Decimal] = []

    /// Whether the price that was used last is older than ``ValueHistory/carriedDays``.
    private(set) var isOutdated = false

    /// Whether the coin was bought or sold far from the close of a day.
    var isStrayed = false

    /// The splits of the coin that have closes before and after them, in their order.
    var splits: [StockSplit]

    /// The number of splits that are booked.
    var split = 0

    /// Returns the close of a day, or the last one within ``ValueHistory/carriedDays`` before it, of one coin as it is held now;
    /// nil without one.
    ///
    /// What was sold or sent completely is taken out at the last close there is, however old, so that later days need none.
    mutating func price(on day: Date) throws(PortfolioError) -> DecimalParts? {
      while next < closes.count, closes[next].day <= day { next += 1 }
      guard next > 0 else { return nil }
      isOutdated = day.since(closes[next - 1].day) > .seconds(86_400 * ValueHistory.carriedDays)
      guard !isOutdated || held.isZero else { return nil }
      let close = closes[next - 1]
      var price = DecimalParts(close.price)
      for (number, split) in splits.enumerated() {
        if number >= self.split {
          if split.isInCloses == true { price = price?.valued(at: split.ratio) }
        } else if split.isInCloses != true, close.carriedFrom ?? close.day < split.day {
          price = price?.valued(at: split.reciprocal)
        }
      }
      return try price.fitting("a price")
    }

    /// Counts what was held and moved before a split in the coins after it.
    mutating func book(_ next: StockSplit) throws(PortfolioError) {
      split += 1
      for part in [\Line.heldBefore, \.coinsIn, \.coinsOut] {
        self[keyPath: part] = try self[keyPath: part].valued(at: next.ratio).fitting("a quantity")
      }
    }

    var isIdle: Bool { held.isZero && heldBefore.isZero && coinsIn.isZero && coinsOut.isZero }
  }

  private var lines: [Line] = []

  /// The coin without a close on the last day that has no value.
  private(set) var lacking: String?
  private var places: [String: Int] = [:]
  private var moneyIn = DecimalParts.zero
  private var moneyOut = DecimalParts.zero
  private let flows: CashFlows

  init(_ closes: [String: [Resampling.DailyClose]], _ flows: CashFlows, _ splits: [String: [StockSplit]]) {
    self.flows = flows
    for (coin, closes) in closes {
      places[coin] = lines.count
      lines.append(Line(closes: closes, splits: splits[coin] ?? []))
    }
  }

  /// The ids of the coins that were bought or sold far from the close of a day, sorted.
  var strayedCoins: [String] { places.filter { lines[$0.value].isStrayed }.keys.sorted() }

  /// Sets the holding of a coin after a booking, without a flow.
  mutating func carry(_ booking: Booking) throws(PortfolioError) {
    guard let place = places[booking.transaction.coinId] else { return }
    lines[place].held = DecimalParts(booking.quantity) ?? .zero
    lines[place].cost = DecimalParts(booking.cost) ?? .zero
    let line = lines[place]
    guard line.split < line.splits.count, line.splits[line.split].id == booking.transaction.id else { return }
    try lines[place].book(line.splits[line.split])
  }

  /// Marks the present holdings as held before the first day.
  mutating func begin() {
    for place in lines.indices { lines[place].heldBefore = lines[place].held }
  }

  /// Adds a booking of the current day, with its flow.
  mutating func add(_ booking: Booking) throws(PortfolioError) {
    guard let place = places[booking.transaction.coinId] else { return }
    try carry(booking)
    if booking.transaction.type.isForMoney, let price = booking.transaction.pricePerCoin {
      lines[place].paid.append(price)
    }
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
    // What was paid on a day without a close is compared with none.
    defer { for place in lines.indices { lines[place].paid = [] } }
    for place in lines.indices where !lines[place].isIdle {
      guard let price = try lines[place].price(on: day) else {
        lacking = places.first { $0.value == place }?.key
        return nil
      }
      let line = lines[place]
      if let close = price.decimal, !line.isOutdated,
        line.paid.contains(where: { 9 * $0 < 5 * close || 5 * $0 > 9 * close })
      {
        lines[place].isStrayed = true
      }
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
