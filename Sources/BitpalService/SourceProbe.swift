package import BitpalModel
import BitpalNetwork
import BitpalProviders
package import BitpalRateLimit
import FoundationEssentials

/// Knocks at a source's door: whether it can be reached, and what time it has.
///
/// One request without a key, within the source's budget; whatever it answers will do.
package struct SourceProbe: Sendable {
  /// What a source that can be reached has said.
  package struct Answer: Sendable {
    /// How far our clock is ahead of the source's, give or take a second; nil when it does not tell the time.
    package let clockAhead: Duration?
  }

  private let transports: TransportFactory
  private let time: any TimeSource

  /// The longest a source is waited for.
  private static let timeout: Duration = .seconds(5)

  /// - Parameter budgets: Where the budgets of all processes are kept.
  package init(budgets: BudgetFile, time: any TimeSource = SystemTime(), trace: Trace = .silent) {
    transports = TransportFactory(budgets: budgets, time: time, trace: trace)
    self.time = time
  }

  /// Where a provider's requests go; nil for a recording.
  package static func url(of specification: ProviderSpecification) -> String? {
    switch specification.kind {
    case .recorded: nil
    case .http: specification.baseURL
    case .coingecko: (specification.baseURL ?? CoinGeckoDialect.defaultBaseURL(specification.tier ?? .public)) + "/ping"
    }
  }

  /// Asks a source.
  ///
  /// - Throws: `BitpalError` when it cannot be reached, `CancellationError`.
  package func ask(_ specification: ProviderSpecification, at url: String) async throws -> Answer {
    let deadline = min(Deadline.current ?? .seconds(Int64.max), time.monotonic + Self.timeout)
    let response = try await transports.transport(for: specification, key: nil)
      .send(HTTPRequest(url: url, deadline: deadline))
    let now = time.now
    return Answer(clockAhead: response.date(now: now).map { now.since($0) })
  }
}
