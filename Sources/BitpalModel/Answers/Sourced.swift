public import FoundationEssentials

/// A value with where it comes from and how old it is.
///
/// No answer travels without.
public struct Sourced<Value: Sendable>: Sendable {
  /// The answer.
  public let value: Value

  /// The id of the provider that gave it.
  public let source: String

  /// When it was fetched from the source, by our clock.
  public let fetchedAt: Date

  /// Whether it is within its time to live.
  public let freshness: Freshness

  /// What was dropped or looked wrong when it was read.
  public let warnings: [AnswerWarning]

  /// Creates an answer.
  public init(
    _ value: Value, source: String, fetchedAt: Date, freshness: Freshness = .fresh, warnings: [AnswerWarning] = []
  ) {
    self.value = value
    self.source = source
    self.fetchedAt = fetchedAt
    self.freshness = freshness
    self.warnings = warnings
  }

  /// The same answer about a value made from this one.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Sourced<Other> {
    Sourced<Other>(
      try transform(value), source: source, fetchedAt: fetchedAt, freshness: freshness, warnings: warnings)
  }
}

extension Sourced: Equatable where Value: Equatable {}
