import BitpalModel
import BitpalSQLite
public import FoundationEssentials

/// All portfolios of a user's data file: which there are, what they are called.
public struct PortfolioCatalog: Sendable {
  private let file: UserDataFile

  /// - Parameter file: The file that holds them.
  public init(file: UserDataFile) {
    self.file = file
  }

  /// All of them, by name; also those whose last transaction was removed.
  public func portfolios() throws -> [PortfolioInfo] {
    try file.read { try PortfolioRows($0).all() } ?? []
  }

  /// Gives a portfolio another name.
  ///
  /// - Throws: ``PortfolioError/portfolioNotFound(_:known:)``, ``PortfolioError/portfolioExists(_:)``.
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
  /// - Returns: The portfolio that was there.
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

  /// A change of what is there; where there is no file, none is made for it.
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

/// A portfolio as a list shows it.
public struct PortfolioInfo: Hashable, Sendable {
  /// The portfolio's name.
  public let name: PortfolioName

  /// The currency of its money, lower case.
  public let currency: String

  /// The method by which its gains are calculated.
  public let method: GainMethod

  /// The number of its transactions.
  public let transactions: Int

  /// The date of the earliest; nil when it has none.
  public let first: Date?

  /// The date of the latest; nil when it has none.
  public let last: Date?

  /// The currency that its money is bound to; nil while it has no transactions, for then it may have another.
  public var ownCurrency: String? { transactions == 0 ? nil : currency }
}

/// The table of portfolios, within a transaction of the file.
struct PortfolioRows {
  let connection: SQLiteConnection

  private static let columns = """
    SELECT name, currency, method, (SELECT count(*) FROM trade WHERE portfolio = name),
      (SELECT min(date) FROM trade WHERE portfolio = name), (SELECT max(date) FROM trade WHERE portfolio = name)
    FROM portfolio
    """

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  func all() throws -> [PortfolioInfo] {
    let statement = try connection.cached("\(Self.columns) ORDER BY name")
    defer { statement.reset() }
    var infos: [PortfolioInfo] = []
    while try statement.step() { infos.append(try Self.info(statement)) }
    return infos
  }

  func info(of name: PortfolioName) throws -> PortfolioInfo? {
    let statement = try connection.cached("\(Self.columns) WHERE name = ?1")
    defer { statement.reset() }
    try statement.bind(1, name.text)
    return try statement.step() ? try Self.info(statement) : nil
  }

  /// - Throws: ``PortfolioError/portfolioNotFound(_:known:)`` with those there are.
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

  /// Makes a portfolio, or gives one without transactions another currency.
  func put(_ name: PortfolioName, currency: String, method: GainMethod? = nil) throws {
    try run(
      """
      INSERT INTO portfolio (name, currency, method) VALUES (?1, ?2, coalesce(?3, 'average'))
      ON CONFLICT (name) DO UPDATE SET currency = ?2, method = coalesce(?3, method)
      """, name.text, currency, method?.rawValue)
  }

  func rename(_ name: PortfolioName, to other: PortfolioName) throws {
    // What can be taken back of one that had the name before would be taken back into this one.
    try run("DELETE FROM change WHERE portfolio = ?1", other.text)
    try run("UPDATE change SET portfolio = ?2 WHERE portfolio = ?1", name.text, other.text)
    try run("UPDATE former SET portfolio = ?2 WHERE portfolio = ?1", name.text, other.text)
    try run("UPDATE portfolio SET name = ?2 WHERE name = ?1", name.text, other.text)
  }

  func delete(_ name: PortfolioName) throws {
    try run("DELETE FROM trade WHERE portfolio = ?1", name.text)
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
