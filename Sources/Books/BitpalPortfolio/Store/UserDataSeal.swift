import BitpalFiles
import BitpalModel

/// The seal of a data file: how many rows each part of it had after the last write, and a checksum of them in order.
///
/// The checksum of a transaction covers its content. The seal covers what no single row shows: rows that are lost or
/// belong to another portfolio now, their order, the portfolios themselves, the watchlist and what can be undone. It
/// finds bad luck, not a program that writes the file and its seal on purpose.
struct UserDataSeal {
  private struct Rows: Equatable {
    var count: Int64 = 0
    var checksum = UInt64(14_695_981_039_346_656_037)

    /// Adds the value of the next row by a step of FNV-1a on 64 bits at once.
    ///
    /// The step is a bijection, so that one changed value always gives another checksum.
    mutating func add(_ value: Int64) {
      checksum = (checksum ^ UInt64(bitPattern: value)) &* 1_099_511_628_211
    }
  }

  private var parts: [String: Rows]

  /// The transactions of a portfolio that the table of portfolios lacks; nil when there are none.
  private var orphan: String?

  /// The parts of which each row is a checksum of its own.
  private static let tables = [
    "the portfolios": "SELECT bitpal_checksum(name, currency, method) FROM portfolio NOT INDEXED ORDER BY rowid",
    // In the order in which it is shown.
    "the watchlist": """
    SELECT bitpal_checksum(coin, date_added, sort_order, group_name, note) FROM watchlist NOT INDEXED
    ORDER BY sort_order, date_added, rowid
    """,
    "what can be undone": """
    SELECT bitpal_checksum(number, portfolio, kind, date, first, last, currency, method) FROM change NOT INDEXED
    UNION ALL SELECT bitpal_checksum(change, sequence, portfolio, checksum) FROM former NOT INDEXED
    """,
  ]

  /// Computes the seal of the rows as they are; the content of a transaction enters by its stored checksum.
  ///
  /// - Throws: `SQLiteError`.
  init(of connection: SQLiteConnection) throws {
    parts = [:]
    for (part, sql) in Self.tables {
      var rows = Rows()
      let statement = try connection.cached(sql)
      defer { statement.reset() }
      while try statement.step() {
        rows.count += 1
        rows.add(statement.integer(0))
      }
      parts[part] = rows
    }
    let names = try connection.cached("SELECT name FROM portfolio NOT INDEXED")
    defer { names.reset() }
    while try names.step() { parts[Self.transactions(of: names.text(0) ?? "")] = Rows() }
    let trades = try connection.cached("SELECT portfolio, sequence, checksum FROM trade NOT INDEXED ORDER BY sequence")
    defer { trades.reset() }
    var (portfolio, rows) = ("", Rows())
    func keep() {
      guard rows.count > 0 else { return }
      if parts.updateValue(rows, forKey: Self.transactions(of: portfolio)) == nil {
        orphan = Self.transactions(of: portfolio)
      }
    }
    while try trades.step() {
      // A damaged type makes the name a blob, which no query for the portfolio finds.
      guard trades.type(0) == .text else {
        throw SQLiteError(code: .corrupt, message: "a transaction is in no portfolio")
      }
      let isSame = trades.withUTF8(0) { name in name.map { portfolio.utf8.elementsEqual($0) } ?? false }
      if !isSame {
        keep()
        portfolio = trades.text(0) ?? ""
        rows = parts[Self.transactions(of: portfolio)] ?? Rows()
      }
      rows.count += 1
      rows.add(trades.integer(1))
      rows.add(trades.integer(2))
    }
    keep()
  }

  private static func transactions(of portfolio: String) -> String { "the transactions of \(portfolio)" }

  /// Reads the seal that the last write left.
  ///
  /// - Throws: `SQLiteError`.
  private init(keptIn connection: SQLiteConnection) throws {
    parts = [:]
    let statement = try connection.cached("SELECT part, rows, checksum FROM seal NOT INDEXED")
    defer { statement.reset() }
    while try statement.step() {
      parts[statement.text(0) ?? ""] = Rows(
        count: statement.integer(1), checksum: UInt64(bitPattern: statement.integer(2)))
    }
  }

  /// Checks that a file holds what the last write left, in the transaction in which it is read.
  ///
  /// - Throws: ``BrokenSeal`` with the first part that differs; `SQLiteError`.
  static func check(_ connection: SQLiteConnection) throws {
    let (kept, found) = (try UserDataSeal(keptIn: connection), try UserDataSeal(of: connection))
    if kept.parts == found.parts { return }
    let part = Set(kept.parts.keys).union(found.parts.keys).sorted().first { kept.parts[$0] != found.parts[$0] } ?? ""
    throw BrokenSeal(part: part, kept: kept.parts[part]?.count, found: found.parts[part]?.count ?? 0)
  }

  /// Stores the seal of the rows as they are, at the end of a write.
  ///
  /// - Throws: `SQLiteError`.
  static func renew(_ connection: SQLiteConnection) throws {
    let (kept, now) = (try UserDataSeal(keptIn: connection), try UserDataSeal(of: connection))
    if let orphan = now.orphan {
      throw SQLiteError(code: .corrupt, message: "\(orphan) belong to a portfolio that is not there")
    }
    let removal = try connection.cached("DELETE FROM seal WHERE part = ?1")
    for part in kept.parts.keys where now.parts[part] == nil {
      try removal.bind(1, part)
      try removal.run()
    }
    let storing = try connection.cached("INSERT OR REPLACE INTO seal (part, rows, checksum) VALUES (?1, ?2, ?3)")
    for (part, rows) in now.parts where kept.parts[part] != rows {
      try storing.bind(1, part)
      try storing.bind(2, rows.count)
      try storing.bind(3, Int64(bitPattern: rows.checksum))
      try storing.run()
    }
  }
}

/// A part of the user's data file that is not as the last write left it.
struct BrokenSeal: Error, Hashable {
  /// The part, in words: "the watchlist".
  let part: String

  /// The number of its rows after the last write; nil where there was no such part.
  let kept: Int64?

  /// The number of its rows now.
  let found: Int64

  /// The message: the part, and how it differs.
  var message: String {
    let part = part.printable(limit: 90)
    return switch kept {
    case nil: "\(part) have appeared without a command of bitpal"
    case found: "\(part) differ from what was recorded: names, settings or order have changed"
    case let kept?: "\(part) had \(kept) rows after the last change, and have \(found) now"
    }
  }
}
