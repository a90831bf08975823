package import BitpalModel
import BitpalNetwork
package import BitpalRateLimit
import FoundationEssentials

/// Asks a source once, whether it can be reached and what time it has.
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

  /// Asks a source.
  ///
  /// - Throws: `BitpalError` when it cannot be reached, `CancellationError`.
  package func ask(_ specification: ProviderSpecification, at url: String) async throws -> Answer {
    let transport = transports.transport(for: specification, key: nil)
    let response = try await Deadline.within(Self.timeout, on: time) { try await transport.send(HTTPRequest(url: url)) }
    let now = time.now
    return Answer(clockAhead: response.date(now: now).map { now.since($0) })
  }
}
