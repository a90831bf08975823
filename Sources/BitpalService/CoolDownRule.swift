import BitpalCache
import BitpalModel
import FoundationEssentials

/// Decides, without a clock of its own, whether a source that keeps failing is left alone for a while.
struct CoolDownRule: Hashable, Sendable {
  /// So many failures in a row put a source aside.
  var failures = 5

  /// For so long it is then not asked; after that each further failure puts it aside again at once.
  var pause: Duration = .seconds(300)

  /// A failure so long ago says nothing of now.
  var memory: Duration = .seconds(3600)

  /// The record after one more failure.
  func record(_ record: SourceRecord?, failingAt now: Date, reason: String) -> SourceRecord {
    let since = record.map { now.since($0.lastFailure) }
    let counts = since.map { $0 <= memory && $0 >= .zero - FreshnessRule.clockTolerance } ?? false
    return SourceRecord(failures: counts ? (record?.failures ?? 0) + 1 : 1, lastFailure: now, reason: reason)
  }

  /// How much longer the source is left alone; nil when it may be asked.
  func pauseLeft(_ record: SourceRecord?, now: Date) -> Duration? {
    guard let record, record.failures >= failures else { return nil }
    // A failure in the future means that the clock was set back.
    let since = now.since(record.lastFailure)
    return since >= .zero && since < pause ? pause - since : nil
  }
}
