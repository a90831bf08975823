/// A histogram of times in microseconds with steps of at most a sixteenth.
struct Histogram: Hashable, Sendable {
  private var counts = Array(repeating: 0, count: 64 * 16)
  private(set) var total = 0

  mutating func add(_ time: Int64) {
    counts[Self.index(time)] += 1
    total += 1
  }

  /// Returns the largest time of a share of all, from 0 to 1; nil when there are none.
  func quantile(_ share: Double) -> Int64? {
    var left = Int((Double(total) * share).rounded(.up))
    for (index, count) in counts.enumerated() where count > 0 {
      left -= count
      if left <= 0 { return Self.upperBound(index) }
    }
    return nil
  }

  private static func index(_ time: Int64) -> Int {
    guard time >= 16 else { return Int(max(0, time)) }
    let shift = 59 - time.leadingZeroBitCount
    return (shift + 1) * 16 + Int(time >> Int64(shift)) - 16
  }

  private static func upperBound(_ index: Int) -> Int64 {
    guard index >= 16 else { return Int64(index) }
    let shift = Int64(index / 16 - 1)
    return (Int64(index % 16 + 16 + 1) << shift) - 1
  }
}

/// The results of one scenario.
struct Measurements: Sendable {
  /// Questions by the age of their answer.
  var fresh = 0
  var whileRenewing = 0
  var stale = 0
  var unanswered = 0

  /// The time from question to answer, of all questions.
  var latency = Histogram()

  /// The time from the question, or from the first new answer where that came later, of the questions that their machine
  /// had no fresh price for.
  var afterFirst = Histogram()

  /// The requests within the measured time, and the most of any window of a minute.
  var requests = 0
  var mostInWindow = 0
  var isExceeded = false

  /// The coins that requests carried.
  var coinsFetched = 0

  /// The coins of them whose price another machine had fetched within the last half of a time to live.
  var coinsFetchedTwice = 0

  /// The mean and the largest share of Redis' thread in a second, from 0 to 1.
  var busy = 0.0
  var busiest = 0.0

  /// Commands per second, and in the second with the most.
  var commands = 0.0
  var mostCommands = 0
  var slowExchanges = 0

  var questions: Int { fresh + whileRenewing + stale + unanswered }

  /// Summarizes the load of the measured seconds.
  mutating func count(_ loads: ArraySlice<SimulatedRedis.Load>, seconds: Double) {
    busy = Double(loads.reduce(0) { $0 + $1.busy }) / 1e6 / seconds
    busiest = loads.map { Double($0.busy) / 1e6 }.max() ?? 0
    commands = Double(loads.reduce(0) { $0 + $1.commands }) / seconds
    mostCommands = loads.map(\.commands).max() ?? 0
  }
}
