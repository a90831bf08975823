import BitpalFiles
import BitpalModel
package import FoundationEssentials

/// The log of the changes to one portfolio that can be undone, used within a transaction of the file.
///
/// Changes are undone in reverse order, so that each one finds the state that it left.
struct ChangeLog {
  /// The most changes that are kept per portfolio; older ones are deleted.
  private static let mostChanges = 100

  private static let columns =
    "sequence, portfolio, id, coin, type, amount, price, fee, date, notes, label, joined, total, checksum"

  private let connection: SQLiteConnection
  private let portfolio: PortfolioName

  init(_ connection: SQLiteConnection, _ portfolio: PortfolioName) {
    self.connection = connection
    self.portfolio = portfolio
  }

  // MARK: Recording

  /// Records that rows were added; `places` are their sequence numbers.
  ///
  /// - Throws: `SQLiteError`.
  func noteAddition(of places: ClosedRange<Int64>, at now: Date) throws {
    try note(.add, now, places: places)
  }

  /// Records the content of rows before they are replaced or removed together.
  ///
  /// - Throws: `SQLiteError`.
  func note(_ kind: UndoneChange.Kind, of ids: [UUID], at now: Date) throws {
    let number = try note(kind, now)
    for id in ids { try copy("portfolio = ?2 AND id = ?3", number, id.uuidString.lowercased()) }
  }

  /// Records a whole portfolio before it is deleted.
  ///
  /// - Throws: `SQLiteError`.
  func noteDeletion(of info: PortfolioInfo, at now: Date) throws {
    let number = try note(.delete, now, currency: info.currency, method: info.method)
    try copy("portfolio = ?2", number)
  }

  @discardableResult
  private func note(
    _ kind: UndoneChange.Kind, _ now: Date, places: ClosedRange<Int64>? = nil, currency: String? = nil,
    method: GainMethod? = nil
  ) throws -> Int64 {
    let statement = try connection.cached(
      "INSERT INTO change (portfolio, kind, date, first, last, currency, method) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    try statement.bind(1, portfolio.text)
    try statement.bind(2, kind.rawValue)
    try statement.bind(3, now.milliseconds)
    if let places {
      try statement.bind(4, places.lowerBound)
      try statement.bind(5, places.upperBound)
    }
    try statement.bind(6, currency)
    try statement.bind(7, method?.rawValue)
    try statement.run()
    let forgetting = try connection.cached(
      """
      DELETE FROM change WHERE portfolio = ?1 AND number <=
        (SELECT number FROM change WHERE portfolio = ?1 ORDER BY number DESC LIMIT 1 OFFSET \(Self.mostChanges))
      """)
    try forgetting.bind(1, portfolio.text)
    try forgetting.run()
    return try connection.integer("SELECT max(number) FROM change") ?? 0
  }

  private func copy(_ condition: String, _ number: Int64, _ id: String? = nil) throws {
    let statement = try connection.cached(
      "INSERT INTO former (change, \(Self.columns)) SELECT ?1, \(Self.columns) FROM trade NOT INDEXED WHERE \(condition)"
    )
    try statement.bind(1, number)
    try statement.bind(2, portfolio.text)
    if let id { try statement.bind(3, id) }
    try statement.run()
  }

  /// Returns the ids of the transactions whose removal is in the log.
  ///
  /// - Throws: `SQLiteError`.
  func removedIDs() throws -> Set<UUID> {
    let statement = try connection.cached(
      "SELECT id FROM former NOT INDEXED WHERE portfolio = ?1 AND change IN (SELECT number FROM change WHERE kind = ?2)"
    )
    defer { statement.reset() }
    try statement.bind(1, portfolio.text)
    try statement.bind(2, UndoneChange.Kind.remove.rawValue)
    var ids: Set<UUID> = []
    while try statement.step() { if let id = statement.text(0).flatMap(UUID.init(uuidString:)) { ids.insert(id) } }
    return ids
  }

  // MARK: Undoing

  /// A change that can be undone.
  struct Entry {
    fileprivate let number: Int64
    fileprivate let currency: String?
    fileprivate let method: GainMethod?

    /// The sequence numbers of the rows that it added; nil for a change of another kind.
    fileprivate let places: ClosedRange<Int64>?

    /// The result of undoing it.
    let undone: UndoneChange
  }

  /// Returns the last change.
  ///
  /// - Throws: ``PortfolioError/nothingToUndo(portfolio:)`` when no change is left,
  ///   ``DamagedTransaction`` for a damaged row, `SQLiteError` for other failures.
  func last() throws -> Entry {
    let statement = try connection.cached(
      """
      SELECT number, kind, date, coalesce(first, 0), coalesce(last, -1), currency, method FROM change
      WHERE portfolio = ?1 ORDER BY number DESC LIMIT 1
      """)
    defer { statement.reset() }
    try statement.bind(1, portfolio.text)
    guard try statement.step() else { throw PortfolioError.nothingToUndo(portfolio: portfolio.text) }
    let (number, first, last) = (statement.integer(0), statement.integer(3), statement.integer(4))
    guard let kind = statement.text(1).flatMap(UndoneChange.Kind.init(rawValue:)) else {
      throw SQLiteError(code: .corrupt, message: "change \(number) is not one")
    }
    let rows = TransactionRows(connection, portfolio)
    return Entry(
      number: number, currency: statement.text(5), method: statement.text(6).flatMap(GainMethod.init(rawValue:)),
      places: first <= last ? first...last : nil,
      undone: UndoneChange(
        kind: kind, date: Date(milliseconds: statement.integer(2)),
        added: try rows.transactions(from: "trade NOT INDEXED WHERE sequence >= \(first) AND sequence <= ?2", last),
        former: try rows.transactions(from: "former NOT INDEXED WHERE change = ?2", number)))
  }

  /// Undoes a change, which must be the last one, and removes it from the log.
  ///
  /// - Throws: `SQLiteError`.
  func takeBack(_ change: Entry) throws {
    if let places = change.places {
      let removal = try connection.cached(
        "DELETE FROM trade NOT INDEXED WHERE portfolio = ?1 AND sequence BETWEEN ?2 AND ?3")
      try removal.bind(1, portfolio.text)
      try removal.bind(2, places.lowerBound)
      try removal.bind(3, places.upperBound)
      try removal.run()
    }
    if let currency = change.currency {
      try PortfolioRows(connection).put(portfolio, currency: currency, method: change.method)
    }
    let restoring = try connection.cached(
      "INSERT OR REPLACE INTO trade (\(Self.columns)) SELECT \(Self.columns) FROM former NOT INDEXED WHERE change = ?1")
    try restoring.bind(1, change.number)
    try restoring.run()
    let forgetting = try connection.cached("DELETE FROM change WHERE number = ?1")
    try forgetting.bind(1, change.number)
    try forgetting.run()
  }
}

/// A change that was undone.
package struct UndoneChange: Hashable, Sendable {
  /// The kinds of changes.
  package enum Kind: String, Sendable {
    /// Transactions were recorded or imported.
    case add

    /// A transaction was replaced.
    case replace

    /// A transaction was removed.
    case remove

    /// The portfolio was deleted.
    case delete
  }

  /// The kind of the change.
  package let kind: Kind

  /// The time of the change.
  package let date: Date

  /// The transactions that it had added, which are removed now.
  package let added: [Transaction]

  /// The transactions that it had replaced or removed, which are restored now.
  package let former: [Transaction]
}
