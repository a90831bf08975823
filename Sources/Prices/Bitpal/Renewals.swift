import BitpalCache
package import BitpalModel
import FoundationEssentials

/// The renewal of expired answers while they are served (stale-while-revalidate, RFC 5861).
///
/// One of many callers renews an answer, and no caller waits for it.
package final class Renewals: Sendable {
  private let whileRenewing: Duration

  /// The time to live on this machine, in thousandths of the usual one.
  private let part: Int64
  private let state = Locked(State())

  private struct State {
    var underWay: Set<AnswerKey> = []
  }

  /// Creates a rule for renewals.
  ///
  /// - Parameters:
  ///   - whileRenewing: The time past its time to live for which an answer is served while it is renewed; zero for none.
  ///   - isShared: Whether machines share answers. Each machine then has its own times to live, up to a tenth shorter
  ///     or longer, so that they do not find the same answer expired at the same moment.
  ///   - draw: A random number from 0 to 1.
  package init(whileRenewing: Duration, isShared: Bool, draw: Double = .random(in: 0...1)) {
    self.whileRenewing = whileRenewing
    part = isShared ? 900 + Int64(200 * draw) : 1000
  }

  /// Returns the time to live that an answer has on this machine.
  package func spread(_ timeToLive: Duration) -> Duration { .milliseconds(timeToLive.milliseconds * part / 1000) }

  /// Returns whether an answer has expired so recently that it is served while it is renewed.
  package func covers(age: Duration, timeToLive: Duration) -> Bool {
    age > timeToLive && age - timeToLive <= whileRenewing
  }

  /// Records that answers are being renewed, and returns those that were not before.
  package func begin(_ keys: [AnswerKey]) -> [AnswerKey] {
    state.withLock { state in keys.filter { state.underWay.insert($0).inserted } }
  }

  /// Records that the renewal of answers has ended.
  package func end(_ keys: [AnswerKey]) { state.withLock { $0.underWay.subtract(keys) } }
}
