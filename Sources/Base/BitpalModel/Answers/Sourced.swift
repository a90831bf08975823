public import FoundationEssentials

/// A value with its question, its source and its age.
///
/// Every answer has this type, from a provider's reply through the tiers of the cache to the view that shows it. The
/// properties of its value are its own, too: `quote.price` is `quote.value.price`.
@dynamicMemberLookup
public struct Sourced<Value: Sendable>: Sendable {
  /// The answer.
  public let value: Value

  /// The question that it answers.
  public let about: AnswerKey

  /// The id of the provider that gave it.
  public let source: String

  /// The time at which it was fetched from the source, by our clock.
  public let fetchedAt: Date

  /// The answer's age relative to its time to live.
  public let freshness: Freshness

  /// The values that were dropped or looked wrong when the answer was read; the tiers of the cache do not keep them.
  public let warnings: [AnswerWarning]

  /// The conversion into the answer's currency; nil for an answer in the source's own currency.
  public let conversion: Conversion?

  /// The prices of the sources that agree on this one; nil for the answer of a single source.
  public package(set) var agreement: Agreement?

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

  /// Returns a property of the value.
  public subscript<Member>(dynamicMember property: KeyPath<Value, Member>) -> Member { value[keyPath: property] }

  /// Returns the same answer with a value made from this one.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Sourced<Other> {
    Sourced<Other>(
      try transform(value), about: about, source: source, fetchedAt: fetchedAt, freshness: freshness,
      warnings: warnings, conversion: conversion
    ).counted(by: agreement)
  }

  /// Returns the same answer with further warnings.
  package func adding(_ more: [AnswerWarning]) -> Sourced {
    Sourced(
      value, about: about, source: source, fetchedAt: fetchedAt, freshness: freshness, warnings: warnings + more,
      conversion: conversion
    ).counted(by: agreement)
  }

  /// Returns the same answer with another freshness.
  package func marked(_ freshness: Freshness) -> Sourced {
    Sourced(
      value, about: about, source: source, fetchedAt: fetchedAt, freshness: freshness, warnings: warnings,
      conversion: conversion
    ).counted(by: agreement)
  }

  /// Returns the same answer with the prices of the sources that were asked beside its own.
  package func counted(by agreement: Agreement?) -> Sourced {
    var counted = self
    counted.agreement = agreement
    return counted
  }
}

extension Sourced: Equatable where Value: Equatable {}
extension Sourced: Hashable where Value: Hashable {}

extension Sourced<Answer> {
  /// The time by which a clock, ours or a source's, may be ahead of another one and still count as right.
  package static var clockTolerance: Duration { .seconds(300) }

  /// Returns whether the price is older than another one of the same source, by the source's own times.
  ///
  /// Some servers of a source lag behind others, so that its next answer may be the older one. A time that lies ahead of
  /// our clock, or more than a day back, proves nothing: it would keep a price in place that the source has withdrawn.
  package func isOlder(than known: Sourced<Answer>) -> Bool {
    guard source == known.source, let time = value.sourceTime, let last = known.value.sourceTime, time < last else {
      return false
    }
    let age = fetchedAt.since(last)
    return age >= .zero - Self.clockTolerance && age <= .seconds(86_400)
  }
}

/// The age of an answer relative to its time to live and to its source's own time.
public enum Freshness: Hashable, Sendable {
  /// The answer is within its time to live, and its source's own time is recent.
  case fresh

  /// The answer is past its time to live: its age, and the reason why no newer one was served.
  case stale(age: Duration, because: StaleCause)

  /// The answer is the newest of its source, whose own time is this old.
  case outdated(age: Duration)

  /// True for all but ``fresh``.
  public var isStale: Bool { self != .fresh }

  /// Whether the answer is served past its time to live, for any reason.
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
  /// The option `--offline` forbids requests.
  case offline

  /// The source failed or could not be asked; the reason as a sentence.
  case sourceFailed(String)

  /// The answer is served while a newer one is fetched (stale-while-revalidate, RFC 5861).
  case renewing

  /// The cause as a sentence.
  public var message: String {
    switch self {
    case .offline: "--offline"
    case .sourceFailed(let message): message
    case .renewing: "a newer one is being fetched"
    }
  }
}
