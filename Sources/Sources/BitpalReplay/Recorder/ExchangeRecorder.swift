package import BitpalModel
package import BitpalNetwork

/// A collector of a run's exchanges, from any number of transports, and of the keys that must not be recorded.
package final class ExchangeRecorder: Sendable {
  private struct State {
    var exchanges: [CapturedExchange] = []
    var secrets: Set<Secret> = []
  }

  private let state = Locked(State())

  /// Creates an empty recorder.
  package init() {}

  /// The exchanges so far, in the order of their answers.
  package var exchanges: [CapturedExchange] { state.withLock { $0.exchanges } }

  /// The keys that were sent or announced so far.
  package var secrets: Set<Secret> { state.withLock { $0.secrets } }

  /// The provider of the first exchange that has one.
  package var provider: String? { state.withLock { $0.exchanges.lazy.compactMap(\.provider).first } }

  /// Registers a value that no recording may contain.
  package func hide(_ secret: Secret) {
    state.withLock { _ = $0.secrets.insert(secret) }
  }

  /// Returns a transport that records here what a provider's transport carries.
  package func transport(_ base: any Transport, provider: String) -> any Transport {
    RecordingTransport(base, provider: provider, recorder: self)
  }

  func add(_ exchange: CapturedExchange) {
    state.withLock { state in
      state.exchanges.append(exchange)
      state.secrets.formUnion(exchange.request.keys)
    }
  }
}

/// A transport that records every response of another transport.
///
/// It belongs next to the wire, below retries, so that each attempt is a separate exchange. A request without a
/// response is not recorded.
package struct RecordingTransport: Transport {
  private let base: any Transport
  private let provider: String
  private let recorder: ExchangeRecorder

  /// Wraps a transport.
  package init(_ base: any Transport, provider: String, recorder: ExchangeRecorder) {
    self.base = base
    self.provider = provider
    self.recorder = recorder
  }

  /// Sends the request and records the response.
  ///
  /// - Throws: The errors of the other transport.
  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await base.send(request)
    recorder.add(CapturedExchange(request: request, response: response, provider: provider))
    return response
  }
}

/// A request that was sent, its response, and the question behind it.
package struct CapturedExchange: Hashable, Sendable {
  /// The request that was sent.
  package let request: HTTPRequest

  /// The response.
  package let response: HTTPResponse

  /// The provider that asked; nil when it is unknown.
  package let provider: String?

  /// The question that caused the request; nil when it is unknown.
  package var query: ProviderQuery? { request.query }

  /// Creates an exchange.
  package init(request: HTTPRequest, response: HTTPResponse, provider: String? = nil) {
    self.request = request
    self.response = response
    self.provider = provider
  }
}
