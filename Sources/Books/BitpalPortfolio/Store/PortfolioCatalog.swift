import BitpalFiles
import BitpalModel
public import FoundationEssentials

/// The portfolios of a user's data file: listed, renamed and deleted.
///
/// All functions throw ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file cannot be used.
public struct PortfolioCatalog: Sendable {
  private let file: UserDataFile

  /// Creates a portfolio catalog.
  ///
  /// - Parameter file: The file that holds them.
  public init(file: UserDataFile) {
    self.file = file
  }

  /// Returns all portfolios by name, including those without transactions; none without a file.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file cannot be used.
  public func portfolios() throws -> [PortfolioInfo] {
    try file.read { try PortfolioRows($0).all() } ?? []
  }

  /// Renames a portfolio; its changes can still be undone under the new name.
  ///
  /// - Throws: ``PortfolioError/portfolioNotFound(_:known:)`` for `name`, ``PortfolioError/portfolioExists(_:)`` for
  ///   `other`.
  public func rename(_ name: PortfolioName, to other: PortfolioName) throws {
    try change(name) { rows in
      guard try rows.info(of: other) == nil else { throw PortfolioError.portfolioExists(other.text) }
      try rows.rename(name, to: other)
    }
  }

  /// Removes a portfolio with all its transactions, which can be undone.
  ///
  /// - Parameters:
  ///   - name: The portfolio's name.
  ///   - now: The time of the change.
  ///   - isDryRun: Whether nothing is removed.
  /// - Returns: The portfolio as it was before.
  /// - Throws: ``PortfolioError/portfolioNotFound(_:known:)``.
  public func delete(_ name: PortfolioName, now: Date, isDryRun: Bool = false) throws -> PortfolioInfo {
    if isDryRun {
      guard let info = try file.read({ try PortfolioRows($0).known(name) }) else {
        throw PortfolioError.portfolioNotFound(name.text, known: [])
      }
      return info
    }
    return try change(name) { rows in
      let info = try rows.known(name)
      try ChangeLog(rows.connection, name).noteDeletion(of: info, at: now)
      try rows.delete(name)
      return info
    }
  }

  /// Sets the method by which the gains of a portfolio are calculated from now on.
  ///
  /// - Throws: ``PortfolioError/portfolioNotFound(_:known:)``.
  public func set(_ method: GainMethod, for name: PortfolioName) throws {
    try change(name) { try $0.set(method, for: name) }
  }

  /// Changes an existing portfolio; a missing file is not created.
  private func change<Result: Sendable>(_ name: PortfolioName, _ body: (PortfolioRows) throws -> Result) throws
    -> Result
  {
    guard file.exists else { throw PortfolioError.portfolioNotFound(name.text, known: []) }
    return try file.write { connection in
      let rows = PortfolioRows(connection)
      _ = try rows.known(name)
      return try body(rows)
    }
  }
}

/// A portfolio's name, currency, method and extent.
public struct PortfolioInfo: Hashable, Sendable {
  /// The portfolio's name.
  public let name: PortfolioName

  /// The currency of its money, lower case.
  public let currency: String

  /// The method for the calculation of its gains.
  public let method: GainMethod

  /// The number of its transactions.
  public let transactions: Int

  /// The date of the earliest transaction; nil when there is none.
  public let first: Date?

  /// The date of the latest transaction; nil when there is none.
  public let last: Date?

  /// The currency that its money must have; nil while it has no transactions, because it may still change.
  public var ownCurrency: String? { transactions == 0 ? nil : currency }
}

/// The table of portfolios, used within a transaction of the file.
struct PortfolioRows {
  let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  func all() throws -> [PortfolioInfo] {
    let statement = try connection.cached("SELECT name FROM portfolio NOT INDEXED ORDER BY name")
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0) ?? "") }
    return try names.compactMap(info)
  }

  func info(of name: PortfolioName) throws -> PortfolioInfo? { try info(of: name.text) }

  private func info(of name: String) throws -> PortfolioInfo? {
    let statement = try connection.cached(
      """
      SELECT name, currency, method, count(sequence), min(date), max(date)
      FROM portfolio NOT INDEXED LEFT JOIN trade NOT INDEXED ON portfolio = name WHERE name = ?1 GROUP BY name
      """)
    defer { statement.reset() }
    try statement.bind(1, name)
    return try statement.step() ? try Self.info(statement) : nil
  }

  func method(of name: PortfolioName) throws -> GainMethod? {
    let statement = try connection.cached("SELECT method FROM portfolio NOT INDEXED WHERE name = ?1")
    defer { statement.reset() }
    try statement.bind(1, name.text)
    return try statement.step() ? statement.text(0).flatMap(GainMethod.init(rawValue:)) : nil
  }

  /// Returns a portfolio that must exist.
  ///
  /// - Throws: ``PortfolioError/portfolioNotFound(_:known:)`` with the names of the existing ones.
  func known(_ name: PortfolioName) throws -> PortfolioInfo {
    if let info = try info(of: name) { return info }
    throw PortfolioError.portfolioNotFound(name.text, known: try all().map(\.name.text))
  }

  private static func info(_ row: SQLiteStatement) throws -> PortfolioInfo {
    guard let name = row.text(0), let portfolio = try? PortfolioName(name), let currency = row.text(1),
      let method = row.text(2).flatMap(GainMethod.init(rawValue:))
    else { throw SQLiteError(code: .corrupt, message: "the portfolio \(row.text(0) ?? "") is not one") }
    func date(_ column: Int) -> Date? { row.type(column) == .null ? nil : Date(milliseconds: row.integer(column)) }
    return PortfolioInfo(
      name: portfolio, currency: currency, method: method, transactions: Int(clamping: row.integer(3)),
      first: date(4), last: date(5))
  }

  /// Creates a portfolio, or changes the currency of an existing one; a method of nil stays as it is.
  ///
  /// - Throws: `SQLiteError`.
  func put(_ name: PortfolioName, currency: String, method: GainMethod? = nil) throws {
    try run(
      """
      INSERT INTO portfolio (name, currency, method) VALUES (?1, ?2, coalesce(?3, 'average'))
      ON CONFLICT (name) DO UPDATE SET currency = ?2, method = coalesce(?3, method)
      """, name.text, currency, method?.rawValue)
  }

  func rename(_ name: PortfolioName, to other: PortfolioName) throws {
    // Changes of a deleted portfolio of that name must not be undone into this one.
    try run("DELETE FROM change WHERE portfolio = ?1", other.text)
    try run("UPDATE change SET portfolio = ?2 WHERE portfolio = ?1", name.text, other.text)
    try run("UPDATE former SET portfolio = ?2 WHERE portfolio = ?1", name.text, other.text)
    try run("UPDATE portfolio SET name = ?2 WHERE name = ?1", name.text, other.text)
  }

  func delete(_ name: PortfolioName) throws {
    try run("DELETE FROM trade NOT INDEXED WHERE portfolio = ?1", name.text)
    try run("DELETE FROM portfolio WHERE name = ?1", name.text)
  }

  func set(_ method: GainMethod, for name: PortfolioName) throws {
    try run("UPDATE portfolio SET method = ?2 WHERE name = ?1", name.text, method.rawValue)
  }

  private func run(_ sql: String, _ values: String?...) throws {
    let statement = try connection.cached(sql)
    for (index, value) in values.enumerated() { try statement.bind(index + 1, value) }
    try statement.run()
  }
}
