/// What came of one rule.
public struct ConformanceResult: Hashable, Sendable {
  /// How it ended.
  public enum Outcome: Hashable, Sendable {
    /// The provider does it.
    case passed

    /// It does not: what was seen instead.
    case failed(String)

    /// It could not be tried: why.
    case skipped(String)
  }

  /// The rule.
  public let rule: ConformanceRule

  /// How it ended.
  public let outcome: Outcome
}
