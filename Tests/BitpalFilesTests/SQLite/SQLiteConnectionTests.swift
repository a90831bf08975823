import BitpalFiles
import BitpalModel
import Dispatch
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct `SQLite connections` {
  @Test func `Bound values are read back, with NULs and beyond ASCII`() throws {
    let connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    try connection.execute("CREATE TABLE t (a TEXT, b INTEGER, c BLOB)")
    let insert = try connection.cached("INSERT INTO t VALUES (?1, ?2, ?3)")
    try insert.bind(1, "ビット\u{0}コイン")
    try insert.bind(2, Int64.min)
    try insert.bind(3, blob: [0, 255, 0])
    try insert.run()
    let select = try connection.prepare("SELECT a, b, c, NULL FROM t")
    #expect(try select.step())
    #expect(select.text(0) == "ビット\u{0}コイン")
    #expect(select.integer(1) == Int64.min)
    #expect(select.blob(2) == [0, 255, 0])
    #expect(select.text(3) == nil && select.type(3) == .null)
    #expect(try !select.step())
  }

  @Test func `A file that is made is the user's alone, and so are the folders made for it`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a/b/new.db"
    try SQLiteConnection(path: path, busyTimeout: .zero).execute("CREATE TABLE t (a)")
    #expect(try FileStatus(path).permissions == 0o600)
    #expect(try ["/a", "/a/b"].map { try FileStatus(folder.path + $0).permissions } == [0o700, 0o700])
  }

  @Test(.timeLimit(.minutes(20)), arguments: [SQLiteConnection.Mode.readWriteCreate, .readWrite, .readOnly])
  func `A pipe in the place of a file is refused instead of waited for`(mode: SQLiteConnection.Mode) throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(throws: SQLiteError(code: .cannotOpen, message: "this is a named pipe, not a file")) {
      try SQLiteConnection(path: folder.path + "/pipe", mode: mode, busyTimeout: .zero)
    }
  }

  @Test func `A process cannot write to an open file that was moved away`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.db"
    let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
    try connection.execute("CREATE TABLE t (a)")
    rename(path, folder.path + "/b.db")
    #expect { try connection.execute("INSERT INTO t VALUES (1)") } throws: { ($0 as? SQLiteError)?.code == .moved }
  }

  @Test func `A transaction that throws leaves nothing`() throws {
    struct Stop: Error {}
    let connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    try connection.execute("CREATE TABLE t (a)")
    #expect(throws: Stop.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        throw Stop()
      }
    }
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func `A wrong statement says where it is wrong`() throws {
    let connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    #expect(throws: SQLiteError(code: .error, message: "no such column: b", offset: 10)) {
      try connection.execute("CREATE TABLE t (a)")
      _ = try connection.prepare("SELECT a, b FROM t")
    }
  }

  @Test func `When the time is up a lock is not waited for, however long the connection would`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/t.db"
    let holder = try SQLiteConnection(path: path, busyTimeout: .zero)
    try holder.execute("BEGIN EXCLUSIVE")
    let other = try SQLiteConnection(path: path, busyTimeout: .seconds(86_400))
    await Deadline.independent(.zero, on: SystemTime()) {
      #expect(throws: SQLiteError(code: .busy, message: "database is locked")) { try other.execute("BEGIN IMMEDIATE") }
      #expect(throws: SQLiteError(code: .busy, message: "database is locked")) { try other.useWriteAheadLog() }
    }
  }

  @Test func `A refusal of the system is reported with the system's message`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a file", to: "file")
    #expect(throws: SQLiteError(code: .cannotOpen, message: "unable to open database file: Not a directory")) {
      try SQLiteConnection(path: file + "/t.db", busyTimeout: .zero)
    }
  }

  @Test func `A file that was removed under a connection is known to be`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/t.db"
    let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
    try connection.execute("CREATE TABLE t (a)")
    #expect(!connection.isMoved)
    try FileManager.default.removeItem(atPath: path)
    #expect(connection.isMoved)
  }

  @Test func `A view or trigger that a file brings is never run`() throws {
    let connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    try connection.execute("CREATE TABLE t (a); CREATE VIEW v AS SELECT 1 AS a")
    try connection.execute("CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO t VALUES (2); END")
    #expect(throws: SQLiteError.self) { try connection.integer("SELECT a FROM v") }
    try connection.execute("INSERT INTO t VALUES (1)")
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `A statement outlives the name of its connection`() throws {
    func statement() throws -> SQLiteStatement {
      try SQLiteConnection(path: ":memory:", busyTimeout: .zero).prepare("SELECT 42")
    }
    let kept = try statement()
    #expect(try kept.step() && kept.integer(0) == 42)
  }
}

@Suite struct `A write-ahead log` {
  @Test func `Waits for another that has the file locked, as long as it may`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/t.db"
    let holder = try SQLiteConnection(path: path, busyTimeout: .seconds(60))
    try holder.execute("BEGIN IMMEDIATE; CREATE TABLE t (a)")
    #expect(throws: SQLiteError(code: .busy, message: "database is locked")) {
      try SQLiteConnection(path: path, busyTimeout: .zero).useWriteAheadLog()
    }
    let (begun, beginning) = AsyncStream<Void>.makeStream()
    let waiter = Task.detached {
      let connection = try SQLiteConnection(path: path, busyTimeout: .seconds(60))
      beginning.finish()
      try connection.useWriteAheadLog()
      return try connection.integer("SELECT count(*) FROM t")
    }
    for await _ in begun {}
    try holder.execute("COMMIT")
    #expect(try await waiter.value == 0)
  }
}

@Suite struct `The tables of a file` {
  private let two = SQLiteSchema(
    applicationID: 7, version: 2, statements: "CREATE TABLE a (x);\nCREATE TABLE b (x);")

  @Test func `Many that meet an empty file at once all find it theirs`() throws {
    let folder = try TemporaryFolder()
    for round in 0..<40 {
      let path = folder.path + "/\(round).db"
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        do {
          try two.make(in: SQLiteConnection(path: path, busyTimeout: .seconds(60)))
        } catch {
          Issue.record(error)
        }
      }
    }
  }

  @Test func `An empty file gets the tables, and a file that has them nothing`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/t.db"
    for _ in 1...2 {
      let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
      try two.make(in: connection)
      #expect(try connection.integer("PRAGMA user_version") == 2)
      #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 2)
    }
  }

  @Test func `A file of another format or program is refused untouched`() throws {
    let connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    try connection.execute("PRAGMA application_id = 7; PRAGMA user_version = 3")
    #expect(throws: SQLiteSchema.Failure.newer(found: 3, known: 2)) { try two.make(in: connection) }
    try connection.execute("PRAGMA user_version = 1")
    #expect(throws: SQLiteSchema.Failure.older(found: 1, known: 2)) { try two.make(in: connection) }
    let foreign = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    try foreign.execute("CREATE TABLE theirs (x)")
    #expect(throws: SQLiteSchema.Failure.foreign(applicationID: 0)) { try two.make(in: foreign) }
    #expect(try foreign.integer("SELECT count(*) FROM sqlite_schema") == 1)
  }

  @Test(arguments: [
    ("CREATE VIEW v AS SELECT 1", "the view v"),
    ("CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END", "the trigger t"),
    ("CREATE TABLE c (x)", "the table c"), ("CREATE INDEX i ON a (x)", "the index i"),
    ("DROP TABLE b; CREATE TABLE b (x, y)", "the table b"),
    ("DROP TABLE b; CREATE VIEW b AS SELECT 1 AS x", "the view b"),
  ])
  func `A file that says it is ours and holds something else is damaged`(sql: String, thing: String) throws {
    let connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    try two.make(in: connection)
    try connection.execute(sql)
    let error = SQLiteError(code: .corrupt, message: "\(thing) is not one that bitpal makes")
    #expect(throws: error) { try two.make(in: connection) }
    #expect(throws: error) { try two.check(connection) }
  }

  @Test(arguments: [("DROP TABLE b", "the table b"), ("DROP INDEX i", "the index i")])
  func `The error names what a file lacks`(sql: String, thing: String) throws {
    let connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    let schema = SQLiteSchema(
      applicationID: 7, version: 1, statements: "CREATE TABLE a (x); CREATE TABLE b (x); CREATE INDEX i ON a (x)")
    try schema.make(in: connection)
    try schema.checkCompleteness(of: connection)
    try connection.execute(sql)
    #expect(throws: SQLiteError(code: .corrupt, message: "\(thing) is missing")) {
      try schema.checkCompleteness(of: connection)
    }
  }

  @Test func `Constraints and counters that SQLite keeps by itself are ours`() throws {
    let connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    let statements =
      "CREATE TABLE a (i INTEGER PRIMARY KEY AUTOINCREMENT, x TEXT UNIQUE); CREATE UNIQUE INDEX u ON a (i, x)"
    let schema = SQLiteSchema(applicationID: 7, version: 1, statements: statements)
    try schema.make(in: connection)
    try connection.execute("INSERT INTO a (x) VALUES ('x')")
    #expect(try schema.exists(in: connection))
  }

  @Test func `An empty file can become ours, but is not ours yet`() throws {
    let connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    #expect(try !two.exists(in: connection))
    #expect(throws: SQLiteSchema.Failure.foreign(applicationID: 0)) { try two.check(connection) }
  }

  @Test func `A statement that fails leaves the file as it was`() throws {
    let connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    let broken = SQLiteSchema(applicationID: 7, version: 1, statements: "CREATE TABLE a (x); CREATE TABLE")
    #expect(throws: SQLiteError.self) { try broken.make(in: connection) }
    #expect(try connection.integer("PRAGMA user_version") == 0)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 0)
  }
}
