import BitpalModel

/// The migrations that bring a database file to the schema of this version.
package struct SQLiteMigrations: Sendable {
  /// The reason why a file cannot be used.
  package enum Failure: Error, Hashable, Sendable {
    /// The file has another program's application number, or content without a number.
    case foreign(applicationID: Int64)

    /// A newer version wrote the file; its schema version and the one that this version knows.
    case newer(found: Int64, known: Int64)

    /// A version from before the first step wrote the file; its schema version and that of the first step.
    case older(found: Int64, first: Int64)
  }

  /// The value of `PRAGMA application_id` that identifies bitpal's files of this kind.
  package let applicationID: Int32
  private let firstVersion: Int
  private let steps: [String]

  /// The version of this program's files.
  private var lastVersion: Int { firstVersion - 1 + steps.count }

  /// Creates migrations.
  ///
  /// - Parameters:
  ///   - applicationID: The value of `PRAGMA application_id` that identifies the files.
  ///   - firstVersion: The version that the first step makes from an empty file; older files are refused.
  ///   - steps: The SQL from each version to the next; never changed once shipped.
  package init(applicationID: Int32, firstVersion: Int = 1, steps: [String]) {
    self.applicationID = applicationID
    self.firstVersion = firstVersion
    self.steps = steps
  }

  /// Returns the number of steps that lead from an empty file to a version.
  private func stepCount(to version: Int) -> Int { max(0, version - firstVersion + 1) }

  /// Runs the steps that are missing, in one transaction.
  ///
  /// - Parameters:
  ///   - connection: The file.
  ///   - finish: Runs in the same transaction after the steps; not where none is missing.
  /// - Throws: ``Failure`` for another program's file, a newer or a too old one; `SQLiteError` with the code `corrupt` for a
  ///   file with our number and other tables. In both cases the file is unchanged. Otherwise `SQLiteError`.
  package func apply(
    to connection: SQLiteConnection, finish: (SQLiteConnection) throws -> Void = { _ in }
  ) throws {
    if try isCurrent(connection) { return }
    try connection.transaction(.immediate) {
      // Another process may have migrated the file before this one had the lock.
      if try judge(connection) { return }
      let version = try connection.integer("PRAGMA user_version") ?? 0
      for step in steps.dropFirst(stepCount(to: Int(clamping: version))) { try connection.execute(step) }
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(lastVersion)")
      try finish(connection)
    }
  }

  /// Returns the schema version of a file with our application number, without changing it.
  ///
  /// - Throws: As ``apply(to:)``, and ``Failure/foreign(applicationID:)`` for an empty file.
  package func version(of connection: SQLiteConnection) throws -> Int {
    // Both values are read in one transaction, because another process may migrate the file between two reads.
    try connection.transaction(.deferred) {
      let id = try connection.integer("PRAGMA application_id") ?? 0
      guard id == applicationID else { throw Failure.foreign(applicationID: id) }
      _ = try judge(connection)
      return Int(clamping: try connection.integer("PRAGMA user_version") ?? 0)
    }
  }

  /// Returns whether a file has the schema of this version, without changing it; false for an empty file.
  ///
  /// - Throws: As ``apply(to:)``.
  package func isCurrent(_ connection: SQLiteConnection) throws -> Bool {
    // All values are read in one transaction: another process may migrate an empty file between two reads, and the
    // file would then look like another program's.
    try connection.transaction(.deferred) { try judge(connection) }
  }

  /// Returns the result of ``isCurrent(_:)`` within a transaction.
  private func judge(_ connection: SQLiteConnection) throws -> Bool {
    let version = try connection.integer("PRAGMA user_version") ?? 0
    let id = try connection.integer("PRAGMA application_id") ?? 0
    if id != applicationID {
      let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
      guard id == 0, version == 0, isEmpty else { throw Failure.foreign(applicationID: id) }
    }
    guard version <= lastVersion else { throw Failure.newer(found: version, known: Int64(lastVersion)) }
    guard version == 0 || version >= firstVersion else {
      throw Failure.older(found: version, first: Int64(firstVersion))
    }
    try checkSchema(connection)
    return version == lastVersion
  }

  /// Checks that every table and index is made as one of the steps makes it, and that there is nothing else.
  ///
  /// A file can have our application number and an endless view in place of a table. SQLite stores each statement as
  /// written, so ours occur verbatim in the steps; an index without a statement belongs to a constraint.
  private func checkSchema(_ connection: SQLiteConnection) throws {
    let foreign = try connection.prepare(
      """
      SELECT type, name FROM sqlite_schema
      WHERE type NOT IN ('table', 'index') OR instr(?1, sql) = 0 OR sql IS NULL AND type <> 'index' LIMIT 1
      """)
    // SQLite itself creates this table for AUTOINCREMENT.
    try foreign.bind(1, (steps + ["CREATE TABLE sqlite_sequence(name,seq)"]).joined(separator: "\n"))
    guard try foreign.step() else { return }
    let thing = "the \(foreign.text(0) ?? "") \(foreign.text(1) ?? "")".printable(limit: 80)
    throw SQLiteError(code: .corrupt, message: "\(thing) is not one that bitpal makes")
  }

  /// Checks that a file has every table and index of its version.
  ///
  /// - Throws: As ``version(of:)``, and `SQLiteError` with the code `corrupt` that names the first missing one.
  package func checkCompleteness(of connection: SQLiteConnection) throws {
    let model = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    for step in steps.prefix(stepCount(to: try version(of: connection))) { try model.execute(step) }
    let found = try Self.statements(of: connection)
    guard let missing = try Self.statements(of: model).first(where: { !found.contains($0) }) else { return }
    throw SQLiteError(code: .corrupt, message: "\(missing.name) is missing")
  }

  private struct Statement: Hashable {
    let name: String
    let sql: String
  }

  private static func statements(of connection: SQLiteConnection) throws -> [Statement] {
    let rows = try connection.prepare("SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    var statements: [Statement] = []
    while try rows.step() { statements.append(Statement(name: "the \(rows.text(0) ?? "")", sql: rows.text(1) ?? "")) }
    return statements
  }
}
