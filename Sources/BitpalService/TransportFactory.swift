import BitpalConfig
import BitpalFleet
import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalRateLimit
import BitpalReplay

/// The way to the network for a provider, in one visible list: retry, then the budget, then the recorder if
/// there is one, then libcurl.
struct TransportFactory: Sendable {
  /// Where the budgets of all processes are kept; nil for budgets of this process alone.
  let budgets: BudgetFile?

  /// The machines that keep to the budgets together; nil for this one alone.
  var fleet: Fleet?
  let time: any TimeSource
  let trace: Trace

  /// Keeps what goes over the wire; nil when nobody wants it.
  var recorder: ExchangeRecorder?

  /// Carries requests instead of libcurl; nil except in tests.
  var wire: (any Transport)?

  func transport(for specification: ProviderSpecification, key: Secret?) -> any Transport {
    let limiter = limiter(for: specification, key: key)
    let carrier = wire ?? CurlTransport(userAgent: "bitpal/\(BitpalVersion.current)", time: time, trace: trace)
    let wire = recorder?.transport(carrier, provider: specification.id) ?? carrier
    // A relay refuses one question, not all of them, and has tried again itself.
    return RetryingTransport(
      RateLimitedTransport(wire, limiter: limiter), provider: specification.id,
      policy: specification.isRelay ? .afterConnectionFailures : RetryPolicy(), limiter: limiter, time: time,
      trace: trace)
  }

  /// A budget belongs to a host and a key: two keys have two, another host has its own.
  private func limiter(for specification: ProviderSpecification, key: Secret?) -> any RateLimiter {
    guard let budgets else {
      return BudgetLimiter(provider: specification.id, limits: specification.budgets, time: time, trace: trace)
    }
    let owner = key.map { String(SHA256.hexDigest(of: Array($0.reveal().utf8)).prefix(12)) } ?? "no key"
    let name = "\(specification.id) \(specification.baseURL ?? "") \(owner)"
    let keyVariable = key == nil ? specification.keyEnvironment : nil
    if let fleet {
      return FleetLimiter(
        provider: specification.id, key: name, limits: specification.budgets, keyVariable: keyVariable, fleet: fleet,
        local: budgets, time: time, trace: trace)
    }
    return BudgetLimiter(
      provider: specification.id, key: name, limits: specification.budgets, keyVariable: keyVariable, store: budgets,
      time: time, trace: trace)
  }
}
