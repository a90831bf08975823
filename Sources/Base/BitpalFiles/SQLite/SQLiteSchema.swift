import BitpalModel

/// The tables of a kind of database file, and the numbers by which a file of that kind is known.
package struct SQLiteSchema: Sendable {
  /// The reason why a file cannot be used.
  package enum Failure: Error, Hashable, Sendable {
    /// The file has another program's application number, or content without a number.
    case foreign(applicationID: Int64)

    /// A newer version wrote the file; its format and the one that this version knows.
    case newer(found: Int64, known: Int64)

    /// An older version wrote the file; its format and the one that this version knows.
    case older(found: Int64, known: Int64)
  }

  /// The value of `PRAGMA application_id` that identifies bitpal's files of this kind.
  package let applicationID: Int32

  /// The number of the format, the value of `PRAGMA user_version`; at least 1.
  package let version: Int32
  private let statements: String

  /// Creates a schema.
  ///
  /// - Parameters:
  ///   - applicationID: The value of `PRAGMA application_id` that identifies the files.
  ///   - version: The number of the format, which changes with the statements.
  ///   - statements: The SQL that makes the tables and indexes.
  package init(applicationID: Int32, version: Int32, statements: String) {
    self.applicationID = applicationID
    self.version = version
    self.statements = statements
  }

  /// Makes the tables in an empty file, in one transaction; a file that has them is left as it is.
  ///
  /// - Parameters:
  ///   - connection: The file.
  ///   - finish: Runs in the same transaction after the statements; not where the tables exist.
  /// - Throws: ``Failure`` for another program's file or another format; `SQLiteError` with the code `corrupt` for a
  ///   file with our number and other tables. In both cases the file is unchanged. Otherwise `SQLiteError`.
  package func make(
    in connection: SQLiteConnection, finish: (SQLiteConnection) throws -> Void = { _ in }
  ) throws {
    if try exists(in: connection) { return }
    try connection.transaction(.immediate) {
      // Another process may have made the tables before this one had the lock.
      if try judge(connection) { return }
      try connection.execute(statements)
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
      try finish(connection)
    }
  }

  /// Checks that a file has our application number and format, without changing it.
  ///
  /// - Throws: As ``make(in:finish:)``, and ``Failure/foreign(applicationID:)`` for an empty file.
  package func check(_ connection: SQLiteConnection) throws {
    guard try exists(in: connection) else { throw Failure.foreign(applicationID: 0) }
  }

  /// Returns whether a file has the tables, without changing it; false for an empty file.
  ///
  /// - Throws: As ``make(in:finish:)``.
  package func exists(in connection: SQLiteConnection) throws -> Bool {
    // All values are read in one transaction: another process may fill an empty file between two reads, and the file
    // would then look like another program's.
    try connection.transaction(.deferred) { try judge(connection) }
  }

  /// Returns the result of ``exists(in:)`` within a transaction.
  private func judge(_ connection: SQLiteConnection) throws -> Bool {
    let found = try connection.integer("PRAGMA user_version") ?? 0
    let id = try connection.integer("PRAGMA application_id") ?? 0
    if id != applicationID {
      let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
      guard id == 0, found == 0, isEmpty else { throw Failure.foreign(applicationID: id) }
      return false
    }
    guard found <= version else { throw Failure.newer(found: found, known: Int64(version)) }
    guard found == version else { throw Failure.older(found: found, known: Int64(version)) }
    try checkStatements(connection)
    return true
  }

  /// Checks that every table and index is made as one of our statements makes it, and that there is nothing else.
  ///
  /// A file can have our application number and an endless view in place of a table. SQLite stores each statement as
  /// written, so ours occur verbatim in the schema; an index without a statement belongs to a constraint.
  private func checkStatements(_ connection: SQLiteConnection) throws {
    let foreign = try connection.prepare(
      """
      SELECT type, name FROM sqlite_schema
      WHERE type NOT IN ('table', 'index') OR instr(?1, sql) = 0 OR sql IS NULL AND type <> 'index' LIMIT 1
      """)
    // SQLite itself creates this table for AUTOINCREMENT.
    try foreign.bind(1, statements + "\nCREATE TABLE sqlite_sequence(name,seq)")
    guard try foreign.step() else { return }
    let thing = "the \(foreign.text(0) ?? "") \(foreign.text(1) ?? "")".printable(limit: 80)
    throw SQLiteError(code: .corrupt, message: "\(thing) is not one that bitpal makes")
  }

  /// Checks that a file has every table and index.
  ///
  /// - Throws: As ``check(_:)``, and `SQLiteError` with the code `corrupt` that names the first missing one.
  package func checkCompleteness(of connection: SQLiteConnection) throws {
    try check(connection)
    let model = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    try model.execute(statements)
    let found = Set(try Self.names(of: connection))
    guard let missing = try Self.names(of: model).first(where: { !found.contains($0) }) else { return }
    throw SQLiteError(code: .corrupt, message: "the \(missing) is missing")
  }

  /// Returns the types and names of the tables and indexes, whose statements have been checked.
  private static func names(of connection: SQLiteConnection) throws -> [String] {
    let rows = try connection.prepare("SELECT type || ' ' || name FROM sqlite_schema WHERE sql IS NOT NULL")
    var names: [String] = []
    while try rows.step() { names.append(rows.text(0) ?? "") }
    return names
  }
}
