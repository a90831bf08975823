import BitpalFiles
import BitpalModel
import FoundationEssentials

/// The rows of one portfolio, used within a transaction of the file.
///
/// Functions that return transactions throw ``DamagedTransaction`` for a row whose checksum or content is wrong. All
/// throw `SQLiteError` when the file cannot be read or written.
struct TransactionRows {
  fileprivate static let content = "id, coin, type, amount, price, fee, date, notes, label, joined, total"
  private static let columns = "sequence, \(content), checksum = bitpal_checksum(\(content))"

  let connection: SQLiteConnection
  let portfolio: PortfolioName
  private let zone: ClockZone

  /// Creates rows whose transactions are placed among the days of a zone.
  init(_ connection: SQLiteConnection, _ portfolio: PortfolioName, zone: ClockZone = .utc) {
    self.connection = connection
    self.portfolio = portfolio
    self.zone = zone
  }

  /// Returns all transactions, or those of some coins, in the order in which they were recorded.
  ///
  /// The whole table is read, because an index whose page is damaged hides rows without an error.
  func recorded(of coins: Set<String>? = nil) throws -> [Transaction] {
    let statement = try connection.cached(
      "SELECT \(Self.columns) FROM trade NOT INDEXED WHERE portfolio = ?1 ORDER BY sequence")
    try statement.bind(1, portfolio.text)
    return try transactions(statement, of: coins)
  }

  /// Returns the halves of renamings and splits, in the order in which they were recorded.
  func halves() throws -> [Transaction] {
    let labels = TransactionLabel.allCases.filter(\.movesCost).map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let statement = try connection.cached(
      "SELECT \(Self.columns) FROM trade NOT INDEXED WHERE portfolio = ?1 AND label IN (\(labels)) ORDER BY sequence")
    try statement.bind(1, portfolio.text)
    return try transactions(statement)
  }

  /// Returns the transactions whose id begins with `prefix`, in either letter case.
  ///
  /// The id is compared in its form with dashes, so a prefix of more than eight digits needs them.
  func beginning(with prefix: String) throws -> [Transaction] {
    // Ids are also copied without their dashes.
    let prefix = prefix.lowercased().filter { $0 != "-" }
    guard !prefix.isEmpty,
      prefix.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return [] }
    let statement = try connection.cached(
      """
      SELECT \(Self.columns) FROM trade NOT INDEXED
      WHERE portfolio = ?1 AND substr(replace(id, '-', ''), 1, length(?2)) = ?2 ORDER BY sequence
      """)
    try statement.bind(1, portfolio.text)
    try statement.bind(2, prefix)
    return try transactions(statement)
  }

  /// Returns whether a transaction of the portfolio has that id.
  func has(_ id: UUID) throws -> Bool {
    let statement = try connection.cached("SELECT 1 FROM trade NOT INDEXED WHERE portfolio = ?1 AND id = ?2")
    defer { statement.reset() }
    try statement.bind(1, portfolio.text)
    try statement.bind(2, Self.text(id))
    return try statement.step()
  }

  /// Returns the ids of all transactions, by one query instead of one per row of an import.
  func ids() throws -> Set<UUID> {
    let statement = try connection.cached("SELECT id FROM trade NOT INDEXED WHERE portfolio = ?1")
    defer { statement.reset() }
    try statement.bind(1, portfolio.text)
    var ids: Set<UUID> = []
    while try statement.step() {
      if let id = Self.id(statement, 0) { ids.insert(id) }
    }
    return ids
  }

  /// Adds transactions, in the order in which they are given.
  ///
  /// - Returns: The sequence numbers of the added rows; nil when there were none.
  func insert(_ transactions: some Collection<Transaction>) throws -> ClosedRange<Int64>? {
    // One row a statement: SQLite keeps the pages that a statement of several rows changes, to take it back by itself.
    let statement = try connection.cached(
      """
      INSERT INTO trade (portfolio, \(Self.content), checksum)
      VALUES (?1, \(Self.values), bitpal_checksum(\(Self.values)))
      """)
    for transaction in transactions {
      try bind(transaction, to: statement)
      _ = try statement.step()
      statement.rewind()
    }
    statement.reset()
    guard !transactions.isEmpty, let last = try connection.integer("SELECT max(sequence) FROM trade") else {
      return nil
    }
    return last - Int64(transactions.count) + 1...last
  }

  /// Replaces the content of a transaction, which keeps its sequence number.
  func update(_ transaction: Transaction) throws {
    let statement = try connection.cached(
      """
      UPDATE trade NOT INDEXED SET coin = ?3, type = ?4, amount = ?5, price = ?6, fee = ?7, date = ?8, notes = ?9, label = ?10,
        joined = ?11, total = ?12, checksum = bitpal_checksum(\(Self.values))
      WHERE portfolio = ?1 AND id = ?2
      """)
    try bind(transaction, to: statement)
    try statement.run()
  }

  /// Removes a transaction; does nothing when there is none of that id.
  func delete(_ id: UUID) throws {
    let statement = try connection.cached("DELETE FROM trade NOT INDEXED WHERE portfolio = ?1 AND id = ?2")
    try statement.bind(1, portfolio.text)
    try statement.bind(2, Self.text(id))
    try statement.run()
  }

  /// Returns the transactions of a query that belong to this portfolio, in the order in which they were recorded.
  ///
  /// - Parameters:
  ///   - source: The SQL after `FROM`, which has a condition, with `?2` for the number.
  ///   - number: The number.
  func transactions(from source: String, _ number: Int64) throws -> [Transaction] {
    let statement = try connection.cached(
      "SELECT \(Self.columns) FROM \(source) AND portfolio = ?1 ORDER BY sequence")
    try statement.bind(1, portfolio.text)
    try statement.bind(2, number)
    return try transactions(statement)
  }

  /// Makes the checksum of every row of a file that of its present content.
  ///
  /// - Throws: `SQLiteError`.
  static func renewChecksums(_ connection: SQLiteConnection) throws {
    for table in ["trade", "former"] {
      try connection.execute("UPDATE \(table) NOT INDEXED SET checksum = bitpal_checksum(\(content))")
    }
  }

  /// The parameters of the content of a row; `?1` is the portfolio.
  private static let values = (2...12).map { "?\($0)" }.joined(separator: ", ")

  private func bind(_ transaction: Transaction, to statement: SQLiteStatement) throws {
    try statement.bind(1, portfolio.text)
    try statement.bind(2, Self.text(transaction.id))
    try statement.bind(3, transaction.coinId)
    try statement.bind(4, transaction.type.rawValue)
    try statement.bind(5, transaction.amount.plainText)
    try statement.bind(6, transaction.pricePerCoin?.plainText)
    try statement.bind(7, transaction.fee.plainText)
    try statement.bind(8, transaction.date.milliseconds)
    try statement.bind(9, transaction.notes)
    try statement.bind(10, transaction.label?.rawValue)
    try statement.bind(11, transaction.group)
    try statement.bind(12, transaction.total?.plainText)
  }

  private func transactions(_ statement: SQLiteStatement, of coins: Set<String>? = nil) throws -> [Transaction] {
    defer { statement.reset() }
    var rows: [Transaction] = []
    while try statement.step() {
      let sequence = statement.integer(0)
      if let coins, statement.integer(12) == 1, !coins.contains(statement.text(2) ?? "") { continue }
      guard statement.integer(12) == 1, let id = Self.id(statement, 1),
        let type = statement.text(3).flatMap(TransactionType.init(rawValue:)),
        let amount = number(statement, 4), let fee = number(statement, 6),
        case let (price, priceText) = (number(statement, 5), statement.text(5)), price != nil || priceText == nil,
        case let (label, labelText) = (statement.text(9).flatMap(TransactionLabel.init), statement.text(9)),
        label != nil || labelText == nil,
        case let (total, totalText) = (number(statement, 11), statement.text(11)), total != nil || totalText == nil,
        let transaction = try? Transaction(
          validating: id, coinId: statement.text(2) ?? "", type: type, amount: amount, pricePerCoin: price,
          total: total,
          fee: fee, date: Date(milliseconds: statement.integer(7)), notes: statement.text(8), label: label,
          group: statement.text(10))
      else { throw DamagedTransaction(sequence: sequence, id: statement.text(1) ?? "") }
      rows.append(transaction.placed(in: zone))
    }
    return rows
  }

  private func number(_ statement: SQLiteStatement, _ column: Int) -> Decimal? {
    statement.withUTF8(column) { bytes in bytes.flatMap { try? Decimal(strictUTF8: $0) } }
  }

  /// Returns an id in the stored form: lower case, with dashes.
  ///
  /// Foundation formats ids with `printf` and parses them with `scanf`, a tenth of the time to read all transactions.
  private static func text(_ id: UUID) -> String {
    withUnsafeBytes(of: id.uuid) { bytes in
      String(unsafeUninitializedCapacity: 36) { text in
        var index = 0
        for (place, byte) in bytes.enumerated() {
          if [4, 6, 8, 10].contains(place) {
            text[index] = UInt8(ascii: "-")
            index += 1
          }
          for digit in [byte >> 4, byte & 0xF] {
            text[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            index += 1
          }
        }
        return index
      }
    }
  }

  private static func id(_ statement: SQLiteStatement, _ column: Int) -> UUID? {
    statement.withUTF8(column) { text -> UUID? in
      guard let text, text.count == 36 else { return nil }
      var id: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      var digits = 0
      let isWhole = withUnsafeMutableBytes(of: &id) { bytes in
        for (place, character) in text.enumerated() {
          if [8, 13, 18, 23].contains(place) {
            guard character == UInt8(ascii: "-") else { return false }
            continue
          }
          guard let digit = hexDigit(character) else { return false }
          bytes[digits / 2] = bytes[digits / 2] << 4 | digit
          digits += 1
        }
        return true
      }
      return isWhole ? UUID(uuid: id) : nil
    }
  }

  private static func hexDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// A row of the user's data file whose content is not as it was recorded.
struct DamagedTransaction: Error, Hashable {
  /// The sequence number of the row.
  let sequence: Int64

  /// The id in the row, which may be damaged too.
  let id: String

  /// The message: the first eight digits of the id, the row, and that it is damaged.
  var message: String {
    "transaction \(String(id.prefix(8)).printable(limit: 8)), row \(sequence), is not as it was recorded"
  }

  /// Returns the first row with a wrong checksum, also of what can be undone; nil when all of them are sound.
  ///
  /// - Throws: `SQLiteError`.
  static func first(in connection: SQLiteConnection) throws -> DamagedTransaction? {
    func damaged(_ table: String) -> String {
      "SELECT sequence, id FROM \(table) NOT INDEXED WHERE checksum <> bitpal_checksum(\(TransactionRows.content))"
    }
    let rows = try connection.prepare("\(damaged("trade")) UNION ALL \(damaged("former")) LIMIT 1")
    return try rows.step() ? DamagedTransaction(sequence: rows.integer(0), id: rows.text(1) ?? "") : nil
  }

  /// Returns the newest of the user's data files in a folder that has the row as it was recorded; nil when none has.
  func soundCopy(beside path: String) -> String? {
    let folder = PathText.directory(of: path)
    let copies = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map {
      PathText.joined(folder, $0)
    }.filter { copy in
      copy != path && SQLiteFileHeader(path: copy) == .database(applicationID: UserDataSchema.current.applicationID)
    }
    let dated = copies.compactMap { copy in (try? FileStatus(copy)).map { (path: copy, date: $0.modified) } }
    return dated.sorted { $0.date > $1.date }.first { hasSoundRow($0.path) }?.path
  }

  private func hasSoundRow(_ copy: String) -> Bool {
    do {
      let source = try SQLiteConnection(path: copy, mode: .readOnly, busyTimeout: .zero)
      try UserDataSchema.current.check(source)
      let row = try source.prepare(
        "SELECT 1 FROM trade WHERE sequence = ?1 AND checksum = bitpal_checksum(\(TransactionRows.content))")
      try row.bind(1, sequence)
      return try row.step()
    } catch {
      return false
    }
  }
}
