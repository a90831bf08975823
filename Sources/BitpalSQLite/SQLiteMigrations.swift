/// Brings a database file to the schema of this version.
package struct SQLiteMigrations: Sendable {
  /// Why a file cannot be used.
  package enum Failure: Error, Hashable, Sendable {
    /// The file belongs to another program.
    case foreign(applicationID: Int64)

    /// The file was written by a newer version.
    case newer(found: Int64, known: Int64)
  }

  private let applicationID: Int32
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
  /// - Throws: ``Failure`` for a file that is not ours or newer, with nothing touched; `SQLiteError` otherwise.
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

  /// Whether a file has nothing to be brought up to date; an empty one does.
  ///
  /// - Throws: As ``apply(to:)``.
  func isCurrent(_ connection: SQLiteConnection) throws -> Bool {
    // One look, not three: between two another process may bring an empty file up to date, which then looks like
    // somebody else's.
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
    return version == steps.count
  }
}
