import BitpalModel
public import BitpalRateLimit

/// Carries an HTTP request and brings back the response.
///
/// An HTTP error status is a response, not an error; what throws is not having a response: ``/BitpalModel/BitpalError``
/// `.network`, `.unreadable`, `.timedOut`, `.budgetUsed` or `.rateLimited`, and `CancellationError` when the task is cancelled, which
/// also ends the transfer. Nothing may take longer than ``/BitpalModel/Deadline/current``, attempts and waits included.
public protocol Transport: Sendable {
  /// Sends one request.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// Lets a request go when the limiter does.
///
/// It belongs inside the retrying transport, so that each attempt takes its place in the queue.
public struct RateLimitedTransport: Transport {
  private let base: any Transport
  private let limiter: any RateLimiter

  /// Wraps a transport.
  public init(_ base: any Transport, limiter: any RateLimiter) {
    self.base = base
    self.limiter = limiter
  }

  /// Waits for the limiter, then sends the request; one that never left this machine gives its place back.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let permit = try await Deadline.whileWaiting { try await limiter.acquire(deadline: $0) }
    do {
      return try await base.send(request)
    } catch let error as BitpalError {
      if case .network(_, _, _, isSent: false) = error { limiter.giveBack(permit) }
      throw error
    }
  }
}

extension Duration {
  /// The nearest tenth of a second.
  var roundedToTenths: Duration { .milliseconds((milliseconds + 50) / 100 * 100) }
}
