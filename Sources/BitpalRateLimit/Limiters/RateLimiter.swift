/// Holds requests back so that a source's budget is kept.
public protocol RateLimiter: Sendable {
  /// Returns when one request may go; those who ask first go first.
  ///
  /// - Parameter deadline: The instant on the time source's monotonic clock after which going is of no use; nil for
  ///   none.
  /// - Throws: ``/BitpalModel/BitpalError`` `.rateLimited` at once, with nothing booked, when the wait would not fit;
  ///   `CancellationError` when the task is cancelled while it waits, and the place goes to somebody else.
  func acquire(deadline: Duration?) async throws

  /// Lets no request go for that long, because the source said so. Those who wait already book again.
  func block(for pause: Duration)
}
