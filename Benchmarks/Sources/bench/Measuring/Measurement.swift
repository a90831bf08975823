/// How long something takes: the median of several rounds.
struct Measurement {
  /// Something that is done that many times in a row.
  typealias Work = (_ times: Int) async throws -> Void

  let duration: Duration

  /// The shortest round.
  let least: Duration

  init(_ duration: Duration) {
    self.duration = duration
    least = duration
  }

  init(median durations: [Duration]) {
    let sorted = durations.sorted()
    duration = sorted.isEmpty ? .zero : sorted[sorted.count / 2]
    least = sorted.first ?? .zero
  }

  /// Each work's time, measured in turns so that all see the same machine: the median of 15 rounds of at least 2 ms.
  static func inTurns(_ works: Work...) async throws -> [Measurement] {
    let clock = ContinuousClock()
    var times: [Int] = []
    for work in works {
      try await work(1)
      var count = 1
      while count < 1 << 20, try await clock.measure({ try await work(count) }) < .milliseconds(2) { count *= 2 }
      times.append(count)
    }
    var rounds = works.map { _ in [Duration]() }
    for _ in 0..<15 {
      for (index, work) in works.enumerated() {
        rounds[index].append(try await clock.measure { try await work(times[index]) } / times[index])
      }
    }
    return rounds.map { Measurement(median: $0) }
  }

  /// This time divided by another.
  func over(_ other: Measurement) -> Double { duration / other.duration }

  /// The shortest round divided by another's.
  func leastOver(_ other: Measurement) -> Double { least / other.least }

  /// The median.
  var text: String { Self.text(duration) }

  /// The median, and the shortest round.
  var both: String { "\(text) (\(Self.text(least)))" }

  static func text(_ duration: Duration) -> String {
    let nanoseconds = duration / .nanoseconds(1)
    switch nanoseconds {
    case ..<1000: return "\(Int(nanoseconds)) ns"
    case ..<1_000_000: return "\((nanoseconds / 1000).rounded(places: 1)) us"
    default: return "\((nanoseconds / 1_000_000).rounded(places: 1)) ms"
    }
  }
}
