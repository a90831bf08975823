import BitpalModel
public import FoundationEssentials

/// The returns of a portfolio over some days, after fees.
///
/// The **time-weighted** return is that of one unit of money that was invested throughout: the product of the growth
/// between flows, whose time and size have no effect. On a day with flows, the value before them grows until the
/// day's close, and flows count at what was paid. The **money-weighted** return is the rate at which all the money that
/// was put in, each sum from the beginning of its day, became the money that was taken out and the value at the end:
/// the internal rate of return, where exactly one rate is one. Both are calculated as `hledger roi` does; unlike there,
/// days on which nothing is held do not count. A sale of everything on the first day counts at that day's end, because
/// the value before it stands at its beginning; so does one of what was bought on its day, where anything was held longer.
public struct Returns: Equatable, Sendable {
  /// The first day: midnight in UTC.
  public let from: Date

  /// The last day, at whose close the period ends: midnight in UTC.
  public let to: Date

  /// The value at the close before the first day; zero when the history begins on the first day.
  public let startValue: Decimal

  /// The value at the close of the last day.
  public let endValue: Decimal

  /// The money that was put in, fees included.
  public let inflow: Decimal

  /// The money that was taken out, less fees.
  public let outflow: Decimal

  /// The gain: end and outflow less start and inflow.
  public let gain: Decimal

  /// The time-weighted return; nil when the portfolio was empty throughout or a step cannot be calculated.
  public let timeWeighted: Rate?

  /// The money-weighted return; nil when the portfolio was empty throughout, and when no rate or several fit the flows.
  public let moneyWeighted: Rate?

  /// Whether several rates fit the flows, so that none of them is the money-weighted return.
  package let hasSeveralRates: Bool

  /// The number of days on which something was held.
  package let heldDays: Int

  /// A return in percent, rounded half-even at ``scale`` digits after the point.
  public struct Rate: Hashable, Sendable {
    /// The number of digits after the point; most rates have no finite decimal form.
    public static let scale = 6

    /// The return over all days.
    public let overall: Decimal

    /// The return in a year of 365 days; nil for fewer days with something held, which do not allow a yearly rate.
    public let yearly: Decimal?
  }

  /// The number of days, the first and the last included.
  public var days: Int { Self.days(from, to) }

  private static func days(_ first: Date, _ last: Date) -> Int { Int(last.since(first).milliseconds / 86_400_000) + 1 }

  /// Returns the day with whose close the returns from a day begin: the one before it.
  package static func opening(of day: Date) -> Date { day.adding(.seconds(-86_400)) }

  /// Calculates the returns from one day to another.
  ///
  /// - Parameters:
  ///   - history: The values of the days, from the day before the first, so that the value at the start is known.
  ///   - first: Any instant of the first day; where the history begins later, so do the returns.
  ///   - last: Any instant of the last day; where the history ends earlier, so do the returns.
  /// - Returns: Nil when the history has no day in between.
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` when a sum of flows or values cannot be calculated.
  public init?(_ history: ValueHistory, from first: Date, to last: Date) throws(PortfolioError) {
    let days = history.days.filter { $0.day <= last.startOfDay }
    var after = days.firstIndex { $0.day >= first.startOfDay } ?? days.endIndex
    // If closes begin only after coins came in, earlier flows are unknown, so the first value is the start.
    if after == days.startIndex, days.first?.isOpening == false { after += 1 }
    guard after < days.endIndex, let end = days.last else { return nil }
    let start = after == days.startIndex ? nil : days[after - 1]
    let flows = days[after...]
    from = start.map { max($0.day.adding(.seconds(86_400)), first.startOfDay) } ?? days[after].day
    to = end.day
    startValue = start?.value ?? 0
    endValue = end.value
    let put = try Self.sum(flows.map(\.inflow))
    let taken = try Self.sum(flows.map(\.outflow))
    let begun = try DecimalParts(startValue).fitting("a total")
    let left = try DecimalParts(endValue).fitting("a total")
    inflow = try put.decimal.fitting("a total")
    outflow = try taken.decimal.fitting("a total")
    gain = try Self.sum([left, taken, begun.negated, put.negated]).decimal.fitting("a total")

    guard !begun.isZero || !put.isZero else {
      (timeWeighted, moneyWeighted, hasSeveralRates, heldDays) = (nil, nil, false, 0)
      return
    }
    let (payments, held) = try Self.payments(begun, flows)
    heldDays = held
    timeWeighted = Rate(growth: Self.growth(from: begun, flows), days: held)
    let solution = Growth.daily(of: payments, until: held, endingWith: left)
    hasSeveralRates = solution == .several
    if case .rate(let rate) = solution {
      moneyWeighted = Rate(growth: Growth.power(rate, held), daily: rate, days: held)
    } else {
      moneyWeighted = nil
    }
  }

  /// Returns what was paid in, by the days on which coins were held, and the number of these days.
  private static func payments(
    _ begun: DecimalParts, _ flows: ArraySlice<ValueHistory.Day>
  ) throws(PortfolioError) -> (payments: [Growth.Payment], held: Int) {
    var payments = [Growth.Payment(day: 0, amount: begun)]
    var held = 0
    let isHeld = !begun.isZero || flows.contains { $0.value != 0 }
    for (place, day) in flows.enumerated() {
      // What was bought and sold within a day does not lower what was paid on a later one.
      if isHeld, day.value == 0, day.valueBefore.isZero, !day.inflow.isZero, !day.outflow.isZero {
        payments += [.init(day: held, amount: day.inflow), .init(day: held + 1, amount: day.outflow.negated)]
        held += 1
        continue
      }
      let isSoldOut = place == 0 && !begun.isZero && day.value == 0
      let paid = try sum([day.inflow, day.outflow.negated])
      if !paid.isZero { payments.append(.init(day: isSoldOut ? held + 1 : held, amount: paid)) }
      let next = place + 1 < flows.count ? flows[flows.startIndex + place + 1].day : day.day.adding(.seconds(86_400))
      if isSoldOut { held += 1 } else if day.value != 0 { held += days(day.day, next) - 1 }
    }
    return (payments, held)
  }

  /// Returns the growth of one unit; nil when a step cannot be calculated.
  private static func growth(from start: DecimalParts, _ days: ArraySlice<ValueHistory.Day>) -> DecimalParts? {
    var growth = DecimalParts(isNegative: false, coefficient: 1, exponent: 0)
    var value = start
    func grow(from before: DecimalParts?, to after: DecimalParts?) -> Bool {
      guard let before, let after else { return false }
      if before.isZero { return true }
      guard let factor = Growth.quotient(after, before), let product = Growth.product(growth, factor) else {
        return false
      }
      growth = product
      return true
    }
    for day in days where !day.inflow.isZero || !day.outflow.isZero {
      guard let end = DecimalParts(day.value), grow(from: value, to: day.valueBefore),
        grow(from: day.valueBefore.totalling(day.inflow), to: end.totalling(day.outflow))
      else { return nil }
      value = end
    }
    guard let last = days.last, grow(from: value, to: DecimalParts(last.value)) else { return nil }
    return growth
  }

  private static func sum(_ parts: [DecimalParts]) throws(PortfolioError) -> DecimalParts {
    var sum = DecimalParts.zero
    for part in parts { sum = try sum.totalling(part).fitting("a total") }
    return sum
  }
}

extension Returns.Rate {
  /// Creates a rate of return.
  ///
  /// - Parameters:
  ///   - growth: The growth of one unit over the days.
  ///   - daily: The daily growth of one unit; calculated from the growth when nil.
  fileprivate init?(growth: DecimalParts?, daily: DecimalParts? = nil, days: Int) {
    guard let growth, let overall = Self.percent(growth) else { return nil }
    self.overall = overall
    guard days >= 365 else {
      yearly = nil
      return
    }
    let one = DecimalParts(isNegative: false, coefficient: 1, exponent: 0)
    var daily = daily
    if daily == nil,
      case .rate(let rate) = Growth.daily(of: [.init(day: 0, amount: one)], until: days, endingWith: growth)
    {
      daily = rate
    }
    yearly = daily.flatMap { Growth.power($0, 365) }.flatMap(Self.percent)
  }

  private static func percent(_ growth: DecimalParts) -> Decimal? {
    growth.decimal.map { (($0 - 1) * 100).rounded(scale: scale) }
  }
}
