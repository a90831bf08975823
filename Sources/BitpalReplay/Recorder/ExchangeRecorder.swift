public import BitpalModel
public import BitpalNetwork

/// Collects the exchanges of a run, from any number of transports, and the keys it must not keep.
public final class ExchangeRecorder: Sendable {
  private struct State {
    var exchanges: [CapturedExchange] = []
    var secrets: Set<Secret> = []
  }

  private let state = Locked(State())

  /// Creates an empty recorder.
  public init() {}

  /// What went over the wire so far, in the order in which answers came.
  public var exchanges: [CapturedExchange] { state.withLock { $0.exchanges } }

  /// Every key that was sent or announced so far.
  public var secrets: Set<Secret> { state.withLock { $0.secrets } }

  /// The provider of the first exchange.
  public var provider: String? { state.withLock { $0.exchanges.lazy.compactMap(\.provider).first } }

  /// Announces a value that no recording may contain.
  public func hide(_ secret: Secret) {
    state.withLock { _ = $0.secrets.insert(secret) }
  }

  /// Wraps the transport of a provider, so that what it carries is recorded here.
  public func transport(_ base: any Transport, provider: String) -> any Transport {
    RecordingTransport(base, provider: provider, recorder: self)
  }

  func add(_ exchange: CapturedExchange) {
    state.withLock { state in
      state.exchanges.append(exchange)
      state.secrets.formUnion(exchange.request.keys)
    }
  }
}

/// Records every response that another transport brings back.
///
/// It belongs next to the wire, below retries, so that each attempt is an exchange of its own. A request without a
/// response leaves nothing to record.
public struct RecordingTransport: Transport {
  private let base: any Transport
  private let provider: String
  private let recorder: ExchangeRecorder

  /// Wraps a transport.
  public init(_ base: any Transport, provider: String, recorder: ExchangeRecorder) {
    self.base = base
    self.provider = provider
    self.recorder = recorder
  }

  /// Sends the request and keeps what comes back.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await base.send(request)
    recorder.add(CapturedExchange(request: request, response: response, provider: provider))
    return response
  }
}

/// A request that was sent, what came back, and the question behind it.
public struct CapturedExchange: Hashable, Sendable {
  /// What was asked over the wire.
  public let request: HTTPRequest

  /// What came back.
  public let response: HTTPResponse

  /// The provider that asked; nil when nobody said.
  public let provider: String?

  /// The question that caused it; nil when nobody said.
  public var query: ProviderQuery? { request.query }

  /// Creates an exchange.
  public init(request: HTTPRequest, response: HTTPResponse, provider: String? = nil) {
    self.request = request
    self.response = response
    self.provider = provider
  }
}
