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

  /// Whether the provider breaks the rule.
  public var isBroken: Bool { if case .failed = outcome { true } else { false } }

  /// Whether the rule could not be tried.
  public var isSkipped: Bool { if case .skipped = outcome { true } else { false } }

  /// What was seen instead, or why the rule could not be tried; nil when the provider keeps it.
  public var detail: String? {
    switch outcome {
    case .passed: nil
    case .failed(let text), .skipped(let text): text
    }
  }
}
