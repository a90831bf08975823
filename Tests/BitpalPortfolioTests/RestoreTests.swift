import BitpalFiles
import BitpalModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import BitpalPortfolio

@Suite struct `A restore never loses what was there` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var path: String { folder.path + "/bitpal.db" }

  private var copy: String { folder.path + "/copy.db" }

  /// What ``Make/now`` makes of the name.
  private var kept: String { path + ".before-restore.2025-01-15T10-30-00Z" }

  private func store(_ path: String? = nil) -> TransactionStore {
    TransactionStore(file: UserDataFile(path: path ?? self.path))
  }

  private func buy(_ amount: String, _ path: String? = nil) throws -> Transaction {
    try store(path).add(Make.draft(.buy, amount, "1"), currency: "usd", now: Make.now)
  }

  private func restore(_ backup: String) throws -> String? {
    try UserDataFile(path: path).restore(from: backup, now: Make.now)
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

  private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "accepted"
    } catch {
      return "\(error)".replacingOccurrences(of: folder.path, with: "F")
    }
  }

  @Test func `It brings back what the backup has and keeps what was there, under a name with the time`() throws {
    let recorded = [try buy("1"), try buy("2")]
    try UserDataFile(path: path).backUp(to: copy)
    let later = try buy("3")
    #expect(try restore(copy) == kept)
    #expect(try store().transactions() == recorded)
    #expect(try store(kept).transactions() == recorded + [later])
    #expect(try names() == ["bitpal.db", PathText.name(of: kept), "copy.db"])
    #expect(try FileStatus(path).permissions == 0o600)
    #expect(try FileStatus(kept).permissions == 0o600)
  }

  @Test func `Restoring what was kept undoes a restore, and what is kept is never written over`() throws {
    let mine = [try buy("1")]
    let other = folder.path + "/other.db"
    let theirs = [try buy("9", other)]
    // A mistake, its repetition, and the way back.
    #expect(try restore(other) == kept)
    #expect(try restore(other) == kept + ".2")
    #expect(try restore(kept) == kept + ".3")
    #expect(try store().transactions() == mine)
    #expect(try store(kept).transactions() == mine)
    for file in [kept + ".2", kept + ".3", other] { #expect(try store(file).transactions() == theirs) }
  }

  @Test func `The file may be restored from itself`() throws {
    let recorded = [try buy("1")]
    #expect(try restore(path) == kept)
    #expect(try store().transactions() == recorded)
  }

  @Test func `A restore works without a file, and with a damaged one`() throws {
    let recorded = [try buy("1")]
    try UserDataFile(path: path).backUp(to: copy)
    let fresh = folder.path + "/new/bitpal.db"
    #expect(try UserDataFile(path: fresh).restore(from: copy, now: Make.now) == nil)
    #expect(try store(fresh).transactions() == recorded)
    for (number, text) in ["", "x", String(repeating: "damaged", count: 500)].enumerated() {
      try folder.write(text, to: "bitpal.db")
      #expect(try restore(copy) == (number < 2 ? nil : kept))
      #expect(try store().transactions() == recorded)
    }
    #expect(try String(contentsOfFile: kept, encoding: .utf8).hasPrefix("damaged"))
  }

  @Test func `A file that is not a backup is refused and nothing changes`() throws {
    _ = try buy("1")
    let before = try bytes(path)
    try folder.write(String(repeating: "text", count: 500), to: "text.db")
    let foreign = folder.path + "/foreign.db"
    try SQLiteConnection(path: foreign, busyTimeout: .zero).execute("CREATE TABLE t (a)")
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(message { _ = try restore(folder.path + "/none.db") } == "F/none.db: No such file or directory")
    #expect(message { _ = try restore(folder.path + "/text.db") } == "F/text.db: is damaged (file is not a database)")
    #expect(message { _ = try restore(foreign) } == "F/foreign.db: is not a data file of bitpal; it is left untouched")
    #expect(
      message { _ = try restore(folder.path + "/pipe") }
        == "F/pipe: cannot be opened (this is a named pipe, not a file)")
    #expect(try bytes(path) == before)
    #expect(try names() == ["bitpal.db", "foreign.db", "pipe", "text.db"])
  }

  @Test func `When the last step fails, all is as it was and no copy is left`() throws {
    struct Failure: Error {}
    let other = folder.path + "/other.db"
    _ = try buy("9", other)
    func fail(_ description: Comment) throws {
      let before = try names().map { [$0, try bytes(folder.path + "/" + $0).base64EncodedString()] }
      let source = try SQLiteConnection(path: other, mode: .readOnly, busyTimeout: .zero)
      #expect(throws: Failure.self, description) {
        try UserDataCopies(path, .zero).replace(by: source, now: Make.now) { _ in throw Failure() }
      }
      #expect(
        try names().map { [$0, try bytes(folder.path + "/" + $0).base64EncodedString()] } == before, description)
    }
    try fail("no file")
    _ = try buy("1")
    try fail("a file")
    try folder.write(String(repeating: "damaged", count: 500), to: "bitpal.db")
    try fail("a damaged file")
    unlink(path)
    mkdir(path, 0o700)
    #expect(message { _ = try restore(other) }.hasPrefix("F/bitpal.db: "))
    #expect(try names() == ["bitpal.db", "other.db"])
  }

  @Test func `The journal of a file that is gone or broken is not rolled back into the new one`() throws {
    let recorded = [try buy("1")]
    try UserDataFile(path: path).backUp(to: copy)
    try folder.write(String(repeating: "damaged", count: 500), to: "bitpal.db")
    try folder.write("a log", to: "bitpal.db-wal")
    #expect(try restore(copy) == kept)
    #expect(try String(contentsOfFile: kept + "-wal", encoding: .utf8) == "a log")
    unlink(path)
    try folder.write("a journal", to: "bitpal.db-journal")
    #expect(try restore(copy) == nil)
    #expect(try String(contentsOfFile: path + ".left-over-journal", encoding: .utf8) == "a journal")
    #expect(try store().transactions() == recorded)
  }

  @Test func `A link to the file stays a link`() throws {
    mkdir(folder.path + "/disk", 0o700)
    let real = folder.path + "/disk/real.db"
    let recorded = [try buy("1", real)]
    symlink("disk/real.db", path)
    let other = folder.path + "/other.db"
    let theirs = [try buy("9", other)]
    #expect(try restore(other) == real + ".before-restore.2025-01-15T10-30-00Z")
    #expect(try FileStatus(withoutFollowing: path).kind == .link)
    #expect(try store(real).transactions() == theirs)
    #expect(try store(real + ".before-restore.2025-01-15T10-30-00Z").transactions() == recorded)
    unlink(real)
    #expect(message { _ = try restore(other) } == "F/bitpal.db: is a link that leads nowhere")
  }

  @Test func `A backup with a write-ahead log becomes a file without one`() throws {
    let other = folder.path + "/other.db"
    let theirs = [try buy("9", other)]
    try SQLiteConnection(path: other, busyTimeout: .zero).execute("PRAGMA journal_mode = WAL")
    _ = try restore(other)
    #expect(try bytes(path)[18..<20] == Data([1, 1]))
    #expect(try store().transactions() == theirs)
  }

  @Test func `A process with the file open sees the restored one, and writes to it`() throws {
    let open = store()
    _ = try open.add(Make.draft(.buy, "1", "1"), currency: "usd", now: Make.now)
    let other = folder.path + "/other.db"
    let theirs = try buy("9", other)
    _ = try restore(other)
    #expect(try open.transactions() == [theirs])
    let added = try open.add(Make.draft(.buy, "2", "1"), currency: "usd", now: Make.now)
    #expect(try store().transactions() == [theirs, added])
  }

  @Test func `A write that waited for a restore goes to the restored file`() throws {
    let file = UserDataFile(path: path)
    _ = try buy("1")
    let other = folder.path + "/other.db"
    _ = try buy("9", other)
    var isFirst = true
    try file.write { connection in
      // The restore of another process, as if it had held the lock until now.
      if isFirst { #expect(rename(other, path) == 0) }
      isFirst = false
      try connection.execute("DELETE FROM trade WHERE amount = '1'")
      try connection.execute("UPDATE portfolio SET currency = 'eur'")
    }
    #expect(try store().transactions().map(\.amount) == [9])
    #expect(try store().currency() == "eur")
  }

  @Test func `A copy is never made over something that is there`() throws {
    let recorded = [try buy("1")]
    let other = folder.path + "/other.db"
    let theirs = [try buy("9", other)]
    let source = try SQLiteConnection(path: path, mode: .readOnly, busyTimeout: .zero)
    #expect(throws: BitpalError.self) { try UserDataCopies.copy(source, to: other) }
    #expect(try store(other).transactions() == theirs)
    #expect(try store().transactions() == recorded)
  }

  @Test func `Two that make copies in one folder take turns`() throws {
    let recorded = [try buy("1")]
    let lock = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX) == 0)
    let copies = UserDataCopies(path, .milliseconds(30))
    #expect(throws: SQLiteError(code: .busy, message: "its folder is locked")) {
      try copies.withExclusiveAccess { _ in }
    }
    close(lock)
    try copies.withExclusiveAccess { _ in }
    #expect(try store().transactions() == recorded)
  }
}
