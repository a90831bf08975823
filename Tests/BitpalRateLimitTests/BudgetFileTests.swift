import BitpalFiles
import BitpalModel
import BitpalTesting
import Foundation
import TestSupport
import Testing

@testable import BitpalRateLimit

@Suite struct `Budgets in a file that processes share` {
  private let folder: TemporaryFolder
  private let time = ManualTime()
  private let heard = Notes<TraceEvent>()
  private let told = Notes<String>()

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path + "/limits.db" }

  /// Each has a connection of its own, as each process would.
  private func limiter(
    _ limit: RateLimit?, key: String = "coingecko", path: String? = nil, boot: String = "boot-1",
    clock: (@Sendable () -> Duration)? = nil, wall: (@Sendable () -> Date)? = nil
  ) throws -> BudgetLimiter {
    let time = time
    let heard = heard
    let told = told
    return BudgetLimiter(
      provider: "coingecko", key: key, limits: [try #require(limit)], path: path ?? self.path, time: time,
      clock: BudgetClock(bootID: boot, now: clock ?? { time.monotonic }, wall: wall ?? { time.now }),
      trace: Trace { heard.add($0) }, warn: { told.add($0) })
  }

  private func admits(_ limiter: BudgetLimiter) async -> Bool {
    (try? await limiter.acquire(deadline: time.monotonic)) != nil
  }

  @Test func `A request of one process reduces the budget of another`() async throws {
    let limit = RateLimit(limit: 2, window: .seconds(60))
    let first = try limiter(limit)
    let second = try limiter(limit)
    #expect(await admits(first))
    #expect(await admits(second))
    #expect(await !admits(first))
    #expect(await !admits(second))
    time.advance(by: .seconds(60.1))
    #expect(await admits(second))
    #expect(await admits(first))
    #expect(await !admits(first))
  }

  @Test func `Keys have budgets of their own`() async throws {
    let limit = RateLimit(limit: 1, window: .seconds(60))
    #expect(await admits(try limiter(limit, key: "coingecko")))
    #expect(await !admits(try limiter(limit, key: "coingecko")))
    #expect(await admits(try limiter(limit, key: "coingecko demo 3f2a")))
  }

  @Test func `A pause of a day lasts an hour, is listed, and is lifted with the budgets`() async throws {
    let limit = RateLimit(limit: 60, window: .seconds(60))
    let first = try limiter(limit)
    #expect(await admits(first))
    first.block(for: .seconds(86_400))
    let file = BudgetFile(
      path: path, clock: BudgetClock(bootID: "boot-1", now: { [time] in time.monotonic }, wall: { [time] in time.now }))
    let usage = RequestBudget.Usage(limit: try #require(limit), used: 1)
    #expect(
      file.standings() == [BudgetFile.Standing(provider: "coingecko", usage: [usage], pause: .seconds(3600))])
    time.advance(by: .seconds(3599))
    #expect(await !admits(try limiter(limit)))
    time.advance(by: .seconds(1))
    #expect(file.standings().map(\.pause) == [nil])
    #expect(await admits(try limiter(limit)))
    first.block(for: .seconds(60))
    #expect(await !admits(try limiter(limit)))
    #expect(try file.clear() == 1)
    #expect(await admits(try limiter(limit)))
  }

  @Test func `Without counted requests there is nothing to forget, and the file is not created`() throws {
    let file = BudgetFile(path: path)
    #expect(try file.clear() == 0)
    #expect(file.standings().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `A pause from the source also holds for a process that starts later`() async throws {
    let limit = RateLimit(limit: 60, window: .seconds(60))
    let first = try limiter(limit)
    #expect(await admits(first))
    first.block(for: .seconds(3))
    let second = try limiter(limit)
    await #expect(
      throws: BitpalError.rateLimited(provider: "coingecko", wait: .seconds(3), reason: "the source asked for a pause")
    ) {
      try await second.acquire(deadline: .seconds(2))
    }
    time.advance(by: .seconds(3))
    #expect(await admits(second))
  }

  @Test func `A restart of the machine forgets nothing: the time that it took is the wall clock's`() async throws {
    let limit = RateLimit(limit: 1, window: .seconds(60))
    let before = try limiter(limit, clock: { .seconds(1_000_000) })
    try await before.acquire(deadline: .zero)
    let after = try limiter(limit, boot: "boot-2", clock: { .seconds(5) })
    #expect(await !admits(after))
    time.advance(by: .seconds(61))
    #expect(await admits(try limiter(limit, boot: "boot-3", clock: { .zero })))
    // A wall clock that was set back counts as one that stood still.
    let yesterday = time.now.adding(.seconds(-86_400))
    #expect(await !admits(try limiter(limit, boot: "boot-4", clock: { .zero }, wall: { yesterday })))
    // From then on the budget goes on with the machine, whatever its wall clock says.
    #expect(await admits(try limiter(limit, boot: "boot-4", clock: { .seconds(61) }, wall: { yesterday })))
  }

  @Test func `While the machine runs the wall clock plays no part`() async throws {
    // The boot clock stands still while the time source, wall clock included, runs: nothing comes back.
    let limiter = try limiter(RateLimit(limit: 1, window: .seconds(60)), clock: { .seconds(7) })
    #expect(await admits(limiter))
    time.advance(by: .seconds(1_000_000))
    #expect(await !admits(limiter))
  }

  @Test func `Another budget in the settings goes on with what was counted`() async throws {
    for _ in 0..<2 { #expect(await admits(try limiter(RateLimit(limit: 2, window: .seconds(60))))) }
    #expect(await admits(try limiter(RateLimit(limit: 3, window: .seconds(60)))))
    #expect(await !admits(try limiter(RateLimit(limit: 3, window: .seconds(60)))))
    #expect(await !admits(try limiter(RateLimit(limit: 2, window: .seconds(30)))))
    time.advance(by: .seconds(31))
    #expect(await admits(try limiter(RateLimit(limit: 2, window: .seconds(30)))))
  }

  @Test func `Eight connections in parallel never exceed the limit`() async throws {
    let limit = try #require(RateLimit(limit: 25, window: .seconds(60)))
    let limiters = try (0..<8).map { _ in try limiter(limit) }
    let time = time
    for round in 0..<3 {
      let admitted = await withTaskGroup(of: Int.self) { group in
        for limiter in limiters {
          group.addTask {
            var count = 0
            for _ in 0..<20 where (try? await limiter.acquire(deadline: time.monotonic)) != nil { count += 1 }
            return count
          }
        }
        return await group.reduce(0, +)
      }
      #expect(admitted == (round == 1 ? 0 : 25))
      time.advance(by: .seconds(31))
    }
    #expect(heard.all.isEmpty)
  }

  @Test func `A folder that is not there is made, for the user alone`() async throws {
    let limit = RateLimit(limit: 1, window: .seconds(60))
    let path = folder.path + "/state/bitpal/limits.db"
    #expect(await admits(try limiter(limit, path: path)))
    #expect(await !admits(try limiter(limit, path: path)))
    let made = try FileManager.default.attributesOfItem(atPath: folder.path + "/state/bitpal")
    #expect(made[.posixPermissions] as? Int == 0o700)
    #expect(told.all.isEmpty)
  }

  @Test func `A file that cannot be created costs only the sharing, with one warning`() async throws {
    let path = try folder.write("a file", to: "file") + "/limits.db"
    let limiter = try limiter(RateLimit(limit: 1, window: .seconds(60)), path: path)
    #expect(await admits(limiter))
    #expect(await !admits(limiter))
    #expect(
      told.all == [
        "the request budgets in \(path) cannot be used: unable to open database file: Not a directory; "
          + "each command counts its requests alone"
      ])
  }

  @Test func `A folder in which others can write is not trusted`() async throws {
    try folder.write("somebody's", to: "open/file")
    let path = folder.path + "/open/limits.db"
    #expect(chmod(folder.path + "/open", 0o777) == 0)
    #expect(await admits(try limiter(RateLimit(limit: 1, window: .seconds(60)), path: path)))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(told.all.count == 1 && told.all[0].contains("others can write in the folder"))
  }

  @Test(arguments: [
    ("PRAGMA user_version = 99", "were written by a newer bitpal"),
    ("DROP TABLE request_budget; CREATE TABLE t (a); PRAGMA application_id = 4711", "belong to another program"),
  ])
  func `Beside a file of another's this version shares one of its own`(_ change: String, _ words: String) async throws {
    let limit = RateLimit(limit: 2, window: .seconds(60))
    #expect(await admits(try limiter(limit)))
    try SQLiteConnection(path: path, busyTimeout: .zero).execute(change)
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(await admits(try limiter(limit)))
    #expect(await admits(try limiter(limit)))
    #expect(await !admits(try limiter(limit)))
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(
      Set(told.all) == ["the request budgets in \(path) \(words); this version counts its requests in \(path).v5"])
  }

  @Test func `A file that another process has locked lets nothing go`() async throws {
    let limit = RateLimit(limit: 2, window: .seconds(60))
    let limiter = try limiter(limit)
    #expect(await admits(limiter))
    let holder = try SQLiteConnection(path: path, busyTimeout: .zero)
    try holder.execute("BEGIN EXCLUSIVE")
    await #expect(throws: BitpalError.budgetLocked(provider: "coingecko", path: path)) {
      // No time is left to wait for the lock.
      try await Deadline.independent(.zero, on: SystemTime()) { _ = try await limiter.acquire(deadline: nil) }
    }
    try holder.execute("ROLLBACK")
    #expect(await admits(limiter))
    #expect(await !admits(limiter))
    #expect(told.all.isEmpty)
  }

  @Test func `A process that had the removed file open continues with the file of all others`() async throws {
    let limit = RateLimit(limit: 2, window: .seconds(60))
    let first = try limiter(limit)
    #expect(await admits(first))
    try FileManager.default.removeItem(atPath: path)
    #expect(await admits(try limiter(limit)))
    #expect(await admits(first))
    #expect(await !admits(first))
    #expect(await !admits(try limiter(limit)))
  }

  @Test(arguments: ["blocked_until", "boot_at", "wall_at", "at", "newest", "waiting", "logs"])
  func `An impossible time in the file delays requests by at most an hour`(column: String) async throws {
    let limit = RateLimit(limit: 2, window: .seconds(60))
    #expect(await admits(try limiter(limit)))
    try SQLiteConnection(path: path, busyTimeout: .zero).execute(
      "UPDATE request_budget SET \(column) = \(Int64.max / 4)")
    _ = await admits(try limiter(limit))
    time.advance(by: .seconds(3600))
    #expect(await admits(try limiter(limit)))
  }

  @Test func `A damaged file is set aside`() async throws {
    try Data("this is no database, only some text that is longer than a header".utf8).write(to: URL(filePath: path))
    let limit = RateLimit(limit: 1, window: .seconds(60))
    #expect(await admits(try limiter(limit)))
    #expect(await !admits(try limiter(limit)))
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
    #expect(told.all.isEmpty)
  }

  @Test func `A file damaged while in use is set aside too`() async throws {
    let limit = RateLimit(limit: 2, window: .seconds(60))
    let limiter = try limiter(limit)
    #expect(await admits(limiter))
    try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
    #expect(await admits(limiter))
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
    #expect(await admits(try self.limiter(limit)))
    #expect(await !admits(limiter))
  }

  @Test func `The machine's boot clock moves on and has an id`() {
    let clock = BudgetClock.system
    let before = clock.now
    #expect(before > .zero)
    #expect(clock.now >= before)
    #expect(!clock.bootID.isEmpty)
    #expect(clock.bootID != "unknown" || !FileManager.default.fileExists(atPath: "/proc/sys/kernel/random/boot_id"))
  }

  @Test(.timeLimit(.minutes(20)))
  func `A file with an endless view instead of its table is replaced`() async throws {
    let limit = RateLimit(limit: 1, window: .seconds(60))
    #expect(await admits(try limiter(limit)))
    try SQLiteConnection(path: path, busyTimeout: .zero).execute(
      """
      DROP TABLE request_budget;
      CREATE VIEW request_budget AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)
        SELECT 'coingecko' AS key, 'boot-1' AS boot, 9 AS boot_at FROM n WHERE x < 0
      """)
    #expect(await admits(try limiter(limit)))
    #expect(await !admits(try limiter(limit)))
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
  }

  @Test func `Another program's file is left as it is`() async throws {
    let theirs = try SQLiteConnection(path: path, busyTimeout: .zero)
    try theirs.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    #expect(await admits(try limiter(RateLimit(limit: 2, window: .seconds(60)))))
    #expect(try theirs.integer("SELECT journal_mode = 'wal' FROM pragma_journal_mode") == 1)
  }
}
