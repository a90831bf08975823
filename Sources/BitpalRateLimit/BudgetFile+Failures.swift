import BitpalModel
import BitpalSQLite
import FoundationEssentials

// What the file keeps beside budgets: the failures of sources, and memos.

extension BudgetFile {
  package func failures(of source: String) -> SourceFailures? {
    let outcome = database.perform { try Self.failures(of: source, $0) }
    switch outcome {
    case .done(let failures): return failures
    case .busy, .without: return fallback.failures(of: source)
    }
  }

  package func changeFailures(of source: String, _ change: (SourceFailures?) -> SourceFailures?) {
    let outcome = database.perform { connection in
      try connection.transaction {
        guard let failures = change(try Self.failures(of: source, connection)) else {
          let delete = try connection.cached("DELETE FROM source_failure WHERE source = ?1")
          try delete.bind(1, source)
          return try delete.run()
        }
        let insert = try connection.cached("INSERT OR REPLACE INTO source_failure VALUES (?1,?2,?3,?4)")
        try insert.bind(1, source)
        try insert.bind(2, Int64(failures.count))
        try insert.bind(3, failures.last.milliseconds)
        try insert.bind(4, failures.reason)
        try insert.run()
      }
    }
    if case .without = outcome { fallback.changeFailures(of: source, change) }
  }

  private static func failures(of source: String, _ connection: SQLiteConnection) throws -> SourceFailures? {
    let row = try connection.cached("SELECT failures, last_at, reason FROM source_failure WHERE source = ?1")
    defer { row.reset() }
    try row.bind(1, source)
    guard try row.step() else { return nil }
    return SourceFailures(
      count: Int(clamping: row.integer(0)), last: Date(milliseconds: row.integer(1)), reason: row.text(2) ?? "")
  }

  // MARK: Memos

  /// What was noted under a name; nil for nothing, and when the file cannot be read.
  package func memo(_ name: String) -> String? {
    let outcome = database.perform { try Self.memo(name, $0) }
    if case .done(let text) = outcome { return text }
    return nil
  }

  private static func memo(_ name: String, _ connection: SQLiteConnection) throws -> String? {
    let row = try connection.cached("SELECT text FROM memo WHERE name = ?1")
    defer { row.reset() }
    try row.bind(1, name)
    return try row.step() ? row.text(0) : nil
  }

  /// Notes something under a name, for all processes of the user; nil forgets it.
  ///
  /// A file that cannot be written keeps nothing.
  package func setMemo(_ name: String, _ text: String?) { changeMemo(name) { _ in text } }

  /// Replaces what was noted under a name by what `change` makes of it, with nobody between; nil stands for nothing.
  ///
  /// `change` may run twice. Where the file cannot be written it does not run at all.
  package func changeMemo(_ name: String, _ change: (String?) -> String?) {
    _ = database.perform { connection in
      try connection.transaction {
        let text = change(try Self.memo(name, connection))
        let sql = text == nil ? "DELETE FROM memo WHERE name = ?1" : "INSERT OR REPLACE INTO memo VALUES (?1, ?2)"
        let row = try connection.cached(sql)
        try row.bind(1, name)
        if let text { try row.bind(2, text) }
        try row.run()
      }
    }
  }
}
