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
      if let secret = exchange.request.secret?.key { state.secrets.insert(secret) }
    }
  }
}
