import BitpalCache
package import BitpalModel
import BitpalProviders
import FoundationEssentials
import Glibc

/// The renewal of answers while an older one is served: after they have expired (stale-while-revalidate, RFC 5861), and
/// shortly before for popular ones.
///
/// An early renewal is drawn at random for each question, with a probability that grows towards the expiry (XFetch,
/// Vattani, Chierichetti and Lowenstein 2015). One of many callers renews, and the others never find the answer
/// expired.
package final class Renewals: Sendable {
  /// The reason for a renewal.
  package enum Renewal: Hashable {
    /// The answer is fresh, and will soon be asked for again.
    case early

    /// The answer has expired.
    case late
  }

  /// The typical duration of a request, by which the early renewals are spread.
  private static let requestTime: Duration = .milliseconds(500)

  private let whileRenewing: Duration

  /// The time to live on this machine, in thousandths of the usual one.
  private let part: Int64
  private let draw: @Sendable () -> Double
  private let underWay = Locked<Set<AnswerKey>>([])

  /// Creates a rule for renewals.
  ///
  /// - Parameters:
  ///   - whileRenewing: The time past its time to live for which an answer is served while it is renewed; zero for
  ///     none, and for no early renewals.
  ///   - isShared: Whether machines share answers. Each machine then has its own times to live, up to a tenth shorter
  ///     or longer, so that they do not find the same answer expired at the same moment.
  ///   - draw: Random numbers from 0 to 1.
  package init(
    whileRenewing: Duration, isShared: Bool, draw: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.whileRenewing = whileRenewing
    self.draw = draw
    part = isShared ? 900 + Int64(200 * draw()) : 1000
  }

  /// Returns the time to live that an answer has on this machine.
  package func spread(_ timeToLive: Duration) -> Duration { .milliseconds(timeToLive.milliseconds * part / 1000) }

  /// Returns the renewal of an answer that is served meanwhile; nil for one that needs none, or that is too old to be
  /// served.
  package func decide(age: Duration, timeToLive: Duration) -> Renewal? {
    guard whileRenewing > .zero, age >= .zero else { return nil }
    if age > timeToLive { return age - timeToLive <= whileRenewing ? .late : nil }
    // An exponentially distributed time before the end, far below one percent of it on most draws.
    let ahead = Self.requestTime * -log(max(draw(), 1e-9))
    return timeToLive - age < ahead ? .early : nil
  }

  /// Records that answers are being renewed, and returns those that were not before.
  package func begin(_ keys: [AnswerKey]) -> [AnswerKey] {
    underWay.withLock { underWay in keys.filter { underWay.insert($0).inserted } }
  }

  /// Records that the renewal of answers has ended.
  package func end(_ keys: [AnswerKey]) { underWay.withLock { $0.subtract(keys) } }
}
