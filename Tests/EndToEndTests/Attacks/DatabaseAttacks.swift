import BitpalFiles
import Foundation
import Glibc
import Testing

extension Attacks {
  /// Databases that are not what the tool left there.
  @Suite struct `A database that is not ours` {
    /// What a shell puts in the place of `$1`; `$2` is a copy of what the tool made.
    private static let replacements: [String: String] = [
      "garbage": "head -c 20000 /dev/urandom > $1", "a text": "echo 'my diary' > $1", "nothing": ": > $1",
      "one byte": "printf S > $1", "half of it": "head -c $(($(stat -c %s $2) / 2)) $2 > $1",
      "a folder": "mkdir $1", "a pipe": "mkfifo $1", "a device": "ln -s /dev/zero $1", "a loop": "ln -s $1 $1",
      "a link to a text": "echo 'my diary' > diary; ln -s $PWD/diary $1",
      "a dangling link": "ln -s $PWD/no/where $1",
    ]

    /// Statements that make another's database, or ours with something in it that never ends.
    private static let schemas: [String: String] = [
      "another program's": "CREATE TABLE notes (text); INSERT INTO notes VALUES ('diary'); PRAGMA application_id = 0",
      "a newer version's": "PRAGMA user_version = 999",
      "an endless trigger's": """
      CREATE TRIGGER hang BEFORE INSERT ON %TABLE BEGIN
        SELECT count(*) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n);
      END
      """,
      "an endless view's": """
      DROP TABLE %TABLE;
      CREATE VIEW %TABLE AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i, i AS provider, i AS operation, i AS coin, i AS currency, i AS range, i AS fetched_at, i AS source,
          i AS bytes, i AS payload, i AS portfolio, i AS id, i AS amount, i AS type, i AS date FROM n
      """,
      "one with another table": "DROP TABLE %TABLE; CREATE TABLE %TABLE (surprise TEXT)",
    ]

    /// The files of a home in which every command has been run once, and a table of each.
    private static let files: [(name: String, table: String)] = [
      ("cache.db", "entry"), ("budgets.db", "request_budget"), ("bitpal.db", "trade"),
    ]

    private static func world() throws -> (LiveWorld, MarketServer) {
      let server = try MarketServer()
      let live = try LiveWorld(server.url, settings: LiveWorld.staleAtOnce)
      let made = try live.run(
        "bitpal trust -q 2>/dev/null; bitpal price bitcoin -q && bitpal buy 1 bitcoin --price 1 --date 2024-01-01 -q")
      try #require(made.status == 0, "\(made.errors)")
      return (live, server)
    }

    private static func path(of name: String, in live: LiveWorld) throws -> String {
      let found = try live.world.run("find ../home -name \(name)").output.trimmingCharacters(in: .newlines)
      try #require(!found.isEmpty && !found.contains("\n"), "\(found)")
      return live.world.work + "/" + found
    }

    private func expectSafeCommands(_ live: LiveWorld, _ what: String) throws {
      for command in [
        "price bitcoin --timeout 3s", "status bitcoin", "cache stats", "portfolio transactions", "doctor",
        "buy 1 bitcoin --price 2 --date 2024-01-02", "cache clear", "price ethereum --timeout 3s",
      ] {
        let outcome = try live.world.attack("bitpal \(command)", ["COINGECKO_API_KEY": LiveWorld.key])
        expectSafe(outcome, "\(what), \(command)")
      }
    }

    @Test(arguments: files.map(\.name), replacements.keys.sorted())
    func `is refused or set aside, and what a link leads to is left alone`(name: String, kind: String) throws {
      let (live, server) = try Self.world()
      defer { server.turn(nil) }
      let path = try Self.path(of: name, in: live)
      let script = try #require(Self.replacements[kind])
      _ = try live.run("mv '\(path)' made.db; rm -f '\(path)'-*; set -- '\(path)' made.db; \(script)")
      try expectSafeCommands(live, "\(name) \(kind)")
      let diary = live.world.content("diary")
      #expect(diary == nil || diary == Data("my diary\n".utf8))
      if name == "bitpal.db", kind == "a text" {
        #expect(live.world.content(path) == Data("my diary\n".utf8))
      }
    }

    @Test(arguments: files.map(\.name), schemas.keys.sorted())
    func `does not hang a command, nor is it changed when it holds what is not ours`(name: String, kind: String) throws
    {
      let (live, server) = try Self.world()
      defer { server.turn(nil) }
      let path = try Self.path(of: name, in: live)
      let table = try #require(Self.files.first { $0.name == name }).table
      let schema = try #require(Self.schemas[kind]).replacingOccurrences(of: "%TABLE", with: table)
      if kind == "another program's" { unlink(path) }
      do {
        let file = try SQLiteConnection(path: path, busyTimeout: .seconds(2))
        try file.execute("PRAGMA journal_mode = DELETE; \(schema)")
      }
      let before = live.world.content(path)
      try expectSafeCommands(live, "\(name) \(kind)")
      if kind == "another program's" || name == "bitpal.db" {
        #expect(live.world.content(path) == before, "\(name) was changed")
      }
    }

    @Test(arguments: files.map(\.name)) func `or one that another holds costs no more than the time there is`(
      name: String
    ) throws {
      let (live, server) = try Self.world()
      defer { server.turn(nil) }
      let holder = try SQLiteConnection(path: Self.path(of: name, in: live), busyTimeout: .seconds(2))
      try holder.execute("BEGIN EXCLUSIVE")
      for command in [
        "price bitcoin --timeout 1s", "price bitcoin --refresh --timeout 1s", "status bitcoin --timeout 1s",
      ] {
        let outcome = try live.run("timeout 6 bitpal \(command)")
        expectSafe(outcome, "\(name) \(command)")
      }
    }

    @Test(arguments: schemas.keys.sorted()) func `given as a backup, is not restored`(kind: String) throws {
      let (live, server) = try Self.world()
      defer { server.turn(nil) }
      #expect(try live.run("bitpal portfolio backup copy.db -q").status == 0)
      let schema = try #require(Self.schemas[kind]).replacingOccurrences(of: "%TABLE", with: "trade")
      if kind == "another program's" { unlink(live.world.work + "/copy.db") }
      do {
        let file = try SQLiteConnection(path: live.world.work + "/copy.db", busyTimeout: .seconds(2))
        try file.execute(schema)
      }
      let before = try live.run("bitpal portfolio transactions --format csv").output
      let outcome = try live.world.attack("bitpal portfolio restore copy.db")
      expectSafe(outcome, kind)
      #expect(outcome.status != 0)
      #expect(try live.run("timeout 10 bitpal portfolio transactions --format csv").output == before)
    }
  }
}
