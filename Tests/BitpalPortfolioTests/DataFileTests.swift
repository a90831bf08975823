import BitpalFiles
import BitpalModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import BitpalPortfolio

@Suite struct `The user's data file is never harmed` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var path: String { folder.path + "/bitpal.db" }

  private func store(_ path: String? = nil) -> TransactionStore {
    TransactionStore(file: UserDataFile(path: path ?? self.path))
  }

  private func fill() throws -> [Transaction] {
    [
      try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now),
      try store().add(Make.draft(.buy, "2", "1"), currency: "usd", now: Make.now),
    ]
  }

  private func bytes(_ path: String? = nil) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path ?? self.path))
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "accepted"
    } catch let error as BitpalError {
      #expect(error.code == .dataFile)
      return "\(error)".replacingOccurrences(of: folder.path, with: "F")
    } catch {
      return "another error: \(error)"
    }
  }

  private func change(_ sql: String) throws {
    try SQLiteConnection(path: path, busyTimeout: .zero).execute(sql)
  }

  @Test func `The file is SQLite's, with our mark, a rollback journal and full synchronisation`() throws {
    _ = try fill()
    let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
    #expect(try connection.integer("PRAGMA application_id") == 0x6250_7544)
    #expect(try connection.integer("PRAGMA user_version") == 6)
    #expect(try connection.integer("SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'delete'") == 1)
    #expect(try connection.integer("SELECT count(*) FROM trade WHERE typeof(amount) = 'text'") == 2)
    let settings = try UserDataFile(path: path).write { connection in
      [
        try connection.integer("PRAGMA synchronous"), try connection.integer("PRAGMA foreign_keys"),
      ]
    }
    #expect(settings == [2, 1])
  }

  @Test(.timeLimit(.minutes(20)))
  func `A backup with a view without end in the place of a table is refused`() throws {
    let transactions = try fill()
    let evil = folder.path + "/evil.db"
    try UserDataFile(path: path).backUp(to: evil)
    try SQLiteConnection(path: evil, busyTimeout: .zero).execute(
      """
      DROP TABLE trade;
      CREATE VIEW trade AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)
        SELECT x AS sequence, 'main' AS portfolio, '' id, '' coin, 'buy' type, '1' amount, '1' price, '0' fee, 0 date,
          NULL notes FROM n
      """)
    #expect(
      message { _ = try UserDataFile(path: path).restore(from: evil, now: Make.now) }
        == "F/evil.db: is damaged (the view trade is not one that bitpal makes)")
    #expect(try store().transactions() == transactions)
    #expect(throws: BitpalError.self) { try store(evil).transactions() }
  }

  @Test func `A file of a newer version is refused and left untouched`() throws {
    _ = try fill()
    try change("PRAGMA user_version = 7")
    let before = try bytes()
    let expected =
      "F/bitpal.db: was written by a newer bitpal (its format is 7, this version knows 6); it is left untouched"
    #expect(message { _ = try store().transactions() } == expected)
    #expect(message { _ = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now) } == expected)
    #expect(try bytes() == before)
  }

  @Test func `A file of an older version is refused and left untouched, with what to do`() throws {
    _ = try fill()
    try change("PRAGMA user_version = 4")
    let before = try bytes()
    let expected =
      "F/bitpal.db: was written by a bitpal from before its first release (its format is 4, this version knows 6); "
      + "it is left untouched; export the portfolios with that bitpal, and import them into a new file"
    #expect(message { _ = try store().transactions() } == expected)
    #expect(message { _ = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now) } == expected)
    #expect(
      UserDataFile.health(of: path) == .unreadable("it was written by a bitpal from before its first release"))
    #expect(try bytes() == before)
  }

  @Test func `A database of another program is refused and left untouched`() throws {
    try change("CREATE TABLE theirs (a); PRAGMA application_id = 7")
    let before = try bytes()
    #expect(
      message { _ = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now) }
        == "F/bitpal.db: is not a data file of bitpal; it is left untouched")
    #expect(try bytes() == before)
  }

  @Test func `A file that is not a database is refused and not changed`() throws {
    let text = String(repeating: "not a database, but a letter\n", count: 100)
    try folder.write(text, to: "bitpal.db")
    #expect(
      message { _ = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now) }
        == "F/bitpal.db: is damaged (file is not a database); \"bitpal portfolio restore FILE\" brings a backup back")
    #expect(try bytes() == Data(text.utf8))
  }

  @Test(arguments: [
    "amount = '1abc'", "amount = '3'", "coin = 'ethereum'", "price = NULL", "date = date + 1", "type = 'sell'",
    "notes = 'x'", "fee = '0.0'",
  ])
  func `A changed row is reported, with the copy that has the original`(change: String) throws {
    let recorded = try fill()
    try self.change("UPDATE trade SET \(change) WHERE sequence = 2")
    let row = "transaction \(recorded[1].shortID.prefix(8)), row 2, is not as it was recorded; "
    #expect(
      message { _ = try store().transactions() }
        == "F/bitpal.db: is damaged: \(row)\"bitpal portfolio restore FILE\" brings a backup back")
    guard case .damaged(let words) = UserDataFile.health(of: path) else {
      Issue.record("the doctor finds nothing")
      return
    }
    #expect(words.contains("row 2, is not as it was recorded"))

    // A copy with the same damage is no help, nor is what is not ours.
    try FileManager.default.copyItem(atPath: path, toPath: folder.path + "/z.db")
    try folder.write("no database", to: "y.db")
    #expect(message { _ = try store().transactions() }.hasSuffix("brings a backup back"))
    try FileManager.default.removeItem(atPath: path)
    _ = try fill()
    try UserDataFile(path: path).backUp(to: folder.path + "/my backup.db")
    try self.change("UPDATE trade SET \(change) WHERE sequence = 2")
    let told = message { _ = try store().transactions() }
    #expect(told.hasSuffix("; F/my backup.db has it whole: bitpal portfolio restore 'F/my backup.db'"), "\(told)")
    _ = try UserDataFile(path: path).restore(from: folder.path + "/my backup.db", now: Make.now)
    #expect(try store().transactions().count == recorded.count)
    #expect(UserDataFile.health(of: path) == .sound)
  }

  @Test func `A folder in the file's place is refused`() throws {
    try folder.write("", to: "bitpal.db/x")
    #expect(
      message { _ = try store().transactions() } == "F/bitpal.db: this is a folder, not a file")
  }

  @Test(arguments: [0, 1])
  func `An empty file is reported, and never replaced silently`(size: Int) throws {
    try folder.write(String(repeating: "\0", count: size), to: "bitpal.db")
    let expected =
      "F/bitpal.db: is empty: what it held is gone; \"bitpal portfolio restore FILE\" brings a backup back; to start again, "
      + "remove the file"
    #expect(message { _ = try store().transactions() } == expected)
    #expect(message { _ = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now) } == expected)
    #expect(try bytes().count == size)
    #expect(UserDataFile.health(of: path) == .damaged("it is empty"))
  }

  @Test func `An empty database of another program is not changed`() throws {
    try change("PRAGMA user_version = 0; VACUUM")
    #expect(try bytes().count >= 512)
    #expect(message { _ = try store().transactions() }.hasPrefix("F/bitpal.db: is not a data file of bitpal"))
  }

  @Test(.timeLimit(.minutes(20)))
  func `A pipe or a link to nothing in the file's place is refused`() throws {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(message { _ = try store().transactions() } == "F/bitpal.db: this is a named pipe, not a file")
    unlink(path)
    symlink("gone.db", path)
    #expect(message { _ = try store().transactions() } == "F/bitpal.db: it is a link to F/gone.db, which is not there")
    #expect(
      message { _ = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now) }
        == "F/bitpal.db: it is a link to F/gone.db, which is not there")
  }

  @Test func `The first transaction makes the file whole, and clears away what a killed process left of one`() throws {
    try folder.write("half a database", to: "bitpal.db.unfinished")
    try folder.write("half a journal", to: "bitpal.db.unfinished-journal")
    let recorded = try fill()
    #expect(try store().transactions() == recorded)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["bitpal.db"])
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func `A write-ahead log that something else has set is taken back`() throws {
    let recorded = try fill()
    try change("PRAGMA journal_mode = WAL")
    #expect(try bytes()[18..<20] == Data([2, 2]))
    #expect(try store().transactions() == recorded)
    #expect(try bytes()[18..<20] == Data([1, 1]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["bitpal.db"])
  }

  @Test func `A file that another program is writing is waited for, then refused`() throws {
    // The wait itself is SQLite's; here only what is said after it.
    let error = UserDataFailure.error(for: SQLiteError(code: .busy, message: "database is locked"), path: "F")
    #expect("\(error)" == "F: another program is writing to it; nothing was changed")
    let full = UserDataFailure.error(for: SQLiteError(code: .full, message: "database or disk is full"), path: "F")
    #expect("\(full)" == "F: the disk is full; nothing was changed")
  }

  @Test func `A backup is a whole file, and never overwrites one`() throws {
    let recorded = try fill()
    let copy = folder.path + "/copy.db"
    try UserDataFile(path: path).backUp(to: copy)
    #expect(try store(copy).transactions() == recorded)
    #expect(
      message { try UserDataFile(path: path).backUp(to: copy) }
        == "F/copy.db: is there already; a backup never overwrites a file")
    #expect(
      message { try UserDataFile(path: folder.path + "/none.db").backUp(to: folder.path + "/other.db") }
        == "F/none.db: there is nothing to back up yet")
    #expect(
      message { try UserDataFile(path: path).backUp(to: folder.path + "/bitpal.db/x.db") }.hasPrefix("F/bitpal.db/x.db")
    )
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["bitpal.db", "copy.db"])
  }

  @Test(arguments: [
    ("UPDATE trade SET portfolio = 'mbin'", "the transactions of main had 2 rows"),
    ("DELETE FROM trade WHERE sequence = 2", "the transactions of main had 2 rows after the last change, and have 1"),
    ("UPDATE trade SET sequence = 9 WHERE sequence = 1", "the transactions of main differ from what was recorded"),
    ("UPDATE portfolio SET method = 'fifo'", "the portfolios differ from what was recorded"),
    ("UPDATE portfolio SET currency = 'eur'", "the portfolios differ"),
    ("DELETE FROM portfolio", "the portfolios had 1 rows"),
    ("UPDATE watchlist SET coin = 'bitcoim' WHERE coin = 'bitcoin'", "the watchlist differ"),
    ("UPDATE watchlist SET sort_order = 7", "the watchlist differ"),
    ("UPDATE change SET last = 9", "what can be undone differ"),
    ("DELETE FROM seal", "have appeared without a command of bitpal"),
  ])
  func `A broken seal is reported, refused as a backup, and accepted on demand`(change: String, words: String) throws {
    _ = try fill()
    _ = try WatchlistStore(file: UserDataFile(path: path)).add(["bitcoin", "AAPL"], now: Make.now)
    let good = folder.path + "/good.db"
    try UserDataFile(path: path).backUp(to: good)
    try self.change("PRAGMA foreign_keys = OFF; \(change)")
    let before = try bytes()
    #expect(message { _ = try store().transactions() }.contains(words))
    #expect(message { _ = try store().add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now) }.contains(words))
    #expect(message { try UserDataFile(path: path).backUp(to: folder.path + "/bad.db") }.contains(words))
    #expect(message { _ = try UserDataFile(path: good).restore(from: path, now: Make.now) }.contains(words))
    guard case .damaged(let found) = UserDataFile.health(of: path) else {
      Issue.record("the doctor finds nothing")
      return
    }
    #expect(found.contains(words))
    #expect(try bytes() == before)
    #expect(try store(good).transactions().count == 2)
    let accepted = message {
      _ = try UserDataFile(path: path).restore(from: path, now: Make.now, acceptingDamage: true)
    }
    #expect(accepted == "accepted" || accepted.contains("belong to a portfolio that is not there"), "\(accepted)")
    if accepted == "accepted" { #expect(message { _ = try store().transactions() } == "accepted") }
  }

  @Test func `No flipped bit changes an answer without a word`() throws {
    for number in 1...40 {
      _ = try store().add(
        Make.draft(.buy, "\(number)", "1", coin: "coin\(number % 5)"), currency: "usd", now: Make.now)
    }
    _ = try WatchlistStore(file: UserDataFile(path: path)).add(["bitcoin", "AAPL", "fx:eur"], now: Make.now)
    func answers(_ file: UserDataFile) throws -> String {
      let store = TransactionStore(file: file, portfolio: .main)
      return try "\(store.transactions()) \(store.transactions(of: "coin3")) \(String(describing: store.info()))"
        + "\(PortfolioCatalog(file: file).portfolios()) \(WatchlistStore(file: file).items())"
    }
    let whole = try bytes()
    let right = try answers(UserDataFile(path: path))
    var random = SeededGenerator(seed: 4)
    let used = whole.indices.filter { whole[$0] != 0 }
    var refused = 0
    for _ in 0..<600 {
      var damaged = whole
      let (place, bit) = (used.randomElement(using: &random)!, UInt8.random(in: 0..<8, using: &random))
      damaged[place] ^= 1 << bit
      // A new inode each time, as the file is opened anew.
      try damaged.write(to: URL(fileURLWithPath: path), options: .atomic)
      do {
        let found = try answers(UserDataFile(path: path))
        #expect(found == right, "bit \(bit) of byte \(place)")
      } catch {
        refused += 1
      }
    }
    #expect(refused > 200)
  }
}
