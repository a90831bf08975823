import BitpalModel
import BitpalSQLite
import FoundationEssentials

extension PriceCache {
  /// The failures of a source; nil when its last answer was good, or nothing is known.
  public func record(ofSource provider: String) -> SourceRecord? {
    guard let disk else { return sourceRecords.withLock { $0[provider] } }
    return disk.read { try Self.record(provider, $0) }
  }

  /// Replaces the record of a source by what `change` makes of it; nil stands for none.
  ///
  /// No other process can come between reading and writing.
  public func changeRecord(ofSource provider: String, _ change: (SourceRecord?) -> SourceRecord?) {
    guard let disk else {
      return sourceRecords.withLock { $0[provider] = change($0[provider]) }
    }
    disk.write { connection in
      guard let record = change(try Self.record(provider, connection)) else {
        let delete = try connection.cached("DELETE FROM source_failure WHERE provider = ?1")
        try delete.bind(1, provider)
        return try delete.run()
      }
      let insert = try connection.cached("INSERT OR REPLACE INTO source_failure VALUES (?1,?2,?3,?4)")
      try insert.bind(1, provider)
      try insert.bind(2, Int64(record.failures))
      try insert.bind(3, record.lastFailure.milliseconds)
      try insert.bind(4, record.reason)
      try insert.run()
    }
  }

  private static func record(_ provider: String, _ connection: SQLiteConnection) throws -> SourceRecord? {
    let row = try connection.cached("SELECT failures, last_at, reason FROM source_failure WHERE provider = ?1")
    defer { row.reset() }
    try row.bind(1, provider)
    guard try row.step() else { return nil }
    return SourceRecord(
      failures: Int(clamping: row.integer(0)), lastFailure: Date(milliseconds: row.integer(1)),
      reason: row.text(2) ?? "")
  }
}
