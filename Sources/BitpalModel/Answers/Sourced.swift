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

  /// The time at which it was fetched from the source, by our clock.
  public let fetchedAt: Date

  /// Whether it is within its time to live.
  public let freshness: Freshness

  /// The values that were dropped or looked wrong when it was read; the tiers of the cache do not keep them.
  public let warnings: [AnswerWarning]

  /// The conversion into its currency; nil for an answer of the source itself.
  public let conversion: Conversion?

  /// Creates an answer.
  public init(
    _ value: Value, about: AnswerKey, source: String, fetchedAt: Date, freshness: Freshness = .fresh,
    warnings: [AnswerWarning] = [], conversion: Conversion? = nil
  ) {
    self.value = value
    self.about = about
    self.source = source
    self.fetchedAt = fetchedAt
    self.freshness = freshness
    self.warnings = warnings
    self.conversion = conversion
  }

  /// The same answer about a value made from this one.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Sourced<Other> {
    Sourced<Other>(
      try transform(value), about: about, source: source, fetchedAt: fetchedAt, freshness: freshness,
      warnings: warnings, conversion: conversion)
  }

  /// The same answer with more to say about it.
  package func adding(_ more: [AnswerWarning]) -> Sourced {
    Sourced(
      value, about: about, source: source, fetchedAt: fetchedAt, freshness: freshness, warnings: warnings + more,
      conversion: conversion)
  }

  /// The same answer, marked.
  package func marked(_ freshness: Freshness) -> Sourced {
    Sourced(
      value, about: about, source: source, fetchedAt: fetchedAt, freshness: freshness, warnings: warnings,
      conversion: conversion)
  }
}

extension Sourced: Equatable where Value: Equatable {}
extension Sourced: Hashable where Value: Hashable {}

/// Whether an answer is as new as it could be.
public enum Freshness: Hashable, Sendable {
  /// Within its time to live, and its source's own time is recent.
  case fresh

  /// Past its time to live, and served all the same: how old it is, and why nothing newer was served.
  case stale(age: Duration, because: StaleCause)

  /// As new as the source has it, whose own time is so old.
  case outdated(age: Duration)

  /// True for all but ``fresh``.
  public var isStale: Bool { self != .fresh }

  /// Whether it is served past its time to live, for whatever cause.
  package var isServedStale: Bool { if case .stale = self { true } else { false } }

  /// The age of a stale or outdated answer; nil for a fresh one.
  public var age: Duration? {
    switch self {
    case .fresh: nil
    case .stale(let age, _), .outdated(let age): age
    }
  }

  /// `stale, 3h 5m old`, `outdated, 22d old`, or nil for a fresh answer.
  public var text: String? {
    switch self {
    case .fresh: nil
    case .stale(let age, _): "stale, \(age.shortText) old"
    case .outdated(let age): "outdated, \(age.shortText) old"
    }
  }
}

/// The reason why an older answer was served.
public enum StaleCause: Hashable, Sendable {
  /// `--offline` forbids to ask.
  case offline

  /// The source was asked and failed, or could not be asked; what was wrong, in a sentence.
  case sourceFailed(String)

  /// It is served while a newer one is fetched (stale-while-revalidate, RFC 5861).
  case renewing

  /// The sentence.
  public var message: String {
    switch self {
    case .offline: "--offline"
    case .sourceFailed(let message): message
    case .renewing: "a newer one is being fetched"
    }
  }
}
