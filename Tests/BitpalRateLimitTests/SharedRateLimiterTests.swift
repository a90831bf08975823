import BitpalModel
import BitpalSQLite
import BitpalTesting
import Foundation
import TestSupport
import Testing

@testable import BitpalRateLimit

@Suite struct `A limiter shared between processes` {
  private let folder: TemporaryFolder
  private let time = ManualTime()
  private let heard = Notes<TraceEvent>()
  private let told = Notes<String>()

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path + "/limits.db" }

  /// Each has a connection of its own, as each process would.
  private func limiter(
    _ limit: RateLimit?, key: String = "coingecko", path: String? = nil, boot: String = "boot-1",
    clock: (@Sendable () -> Duration)? = nil
  ) throws -> SharedRateLimiter {
    let time = time
    let heard = heard
    let told = told
    return SharedRateLimiter(
      path: path ?? self.path, key: key, provider: "coingecko", limit: try #require(limit), time: time,
      clock: BootClock(bootID: boot, now: clock ?? { time.monotonic }),
      trace: Trace { heard.add($0) }, warn: { told.add($0) })
  }

  private func admits(_ limiter: SharedRateLimiter) async -> Bool {
    (try? await limiter.acquire(deadline: time.monotonic)) != nil
  }

  @Test func `What one takes, another lacks`() async throws {
    let limit = RateLimit(limit: 5, window: .seconds(60), burst: 2)
    let first = try limiter(limit)
    let second = try limiter(limit)
    #expect(await admits(first))
    #expect(await admits(second))
    #expect(await !admits(first))
    #expect(await !admits(second))
    time.advance(by: .seconds(20))
    #expect(await admits(second))
    #expect(await !admits(first))
  }

  @Test func `Keys have budgets of their own`() async throws {
    let limit = RateLimit(limit: 2, window: .seconds(60), burst: 1)
    #expect(await admits(try limiter(limit, key: "coingecko")))
    #expect(await !admits(try limiter(limit, key: "coingecko")))
    #expect(await admits(try limiter(limit, key: "coingecko demo 3f2a")))
  }

  @Test func `A pause of a day lasts an hour, is listed, and is lifted with the budgets`() async throws {
    let limit = RateLimit(limit: 60, window: .seconds(60))
    let first = try limiter(limit)
    #expect(await admits(first))
    first.block(for: .seconds(86_400))
    let file = BudgetFile(path: path)
    let clock = BootClock(bootID: "boot-1") { [time] in time.monotonic }
    #expect(file.pauses(clock: clock) == [BudgetFile.Pause(provider: "coingecko", left: .seconds(3600))])
    time.advance(by: .seconds(3599))
    #expect(await !admits(try limiter(limit)))
    time.advance(by: .seconds(1))
    #expect(file.pauses(clock: clock).isEmpty)
    #expect(await admits(try limiter(limit)))
    first.block(for: .seconds(60))
    #expect(await !admits(try limiter(limit)))
    #expect(try file.clear() == 1)
    #expect(await admits(try limiter(limit)))
  }

  @Test func `Where nothing has been counted there is nothing to forget, and no file is made`() throws {
    let file = BudgetFile(path: path)
    #expect(try file.clear() == 0)
    #expect(file.pauses().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `A pause that one was told holds for another that starts later`() async throws {
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

  @Test func `A restart of the machine makes the state void`() async throws {
    let limit = RateLimit(limit: 2, window: .seconds(60), burst: 1)
    let before = try limiter(limit, clock: { .seconds(1_000_000) })
    try await before.acquire(deadline: .zero)
    before.block(for: .seconds(86_400))
    let after = try limiter(limit, boot: "boot-2", clock: { .seconds(5) })
    try await after.acquire(deadline: .zero)
    let third = try limiter(limit, boot: "boot-2", clock: { .seconds(5) })
    await #expect(throws: BitpalError.self) { try await third.acquire(deadline: .zero) }
  }

  @Test func `The wall clock plays no part`() async throws {
    // The boot clock stands still while the time source, wall clock included, runs: nothing comes back.
    let limiter = try limiter(RateLimit(limit: 2, window: .seconds(60), burst: 1), clock: { .seconds(7) })
    #expect(await admits(limiter))
    time.advance(by: .seconds(1_000_000))
    #expect(await !admits(limiter))
  }

  @Test func `Another budget in the settings goes on from what is left`() async throws {
    #expect(await admits(try limiter(RateLimit(limit: 2, window: .seconds(60), burst: 1))))
    #expect(await !admits(try limiter(RateLimit(limit: 60, window: .seconds(60), burst: 30))))
    time.advance(by: .seconds(2))
    #expect(await admits(try limiter(RateLimit(limit: 60, window: .seconds(60), burst: 30))))
  }

  @Test func `Eight connections in parallel never exceed the limit`() async throws {
    let limit = try #require(RateLimit(limit: 40, window: .seconds(60), burst: 25))
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
      #expect(admitted == (round == 0 ? 25 : 5))
      time.advance(by: .seconds(20))
    }
    #expect(heard.all.isEmpty)
  }

  @Test func `A folder that is not there is made, for the user alone`() async throws {
    let limit = RateLimit(limit: 2, window: .seconds(60), burst: 1)
    let path = folder.path + "/state/bitpal/limits.db"
    #expect(await admits(try limiter(limit, path: path)))
    #expect(await !admits(try limiter(limit, path: path)))
    let made = try FileManager.default.attributesOfItem(atPath: folder.path + "/state/bitpal")
    #expect(made[.posixPermissions] as? Int == 0o700)
    #expect(told.all.isEmpty)
  }

  @Test func `A file that cannot be made costs only the sharing, and that is told once`() async throws {
    let path = try folder.write("a file", to: "file") + "/limits.db"
    let limiter = try limiter(RateLimit(limit: 2, window: .seconds(60), burst: 1), path: path)
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
    #expect(await admits(try limiter(RateLimit(limit: 2, window: .seconds(60), burst: 1), path: path)))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(told.all.count == 1 && told.all[0].contains("others can write in the folder"))
  }

  @Test(arguments: [
    ("PRAGMA user_version = 99", "were written by a newer bitpal"),
    ("DROP TABLE budget; CREATE TABLE t (a); PRAGMA application_id = 4711", "belong to another program"),
  ])
  func `Beside a file of another's this version shares one of its own`(_ change: String, _ words: String) async throws {
    let limit = RateLimit(limit: 4, window: .seconds(60), burst: 2)
    #expect(await admits(try limiter(limit)))
    try SQLiteConnection(path: path, busyTimeout: .zero).execute(change)
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(await admits(try limiter(limit)))
    #expect(await admits(try limiter(limit)))
    #expect(await !admits(try limiter(limit)))
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(
      Set(told.all) == ["the request budgets in \(path) \(words); this version counts its requests in \(path).v1"])
  }

  @Test func `A file that another process has locked lets nothing go`() async throws {
    let limit = RateLimit(limit: 4, window: .seconds(60), burst: 2)
    let limiter = try limiter(limit)
    #expect(await admits(limiter))
    let holder = try SQLiteConnection(path: path, busyTimeout: .zero)
    try holder.execute("BEGIN EXCLUSIVE")
    await #expect(throws: BitpalError.budgetLocked(provider: "coingecko", path: path)) {
      // No time is left to wait for the lock.
      try await Deadline.$current.withValue(SystemTime().monotonic) { try await limiter.acquire(deadline: nil) }
    }
    try holder.execute("ROLLBACK")
    #expect(await admits(limiter))
    #expect(await !admits(limiter))
    #expect(told.all.isEmpty)
  }

  @Test func `Who had the file open when it was removed goes on with the one that all others use`() async throws {
    let limit = RateLimit(limit: 4, window: .seconds(60), burst: 2)
    let first = try limiter(limit)
    #expect(await admits(first))
    try FileManager.default.removeItem(atPath: path)
    #expect(await admits(try limiter(limit)))
    #expect(await admits(first))
    #expect(await !admits(first))
    #expect(await !admits(try limiter(limit)))
  }

  @Test(arguments: ["turn", "blocked_until", "freed", "seen"])
  func `An instant of another age in the file keeps nobody waiting for longer than an hour`(column: String) async throws
  {
    let limit = RateLimit(limit: 4, window: .seconds(60), burst: 2)
    #expect(await admits(try limiter(limit)))
    try SQLiteConnection(path: path, busyTimeout: .zero).execute("UPDATE budget SET \(column) = \(Int64.max / 4)")
    _ = await admits(try limiter(limit))
    time.advance(by: .seconds(3600))
    #expect(await admits(try limiter(limit)))
  }

  @Test func `A damaged file is set aside`() async throws {
    try Data("this is no database, only some text that is longer than a header".utf8).write(to: URL(filePath: path))
    let limit = RateLimit(limit: 2, window: .seconds(60), burst: 1)
    #expect(await admits(try limiter(limit)))
    #expect(await !admits(try limiter(limit)))
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
    #expect(told.all.isEmpty)
  }

  @Test func `A file damaged while in use costs only the sharing`() async throws {
    let limit = RateLimit(limit: 4, window: .seconds(60), burst: 2)
    let limiter = try limiter(limit)
    #expect(await admits(limiter))
    try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
    #expect(await admits(limiter))
    #expect(await !admits(limiter))
    #expect(told.all.count == 1)
  }

  @Test func `The machine's boot clock moves on and has an id`() {
    let clock = BootClock.system
    let before = clock.now
    #expect(before > .zero)
    #expect(clock.now >= before)
    #expect(!clock.bootID.isEmpty)
    #expect(clock.bootID != "unknown" || !FileManager.default.fileExists(atPath: "/proc/sys/kernel/random/boot_id"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `A file with a view without end in the place of its table is put aside`() async throws {
    let limit = RateLimit(limit: 2, window: .seconds(60), burst: 1)
    #expect(await admits(try limiter(limit)))
    try SQLiteConnection(path: path, busyTimeout: .zero).execute(
      """
      DROP TABLE budget;
      CREATE VIEW budget AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)
        SELECT 'coingecko' AS key, 'boot-1' AS boot, 9 AS capacity FROM n WHERE x < 0
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
