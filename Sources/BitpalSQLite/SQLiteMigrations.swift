import BitpalModel

/// Brings a database file to the schema of this version.
package struct SQLiteMigrations: Sendable {
  /// The reason why a file cannot be used.
  package enum Failure: Error, Hashable, Sendable {
    /// The file belongs to another program.
    case foreign(applicationID: Int64)

    /// The file was written by a newer version.
    case newer(found: Int64, known: Int64)
  }

  /// The number by which a file of ours is known.
  package let applicationID: Int32
  private let steps: [String]

  /// - Parameters:
  ///   - applicationID: The number by which a file of ours is known.
  ///   - steps: The SQL that leads from each version to the next; the first from an empty file. Never changed once shipped.
  package init(applicationID: Int32, steps: [String]) {
    self.applicationID = applicationID
    self.steps = steps
  }

  /// Runs the steps that are missing, in one transaction.
  ///
  /// - Throws: ``Failure`` for a file that is not ours or newer, `SQLiteError` with the code `corrupt` for one that says
  ///   it is ours and holds something else, both with nothing touched; `SQLiteError` otherwise.
  package func apply(to connection: SQLiteConnection) throws {
    if try isCurrent(connection) { return }
    try connection.transaction(.immediate) {
      // Another process may have been quicker.
      if try judge(connection) { return }
      let version = try connection.integer("PRAGMA user_version") ?? 0
      for step in steps.dropFirst(Int(clamping: version)) { try connection.execute(step) }
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
    }
  }

  /// The version of a file that must be one of ours; only reads it.
  ///
  /// - Throws: As ``apply(to:)``, and ``Failure/foreign(applicationID:)`` for an empty file.
  package func version(of connection: SQLiteConnection) throws -> Int {
    // One look, not two: between them another process may bring the file up to date.
    try connection.transaction(.deferred) {
      let id = try connection.integer("PRAGMA application_id") ?? 0
      guard id == applicationID else { throw Failure.foreign(applicationID: id) }
      _ = try judge(connection)
      return Int(clamping: try connection.integer("PRAGMA user_version") ?? 0)
    }
  }

  /// Whether a file has nothing to be brought up to date, as an empty one has; only reads it.
  ///
  /// - Throws: As ``apply(to:)``.
  package func isCurrent(_ connection: SQLiteConnection) throws -> Bool {
    // One look, not three: between two another process may bring an empty file up to date, which then looks like
    // another program's.
    try connection.transaction(.deferred) { try judge(connection) }
  }

  /// The same within a transaction.
  private func judge(_ connection: SQLiteConnection) throws -> Bool {
    let version = try connection.integer("PRAGMA user_version") ?? 0
    let id = try connection.integer("PRAGMA application_id") ?? 0
    if id != applicationID {
      let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
      guard id == 0, version == 0, isEmpty else { throw Failure.foreign(applicationID: id) }
    }
    guard version <= steps.count else { throw Failure.newer(found: version, known: Int64(steps.count)) }
    try checkSchema(connection)
    return version == steps.count
  }

  /// Checks that every table and index is made as one of the steps makes it, and that there is nothing else.
  ///
  /// A file can say that it is ours and have a view without end in the place of a table. SQLite keeps each statement as
  /// it was written, so one of ours stands in the steps word for word; an index without a statement is a constraint's.
  private func checkSchema(_ connection: SQLiteConnection) throws {
    let foreign = try connection.prepare(
      """
      SELECT type, name FROM sqlite_schema
      WHERE type NOT IN ('table', 'index') OR instr(?1, sql) = 0 OR sql IS NULL AND type <> 'index' LIMIT 1
      """)
    // The table with which SQLite counts AUTOINCREMENT is its own.
    try foreign.bind(1, (steps + ["CREATE TABLE sqlite_sequence(name,seq)"]).joined(separator: "\n"))
    guard try foreign.step() else { return }
    let thing = "the \(foreign.text(0) ?? "") \(foreign.text(1) ?? "")".printable(limit: 80)
    throw SQLiteError(code: .corrupt, message: "\(thing) is not one that bitpal makes")
  }

  /// Checks that a file has every table and index of its version, as a foreign one may not.
  ///
  /// - Throws: As ``version(of:)``, and `SQLiteError` with the code `corrupt` that names the missing ones.
  package func checkCompleteness(of connection: SQLiteConnection) throws {
    let model = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    for step in steps.prefix(try version(of: connection)) { try model.execute(step) }
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
