import BitpalCache
package import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The renewal of expired answers while they are served (stale-while-revalidate, RFC 5861).
///
/// One of many callers renews an answer, and no caller waits for it.
package final class Renewals: Sendable {
  private let whileRenewing: Duration

  /// The time to live on this machine, in thousandths of the usual one.
  private let part: Int64
  private let underWay = Locked<Set<AnswerKey>>([])

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

  /// Whether an answer has expired so recently that it is served while it is renewed.
  package func covers(age: Duration, timeToLive: Duration) -> Bool {
    age > timeToLive && age - timeToLive <= whileRenewing
  }

  /// Records that answers are being renewed, and returns those that were not before.
  package func begin(_ keys: [AnswerKey]) -> [AnswerKey] {
    underWay.withLock { underWay in keys.filter { underWay.insert($0).inserted } }
  }

  /// Records that the renewal of answers has ended.
  package func end(_ keys: [AnswerKey]) { underWay.withLock { $0.subtract(keys) } }
}

extension PriceService {
  /// Fetches answers that are served meanwhile, each once at a time; no caller waits, and no budget is waited for.
  ///
  /// - Parameter ages: The ages of the answers, by coin; an answer that another machine has left must be younger.
  func renew<Value>(_ question: Question<Value>, _ ages: [String: Duration], from provider: any PriceProvider) {
    guard let youngest = ages.values.min() else { return }
    let keys = renewals.begin(ages.keys.sorted().map { question.key($0, from: provider) })
    guard !keys.isEmpty else { return }
    Task(executorPreference: BlockingPool.shared) {
      await Deadline.independent(on: time) {
        _ = try? await Deadline.withoutWaiting {
          try await fetch(
            question, keys.map(\.coin), from: provider, policy: .normal, youngerThan: youngest - .milliseconds(1))
        }
      }
      renewals.end(keys)
    }
  }
}
