package import BitpalModel

/// The refusals of budgets that this machine remembers, by source.
///
/// A fleet's budget is counted by a server. While it is used up, each question about an expired price would lock the
/// price and ask the budget again. This memory lets such a question use an older answer at once.
package final class Refusals: Sendable {
  /// The longest time for which a refusal is remembered: a token that is given back is noticed after it.
  private static let longest: Duration = .seconds(1)

  private let refusals = Locked<[String: (error: BitpalError, end: Duration)]>([:])

  package init() {}

  /// Remembers a refusal; any other failure has no effect.
  ///
  /// - Parameter now: The present on the monotonic clock.
  package func note(_ error: BitpalError, by source: String, at now: Duration) {
    guard let wait = error.retryAfter, wait > .zero else { return }
    refusals.withLock { $0[source] = (error, now + min(wait, Self.longest)) }
  }

  /// Returns the refusal with which a source would answer now; nil when it may have a token.
  package func refusal(by source: String, at now: Duration) -> BitpalError? {
    refusals.withLock { refusals in refusals[source].flatMap { now < $0.end ? $0.error : nil } }
  }
}
