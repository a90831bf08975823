public import FoundationEssentials

/// Something in a series of prices, or between two quotes in a row, that is hardly ever true.
///
/// It is reported and never repaired: which of the prices is wrong only the source knows.
public enum Implausibility: Hashable, Sendable {
  /// The price becomes a hundred times as much, or a hundredth: one of the two is in another unit, such as pence.
  case hundredfold(from: Decimal, to: Decimal, at: Date)

  /// The price becomes at least five times as much within an hour, or a fifth.
  case leap(from: Decimal, to: Decimal, within: Duration)

  /// The price of a share becomes a whole part or a multiple overnight, as by a split that the series does not include.
  case split(from: Decimal, to: Decimal, parts: Int, at: Date)

  /// The same price on several days in a row, in a series that moves otherwise.
  case repeated(Decimal, days: Int, from: Date)

  /// Rows of Saturdays or Sundays in a series that has hardly any.
  case closedDays([Date])

  /// A series has no prices for much longer than they are usually apart.
  case hole(from: Date, to: Date)

  /// A series that should reach to the present ends at an earlier time.
  case ended(Date)
}

extension Implausibility: CustomStringConvertible {
  /// The finding as the second part of a sentence that begins with the coin.
  public var description: String {
    switch self {
    case .hundredfold(let from, let to, let time):
      "\(Self.step(from, to)) on \(time.dayText), a hundred times \(to > from ? "as much" : "less"): one of the two may be in "
        + "another unit, such as pence"
    case .leap(let from, let to, let time):
      "\(Self.step(from, to)) within \(time.shortText): one of the two may be wrong"
    case .split(let from, let to, let parts, let time):
      "\(Self.step(from, to)) on \(time.dayText), \(parts) times \(to > from ? "as much" : "less"): a split may be missing"
    case .repeated(let price, let days, let first):
      "\(NumberFormat.price(price)) on \(days) days in a row from \(first.dayText): the source may have stood still"
    case .closedDays(let days):
      "a price on \(days[0].dayText)" + (days.count > 1 ? " and \(days.count - 1) more days" : "")
        + " of a weekend, on which its market is usually closed"
    case .hole(let from, let to):
      (from.dayText == to.dayText
        ? "no price between \(from.utcText) and \(to.utcText)" : "no price between \(from.dayText) and \(to.dayText)")
        + ": the source may lack them, or nothing was traded"
    case .ended(let time):
      "no price after \(time.dayText): the source may have stopped, or nothing is traded any more"
    }
  }

  private static func step(_ from: Decimal, _ to: Decimal) -> String {
    "from \(NumberFormat.price(from)) to \(NumberFormat.price(to))"
  }
}

/// The rules that find what is implausible in prices.
package enum Plausibility {
  /// The number of equal prices in a row that a series which moves hardly ever has: more than a week of trading.
  private static let mostRepeats = 8

  /// The number of digits from which equal prices are hardly an accident; a coin that is tied to a dollar has fewer.
  private static let leastDigits = 4

  /// The splits that companies make, by the number of new shares for an old one, or of old ones for a new one.
  private static let splits: [Decimal] = [2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50]

  /// Returns whether one price is a hundred times the other, within two percent.
  package static func isHundredfold(_ left: Decimal, _ right: Decimal) -> Bool { isMultiple(left, right, of: 100) }

  /// Returns what is implausible in a price after another one of the same source; nil where nothing is.
  ///
  /// - Parameters:
  ///   - pause: The time between the two.
  ///   - now: The instant of the second one.
  package static func finding(
    from earlier: Decimal, to later: Decimal, after pause: Duration, now: Date
  ) -> Implausibility? {
    if isHundredfold(earlier, later) { return .hundredfold(from: earlier, to: later, at: now) }
    let isLeap = max(earlier, later).compared(to: min(earlier, later), times: 5) != .less
    return isLeap && pause <= .seconds(3600) ? .leap(from: earlier, to: later, within: pause) : nil
  }

  /// Returns what is implausible in a price after that of a day before: that one is nearly a hundred times the other, or more,
  /// as when pence are taken for pounds, or one currency for another.
  package static func finding(overDayFrom earlier: Decimal, to later: Decimal, at now: Date) -> Implausibility? {
    // The price of a day before follows from the change, so a very small one may have been rounded to zero.
    earlier == 0 || max(earlier, later).compared(to: min(earlier, later), times: 98) == .less
      ? nil : .hundredfold(from: earlier, to: later, at: now)
  }

  private static func isMultiple(_ left: Decimal, _ right: Decimal, of factor: Decimal) -> Bool {
    let (low, high) = left < right ? (left, right) : (right, left)
    return high.compared(to: low, times: (factor * 98).hundredths) != .less
      && high.compared(to: low, times: (factor * 102).hundredths) != .greater
  }

  /// Returns where a series ends before its window does: by a tenth of the window, or of a year, by twice the
  /// distance of its last points, and by more than the age of an outdated price, or twice that in the past; nil where it does
  /// not.
  package static func end(of times: [Date], in window: TimeWindow, maxAge: Duration) -> Date? {
    guard let last = times.last, let earlier = times.dropLast().last else { return nil }
    let pause = window.end.since(last)
    let isLong = pause * 10 > min(window.length, .seconds(365 * 86_400))
    return isLong && pause > last.since(earlier) * 2 && pause > (window.isPast ? maxAge * 2 : maxAge) ? last : nil
  }

  /// Returns the longest gap between the prices of a window; nil where it is at most as long as a tenth of the window (or of a
  /// year, for a longer one), as twenty times their usual distance (three times where they are regular), or as a pause of their
  /// market.
  package static func hole(in times: [Date], of window: TimeWindow, pause: Duration) -> Implausibility? {
    let length = min(window.length, .seconds(365 * 86_400))
    guard let (from, to) = zip(times, times.dropFirst()).max(by: { $0.1.since($0.0) < $1.1.since($1.0) }),
      to.since(from) * 10 > length, to.since(from) > pause,
      let usual = Resampling.usualSpacing(times), to.since(from) > usual * 3
    else { return nil }
    // Of a pair that is hardly traded, days without a price are usual.
    let regular = zip(times.dropFirst(), times).count { $0.since($1) <= usual * 2 }
    let isRegular = pause == .zero && regular * 20 >= (times.count - 2) * 19
    guard isRegular || to.since(from) > usual * 20 else { return nil }
    return .hole(from: from, to: to)
  }

  /// Returns what is implausible in prices in the order of time.
  ///
  /// - Parameters:
  ///   - isDaily: Whether each is the close of a day.
  ///   - pauses: Whether the market closes at night and on weekends, as that of shares does.
  ///   - isRate: Whether it is the rate of a currency, which a central bank may hold for months.
  package static func findings(
    in points: [ChartDataPoint], isDaily: Bool, pauses: Bool, isRate: Bool = false
  ) -> [Implausibility] {
    guard points.count > 1 else { return [] }
    var findings: [Implausibility] = []
    for (place, (earlier, later)) in zip(points, points.dropFirst()).enumerated() where earlier.price != later.price {
      if isHundredfold(earlier.price, later.price) {
        findings.append(.hundredfold(from: earlier.price, to: later.price, at: later.timestamp))
      } else if isDaily, pauses, let parts = split(earlier.price, later.price), isCalm(points, around: place) {
        findings.append(.split(from: earlier.price, to: later.price, parts: parts, at: later.timestamp))
      }
    }
    guard isDaily else { return findings }
    return findings + (isRate ? [] : repeats(in: points)) + (pauses ? weekends(in: points) : [])
  }

  private static func split(_ earlier: Decimal, _ later: Decimal) -> Int? {
    splits.first { isMultiple(earlier, later, of: $0) }.flatMap { Int($0.plainText) }
  }

  /// Returns whether the prices of ten days before and after a step move by less than a tenth from day to day, and stay on
  /// their side of it.
  private static func isCalm(_ points: [ChartDataPoint], around place: Int) -> Bool {
    let before = points[max(0, place - 9)...place].map(\.price)
    let after = points[(place + 1)..<min(points.count, place + 11)].map(\.price)
    guard before.count >= 3, after.count >= 3 else { return false }
    return [before, after].allSatisfy { side in
      zip(side, side.dropFirst()).allSatisfy { earlier, later in
        max(earlier, later).compared(to: min(earlier, later), times: Decimal(110).hundredths) != .greater
      }
    }
  }

  private static func repeats(in points: [ChartDataPoint]) -> [Implausibility] {
    var runs: [(first: Int, count: Int)] = []
    for (place, point) in points.enumerated() {
      if let run = runs.last, points[run.first].price == point.price {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((place, 1))
      }
    }
    let long = runs.filter { run in
      run.count >= mostRepeats && (DecimalParts(points[run.first].price)?.folded.digitCount ?? 0) >= leastDigits
    }
    let others = runs.reduce(0) { $0 + $1.count - 1 } - long.reduce(0) { $0 + $1.count - 1 }
    // A price that often stays the same is of something with little trade.
    guard others * 10 <= points.count else { return [] }
    return long.map { .repeated(points[$0.first].price, days: $0.count, from: points[$0.first].timestamp) }
  }

  private static func weekends(in points: [ChartDataPoint]) -> [Implausibility] {
    let days = points.map(\.timestamp).filter(\.isOnWeekend)
    return !days.isEmpty && days.count * 20 <= points.count ? [.closedDays(days)] : []
  }
}

extension Date {
  /// Whether the day of this instant in UTC is a Saturday or a Sunday; 1970 began on a Thursday.
  package var isOnWeekend: Bool {
    let day = Int((timeIntervalSince1970 / 86_400).rounded(.down))
    return [2, 3].contains(((day % 7) + 7) % 7)
  }
}
