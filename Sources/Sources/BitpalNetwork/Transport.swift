import BitpalModel
public import BitpalRateLimit

/// A sender of HTTP requests.
///
/// An HTTP error status is a response, not an error. Only a missing response is an error: ``/BitpalModel/BitpalError``
/// `.network`, `.unreadable`, `.timedOut`, `.budgetUsed` or `.rateLimited`, or `CancellationError` when the task is
/// cancelled, which also ends the transfer. No request may take longer than ``/BitpalModel/Deadline/current``, retries
/// and waits included.
public protocol Transport: Sendable {
  /// Sends one request and returns its response.
  ///
  /// - Throws: The errors that the protocol's description lists.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse

  /// Lets no request leave for a while after a response whose text says that the source limits requests.
  ///
  /// - Parameters:
  ///   - response: The response, of any status.
  ///   - wait: The wait that it asks for, as far as its reader knows.
  /// - Returns: The wait that it asks for; nil when it names none. The pause then has a usual length.
  @discardableResult
  func pause(after response: HTTPResponse, for wait: Duration?) -> Duration?
}

extension Transport {
  /// Does nothing: a transport without a limiter has no pauses.
  public func pause(after response: HTTPResponse, for wait: Duration?) -> Duration? { wait }
}

/// A transport that sends each request when a rate limiter permits it.
///
/// It belongs inside the retrying transport, so that each attempt waits for a permit of its own.
public struct RateLimitedTransport: Transport {
  private let base: any Transport
  private let limiter: any RateLimiter

  /// Wraps a transport.
  public init(_ base: any Transport, limiter: any RateLimiter) {
    self.base = base
    self.limiter = limiter
  }

  /// Waits for a permit of the request's weight, then sends the request, and for another of one token before each redirect
  /// that is followed; the first is given back when no byte of the request left this machine.
  ///
  /// - Throws: The errors of the limiter and of the wrapped transport.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let permit = try await Deadline.whileWaiting { try await limiter.acquire(request.weight, deadline: $0) }
    do {
      return try await FurtherRequests.$limiter.withValue(limiter) { try await base.send(request) }
    } catch let error as BitpalError {
      switch error {
      // A proxy refuses before the source is connected to.
      case .network(_, _, _, isSent: false), .refused: limiter.giveBack(permit)
      default: break
      }
      throw error
    }
  }
}

/// The requests that a transport sends after the first by itself: those that follow a redirect.
enum FurtherRequests {
  /// The limiter of the task's request; nil where nothing limits it.
  @TaskLocal static var limiter: (any RateLimiter)?

  /// Waits until one more request may leave.
  ///
  /// - Throws: The errors of the limiter.
  static func acquire() async throws {
    guard let limiter else { return }
    _ = try await Deadline.whileWaiting { try await limiter.acquire(deadline: $0) }
  }
}

extension Duration {
  /// The duration, rounded to tenths of a second.
  var roundedToTenths: Duration { .milliseconds((milliseconds + 50) / 100 * 100) }
}
