public import BitpalConformance
import BitpalProviders
public import Testing

extension ProviderConformance {
  /// Checks every rule in a test, and records an issue with the rule and its reason for each one that is broken.
  public func expect(sourceLocation: SourceLocation = #_sourceLocation) async {
    for result in await check() {
      guard case .failed(let problem) = result.outcome else { continue }
      Issue.record(
        """
        \(provider.descriptor.id) breaks the rule on \(result.rule.rawValue): \(problem)
          rule: \(result.rule.demand)
          reason: \(result.rule.reason)
        """, sourceLocation: sourceLocation)
    }
  }
}
