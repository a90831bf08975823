public import FoundationEssentials

/// A value with what it is about, where it comes from and how old it is.
///
/// It is the one envelope: providers' answers are put into it when they arrive, the tiers of the cache keep it, and it
/// is what views are given. No answer travels without.
public struct Sourced<Value: Sendable>: Sendable {
  /// The answer.
  public let value: Value

  /// The question that it answers.
  public let about: AnswerKey

  /// The id of the provider that gave it.
  public let source: String

  /// When it was fetched from the source, by our clock.
  public let fetchedAt: Date

  /// Whether it is within its time to live.
  public let freshness: Freshness

  /// What was dropped or looked wrong when it was read; not kept by the tiers of the cache.
  public let warnings: [AnswerWarning]

  /// Creates an answer.
  public init(
    _ value: Value, about: AnswerKey, source: String, fetchedAt: Date, freshness: Freshness = .fresh,
    warnings: [AnswerWarning] = []
  ) {
    self.value = value
    self.about = about
    self.source = source
    self.fetchedAt = fetchedAt
    self.freshness = freshness
    self.warnings = warnings
  }

  /// The same answer about a value made from this one.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Sourced<Other> {
    Sourced<Other>(
      try transform(value), about: about, source: source, fetchedAt: fetchedAt, freshness: freshness,
      warnings: warnings)
  }

  /// The same answer, marked stale.
  package func stale(age: Duration, reason: String) -> Sourced {
    Sourced(
      value, about: about, source: source, fetchedAt: fetchedAt, freshness: .stale(age: age, reason: reason),
      warnings: warnings)
  }
}

extension Sourced: Equatable where Value: Equatable {}
extension Sourced: Hashable where Value: Hashable {}

/// Whether an answer is within its time to live.
public enum Freshness: Hashable, Sendable {
  /// Within its time to live.
  case fresh

  /// Past it, and served all the same: how old it is, and why nothing newer was served.
  case stale(age: Duration, reason: String)

  /// True for ``stale(age:reason:)``.
  public var isStale: Bool { self != .fresh }
}
