public import FoundationEssentials

/// The failures of a source since it last gave an answer, as all processes of the user see them.
public struct SourceRecord: Hashable, Sendable {
  /// How many there were in a row.
  public let failures: Int

  /// When the last one was, by our clock.
  public let lastFailure: Date

  /// What the last one was.
  public let reason: String

  /// Creates a record.
  public init(failures: Int, lastFailure: Date, reason: String) {
    self.failures = failures
    self.lastFailure = lastFailure
    self.reason = reason
  }
}
