import BitpalConfig
import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalRateLimit
import BitpalReplay

#if Fleet
  import BitpalFleet
#endif

/// A factory for the way from a provider to the network, in one visible list: equal requests, retry, then the budget, then
/// the recorder if there is one, then libcurl.
struct TransportFactory: Sendable {
  /// The file with the budgets of all processes; nil for budgets of this process alone.
  let budgets: BudgetFile?

  /// The machines that share the budgets; nil for this machine alone.
  var fleet: Fleet?
  let time: any TimeSource
  let trace: Trace

  /// The recorder of the exchanges; nil for none.
  var recorder: ExchangeRecorder?

  /// The transport that replaces libcurl in tests; nil otherwise.
  var wire: (any Transport)?

  /// Returns the transport for a provider's requests.
  func transport(for specification: ProviderSpecification, key: Secret?) -> any Transport {
    let limiter = limiter(for: specification, key: key)
    let carrier = wire ?? CurlTransport(userAgent: BitpalVersion.userAgent, time: time, trace: trace)
    let wire = recorder?.transport(carrier, provider: specification.id) ?? carrier
    let retrying = RetryingTransport(
      RateLimitedTransport(wire, limiter: limiter), provider: specification.id,
      policy: specification.kind.retryPolicy, limiter: limiter, time: time,
      trace: trace)
    // A recording needs the response to each question.
    return recorder == nil ? SharingTransport(retrying) : retrying
  }

  /// Returns the fingerprint of a key, by which budgets and failures of several keys are separate.
  static func owner(_ key: Secret?) -> String {
    key.map { String(SHA256.hexDigest(of: Array($0.reveal().utf8)).prefix(12)) } ?? "no key"
  }

  /// Returns the limiter of a provider: each pair of a host and a key has its own budget.
  private func limiter(for specification: ProviderSpecification, key: Secret?) -> any RateLimiter {
    guard let budgets else {
      return BudgetLimiter(provider: specification.id, limits: specification.budgets, time: time, trace: trace)
    }
    let name = "\(specification.id) \(specification.baseURL ?? "") \(Self.owner(key))"
    let keyVariable = key == nil ? specification.keyEnvironment : nil
    if let fleet {
      return fleet.limiter(
        provider: specification.id, key: name, limits: specification.budgets, keyVariable: keyVariable, local: budgets,
        time: time, trace: trace)
    }
    return BudgetLimiter(
      provider: specification.id, key: name, limits: specification.budgets, keyVariable: keyVariable, store: budgets,
      time: time, trace: trace)
  }
}
