/// How long something takes: the median of several rounds.
struct Measurement {
  let duration: Duration

  /// Runs `body` until a round takes at least 2 ms, then takes the median of 15 such rounds.
  init(_ body: () throws -> Void) rethrows {
    let clock = ContinuousClock()
    try body()
    var times = 1
    while true {
      let round = try clock.measure { for _ in 0..<times { try body() } }
      if round >= .milliseconds(2) || times >= 1 << 20 { break }
      times *= 2
    }
    var rounds: [Duration] = []
    for _ in 0..<15 { rounds.append(try clock.measure { for _ in 0..<times { try body() } } / times) }
    duration = rounds.sorted()[rounds.count / 2]
  }

  init(_ duration: Duration) {
    self.duration = duration
  }

  var text: String {
    let nanoseconds = duration / .nanoseconds(1)
    switch nanoseconds {
    case ..<1000: return "\(Int(nanoseconds)) ns"
    case ..<1_000_000: return "\(tenths(nanoseconds / 1000)) us"
    default: return "\(tenths(nanoseconds / 1_000_000)) ms"
    }
  }

  private func tenths(_ value: Double) -> String {
    let scaled = Int((value * 10).rounded())
    return "\(scaled / 10).\(scaled % 10)"
  }
}
