package import BitpalModel
import BitpalNetwork
package import BitpalProviders
package import BitpalRateLimit
import FoundationEssentials

/// A probe that asks a source once whether it can be reached.
///
/// It sends one request without a key, within the source's budget; any HTTP answer counts.
package struct SourceProbe: Sendable {
  private let transports: TransportFactory
  private let time: any TimeSource

  /// The time limit of the request.
  private static let timeout: Duration = .seconds(5)

  /// Creates a probe.
  ///
  /// - Parameter budgets: The file with the budgets of all processes.
  package init(budgets: BudgetFile, time: any TimeSource = SystemTime(), trace: Trace = .silent) {
    transports = TransportFactory(budgets: budgets, time: time, trace: trace)
    self.time = time
  }

  /// Asks a source.
  ///
  /// - Throws: `BitpalError` when it cannot be reached within 5 s, `CancellationError`.
  package func ask(_ specification: ProviderSpecification, at url: String) async throws {
    let transport = transports.transport(for: specification, key: nil)
    _ = try await Deadline.within(Self.timeout, on: time) { try await transport.send(HTTPRequest(url: url)) }
  }
}
