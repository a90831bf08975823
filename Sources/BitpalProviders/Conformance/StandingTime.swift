import BitpalModel
import FoundationEssentials

/// A clock at some instant, where every wait is over at once.
struct StandingTime: TimeSource {
  let now: Date
  var monotonic: Duration { .zero }

  func sleep(for duration: Duration) async throws { try Task.checkCancellation() }
}
