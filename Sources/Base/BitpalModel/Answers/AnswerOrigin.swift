package import FoundationEssentials

/// The provenance of an answer that a provider passes on, as a relay does.
package struct AnswerOrigin: Hashable, Sendable {
  /// The id of the source that gave the answer.
  package let source: String

  /// The instant at which it was fetched from that source, by the clock of the server that passes it on.
  package let fetchedAt: Date

  /// The mark that the server gave the answer; its age is calculated here from the instants.
  package let freshness: Freshness

  /// The server's conversion of the answer; nil for an answer in the source's own currency.
  package let conversion: Conversion?

  /// Creates the provenance of an answer.
  package init(source: String, fetchedAt: Date, freshness: Freshness = .fresh, conversion: Conversion? = nil) {
    self.source = source
    self.fetchedAt = fetchedAt
    self.freshness = freshness
    self.conversion = conversion
  }
}

extension Freshness {
  /// The reason for the mark as a word for programs; nil for a fresh answer.
  package var reason: String? {
    switch self {
    case .fresh: nil
    case .stale(_, .offline): "offline"
    case .stale(_, .sourceFailed): "source_failed"
    case .stale(_, .renewing): "renewing"
    case .outdated: "outdated"
    }
  }

  /// Reads the word of ``reason`` as a mark with an age of zero; nil for any other word.
  package init?(reason: String) {
    switch reason {
    case "offline": self = .stale(age: .zero, because: .offline)
    case "source_failed":
      self = .stale(age: .zero, because: .sourceFailed("the source failed at the server that was asked"))
    case "renewing": self = .stale(age: .zero, because: .renewing)
    case "outdated": self = .outdated(age: .zero)
    default: return nil
    }
  }
}
