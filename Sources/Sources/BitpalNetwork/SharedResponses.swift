package import BitpalModel

/// A transport that sends equal requests once: those that are in flight at the same time, and those of one task's work.
///
/// It belongs above the retries, so that a shared response costs one permit. A POST is always sent.
package struct SharingTransport: Transport {
  private let base: any Transport
  private let state = Locked(State())

  private struct State {
    var flights: [HTTPRequest: SharedTask<Result<HTTPResponse, any Error>>] = [:]
  }

  /// Wraps a transport.
  package init(_ base: any Transport) { self.base = base }

  /// Lets no request of the wrapped transport leave for a while.
  package func pause(after response: HTTPResponse, for wait: Duration?) -> Duration? {
    base.pause(after: response, for: wait)
  }

  /// Sends the request, or returns the response to an equal one; the question behind it does not matter.
  ///
  /// - Throws: The errors of the wrapped transport; `CancellationError`.
  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.body == nil else { return try await base.send(request) }
    let earlier = SharedResponses.current
    var key = request
    key.query = nil
    if let known = earlier?.response(to: key) { return known }
    let (flight, isMine) = state.withLock { state in
      if let flight = state.flights[key], flight.join() { return (flight, false) }
      let flight = SharedTask<Result<HTTPResponse, any Error>> { [base] in
        do {
          return .success(try await base.send(request))
        } catch {
          return .failure(error)
        }
      }
      state.flights[key] = flight
      return (flight, true)
    }
    defer { if isMine { state.withLock { if $0.flights[key] === flight { $0.flights[key] = nil } } } }
    let response = try await flight.value().get()
    if response.isSuccess { earlier?.keep(response, to: key) }
    return response
  }
}

/// The responses that belong to one piece of work, such as a question or a command, in which equal requests are sent once.
///
/// Each counts for 5 s, so that work which asks again and again is not answered with what it has read before.
package final class SharedResponses: Sendable {
  @TaskLocal static var current: SharedResponses?

  /// The most bytes of bodies that are kept: 16 MiB, twice the largest list of a source.
  private static let most = 16 << 20

  private static let lifetime = Duration.seconds(5)

  private struct State {
    var responses: [HTTPRequest: (response: HTTPResponse, end: Duration)] = [:]
    var bytes = 0
  }

  private let state = Locked(State())
  private let time: any TimeSource

  private init(time: any TimeSource) { self.time = time }

  /// Runs `body`, in which equal requests are sent once; within such work it has no effect of its own.
  ///
  /// - Parameter time: The clock by which responses become too old.
  package static func within<Result>(
    on time: any TimeSource = SystemTime(), isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard current == nil else { return try await body() }
    return try await $current.withValue(SharedResponses(time: time), operation: body, isolation: isolation)
  }

  /// Returns the response to an equal request of the same work; nil when there is none, or it is too old.
  func response(to request: HTTPRequest) -> HTTPResponse? {
    let known = state.withLock { $0.responses[request] }
    return known.flatMap { time.monotonic < $0.end ? $0.response : nil }
  }

  /// Keeps a response for later requests of the same work, as long as there is room.
  func keep(_ response: HTTPResponse, to request: HTTPRequest) {
    let end = time.monotonic + Self.lifetime
    state.withLock { state in
      let former = state.responses[request]?.response.body.count ?? 0
      guard state.bytes - former + response.body.count <= Self.most else { return }
      state.bytes += response.body.count - former
      state.responses[request] = (response, end)
    }
  }
}
