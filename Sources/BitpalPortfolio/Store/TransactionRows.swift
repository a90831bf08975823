import BitpalModel
import BitpalSQLite
import FoundationEssentials

/// The rows of one portfolio, within a transaction of the file.
struct TransactionRows {
  private static let columns = "sequence, id, coin, type, amount, price, fee, date, notes"

  private let connection: SQLiteConnection
  private let portfolio: PortfolioName

  init(_ connection: SQLiteConnection, _ portfolio: PortfolioName) {
    self.connection = connection
    self.portfolio = portfolio
  }

  /// The names of those that have transactions.
  static func portfolios(_ connection: SQLiteConnection) throws -> [String] {
    let statement = try connection.cached(
      "SELECT name FROM portfolio WHERE EXISTS (SELECT 1 FROM trade WHERE portfolio = name) ORDER BY name")
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0) ?? "") }
    return names
  }

  /// The currency of its money; nil while it has no transactions, so that the first may choose.
  func currency() throws -> String? {
    let statement = try connection.cached(
      "SELECT currency FROM portfolio WHERE name = ?1 AND EXISTS (SELECT 1 FROM trade WHERE portfolio = name)")
    defer { statement.reset() }
    try statement.bind(1, portfolio.text)
    return try statement.step() ? statement.text(0) : nil
  }

  /// Money of two currencies cannot be added up.
  func check(currency asked: String) throws {
    guard let currency = try currency(), currency != asked else { return }
    throw PortfolioError.currencyMismatch(portfolio: portfolio.text, currency: currency, asked: asked)
  }

  /// In the order in which they were recorded.
  func all(of coin: String? = nil) throws -> [Transaction] {
    if let coin { return try recorded(of: [coin]) }
    let statement = try connection.cached(
      "SELECT \(Self.columns) FROM trade WHERE portfolio = ?1 ORDER BY sequence")
    try statement.bind(1, portfolio.text)
    return try transactions(statement).map(\.transaction)
  }

  /// Those of some coins, in the order in which they were recorded.
  func recorded(of coins: Set<String>) throws -> [Transaction] {
    var rows: [(sequence: Int64, transaction: Transaction)] = []
    for coin in coins {
      let statement = try connection.cached(
        "SELECT \(Self.columns) FROM trade WHERE portfolio = ?1 AND coin = ?2 ORDER BY sequence")
      try statement.bind(1, portfolio.text)
      try statement.bind(2, coin)
      rows += try transactions(statement)
    }
    return rows.sorted { $0.sequence < $1.sequence }.map(\.transaction)
  }

  /// Those whose id begins with `prefix`, with or without its dashes in either case.
  func beginning(with prefix: String) throws -> [Transaction] {
    let prefix = prefix.lowercased()
    guard !prefix.isEmpty,
      prefix.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isHexDigit })
    else { return [] }
    let statement = try connection.cached(
      "SELECT \(Self.columns) FROM trade WHERE portfolio = ?1 AND substr(id, 1, length(?2)) = ?2 ORDER BY sequence")
    try statement.bind(1, portfolio.text)
    try statement.bind(2, prefix)
    return try transactions(statement).map(\.transaction)
  }

  /// Whether a transaction has that id.
  func has(_ id: UUID) throws -> Bool {
    let statement = try connection.cached("SELECT 1 FROM trade WHERE portfolio = ?1 AND id = ?2")
    defer { statement.reset() }
    try statement.bind(1, portfolio.text)
    try statement.bind(2, Self.text(id))
    return try statement.step()
  }

  /// Adds transactions, in the order in which they are given.
  func insert(_ transactions: [Transaction], currency: String) throws {
    if transactions.isEmpty { return }
    let naming = try connection.cached(
      "INSERT INTO portfolio (name, currency) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET currency = ?2")
    try naming.bind(1, portfolio.text)
    try naming.bind(2, currency)
    try naming.run()
    for transaction in transactions {
      let statement = try connection.cached(
        """
        INSERT INTO trade (portfolio, id, coin, type, amount, price, fee, date, notes)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """)
      try bind(transaction, to: statement)
      try statement.run()
    }
  }

  /// Gives a transaction another content; its place stays.
  func update(_ transaction: Transaction) throws {
    let statement = try connection.cached(
      """
      UPDATE trade SET coin = ?3, type = ?4, amount = ?5, price = ?6, fee = ?7, date = ?8, notes = ?9
      WHERE portfolio = ?1 AND id = ?2
      """)
    try bind(transaction, to: statement)
    try statement.run()
  }

  /// Removes a transaction; nothing when there is none.
  func delete(_ id: UUID) throws {
    let statement = try connection.cached("DELETE FROM trade WHERE portfolio = ?1 AND id = ?2")
    try statement.bind(1, portfolio.text)
    try statement.bind(2, Self.text(id))
    try statement.run()
  }

  private func bind(_ transaction: Transaction, to statement: SQLiteStatement) throws {
    try statement.bind(1, portfolio.text)
    try statement.bind(2, Self.text(transaction.id))
    try statement.bind(3, transaction.coinId)
    try statement.bind(4, transaction.type.rawValue)
    try statement.bind(5, transaction.amount.plainText)
    try statement.bind(6, transaction.pricePerCoin.plainText)
    try statement.bind(7, transaction.fee.plainText)
    try statement.bind(8, transaction.date.milliseconds)
    try statement.bind(9, transaction.notes)
  }

  private func transactions(_ statement: SQLiteStatement) throws -> [(sequence: Int64, transaction: Transaction)] {
    defer { statement.reset() }
    var rows: [(Int64, Transaction)] = []
    while try statement.step() {
      let sequence = statement.integer(0)
      guard let id = statement.text(1).flatMap(UUID.init(uuidString:)),
        let type = statement.text(3).flatMap(TransactionType.init(rawValue:)),
        let amount = number(statement, 4), let price = number(statement, 5), let fee = number(statement, 6),
        let transaction = try? Transaction(
          validating: id, coinId: statement.text(2) ?? "", type: type, amount: amount, pricePerCoin: price, fee: fee,
          date: Date(milliseconds: statement.integer(7)), notes: statement.text(8))
      else { throw SQLiteError(code: .corrupt, message: "row \(sequence) of its transactions is not one") }
      rows.append((sequence, transaction))
    }
    return rows
  }

  private func number(_ statement: SQLiteStatement, _ column: Int) -> Decimal? {
    statement.withUTF8(column) { bytes in bytes.flatMap { try? Decimal(strictUTF8: $0) } }
  }

  private static func text(_ id: UUID) -> String { id.uuidString.lowercased() }
}
