import BitpalModel
import BitpalNetwork
import BitpalRateLimit
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalFleet

/// A server that says what it is told to, in one connection after another.
private final class ScriptedServer: Sendable {
  /// What is said to the greeting of a connection, and then to each exchange; nil for nothing.
  let replies: Locked<[[String?]]>
  let asked = Locked<[String]>([])

  init(_ replies: [[String?]]) {
    self.replies = Locked(replies)
  }

  final class Stream: FleetStream {
    private let server: ScriptedServer
    private var replies: [String?]

    init(_ server: ScriptedServer, _ replies: [String?]) {
      self.server = server
      self.replies = replies
    }

    func send(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(StreamFault) {
      server.asked.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
    }

    func receive(until end: ContinuousClock.Instant) throws(StreamFault) -> ArraySlice<UInt8> {
      guard !replies.isEmpty else { throw .broken("the server has closed the connection") }
      guard let reply = replies.removeFirst() else { throw .silent }
      return Array(reply.utf8)[...]
    }
  }

  func connect(_ address: FleetAddress, password: Secret?, now: @Sendable () -> Date) throws(FleetFault)
    -> FleetConnection
  {
    let replies = replies.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let replies else { throw .broken("connection refused") }
    return try FleetConnection(Stream(self, replies), address, password: password, now: now)
  }
}

@Suite struct `A fleet's server` {
  private static let greeting =
    "*2\r\n$10\r\n1736937000\r\n$6\r\n500000\r\n$37\r\nredis_version:7.0.15\r\nrun_id:abc123\r\n\r\n"
  private let folder: TemporaryFolder
  private let time = ManualTime(Date(milliseconds: 1_736_937_002_500))
  private let warnings = Locked<[String]>([])
  private let traces = Locked<[TraceEvent]>([])

  init() throws {
    folder = try TemporaryFolder()
  }

  private func fleet(_ server: ScriptedServer, address: String = "redis://cache.example", password: Secret? = nil)
    throws -> Fleet
  {
    let file = BudgetFile(path: folder.path + "/budgets.db") { Issue.record("\($0)") }
    let settings = FleetSettings(address: try FleetAddress(address), members: 4)
    return Fleet(
      settings: settings, memory: file, trace: Trace { [traces] event in traces.withLock { $0.append(event) } },
      warn: { [warnings] text in warnings.withLock { $0.append(text) } },
      now: { [time] in time.now }
    ) { [time] () throws(FleetFault) in
      try server.connect(settings.address, password: password, now: { time.now })
    }
  }

  private static func ping(_ fleet: Fleet) throws(FleetFault) -> String? {
    try fleet.perform { connection throws(FleetFault) in try connection.ask(["PING"]).text }
  }

  @Test func `is greeted with its password, user and database, and returns its time`() throws {
    let server = ScriptedServer([["+OK\r\n+OK\r\n" + Self.greeting, "+PONG\r\n"]])
    let fleet = try fleet(server, address: "redis://prices@cache.example/3", password: Secret("hush"))
    let offset = try fleet.perform { connection throws(FleetFault) in
      _ = try connection.ask(["PING"])
      return connection.offset
    }
    #expect(offset == .seconds(2))
    let asked = server.asked.withLock { $0 }
    #expect(
      asked.first?.hasPrefix("*3\r\n$4\r\nAUTH\r\n$6\r\nprices\r\n$4\r\nhush\r\n*2\r\n$6\r\nSELECT\r\n$1\r\n3\r\n")
        == true)
    #expect(asked.count == 2)
    #expect(fleet.counts.succeeded == 1 && fleet.counts.failed == 0)
  }

  @Test(arguments: [
    ("-WRONGPASS invalid username-password pair\r\n", "says WRONGPASS invalid username-password pair"),
    ("HTTP/1.1 400 Bad Request\r\n\r\n", "does not answer as Redis does"),
    ("*2\r\n:1\r\n:-5\r\n$0\r\n\r\n", "does not answer as Redis does"),
  ])
  func `is away when it does not greet back`(reply: String, words: String) throws {
    let fleet = try fleet(ScriptedServer([[reply + Self.greeting]]))
    #expect(throws: FleetFault.self) { try Self.ping(fleet) }
    #expect(
      warnings.withLock { $0 } == [
        "the fleet's Redis, redis://cache.example, \(words); until it answers, this machine keeps to its share of each budget, "
          + "1 of 4"
      ])
  }

  @Test func `is not asked for three seconds after a failure, by any process of the machine, with one warning`() throws
  {
    let server = ScriptedServer([[Self.greeting, nil], [Self.greeting, nil]])
    #expect(throws: FleetFault.silent(.milliseconds(250))) { try Self.ping(try fleet(server)) }
    // Another process.
    let other = try fleet(server)
    time.advance(by: .seconds(2))
    for _ in 0..<3 { #expect(throws: FleetFault.away("has not answered for 0.2s")) { try Self.ping(other) } }
    #expect(server.asked.withLock(\.count) == 2)
    #expect(
      traces.withLock { $0 } == [
        .fleet("the fleet's Redis, redis://cache.example, has not answered for 0.2s; not asked again for 3s"),
        .fleet(
          "the fleet's Redis, redis://cache.example, has been away for 2s: has not answered for 0.2s; this machine keeps "
            + "to its share of each budget, 1 of 4"),
      ])
    time.advance(by: .seconds(1))
    #expect(throws: FleetFault.silent(.milliseconds(250))) { try Self.ping(other) }
    #expect(warnings.withLock(\.count) == 1)
    #expect(other.outage?.begin == Date(milliseconds: 1_736_937_002_500))
    #expect(other.counts.openings == 1 && other.counts.failed == 1)
  }

  @Test func `is asked again where it has only closed a connection`() throws {
    let server = ScriptedServer([[Self.greeting, "+PONG\r\n"], [Self.greeting, "+PONG\r\n"]])
    let fleet = try fleet(server)
    for _ in 0..<2 { #expect(try Self.ping(fleet) == "PONG") }
    #expect(warnings.withLock(\.isEmpty))
  }

  @Test func `is known by all processes of the machine to be back when one has found it`() throws {
    let server = ScriptedServer([[Self.greeting, nil], [Self.greeting, "+PONG\r\n"]])
    let fleet = try fleet(server)
    let other = try self.fleet(server)
    #expect(throws: FleetFault.self) { try Self.ping(fleet) }
    #expect(other.lastOutage?.end == nil && other.lastOutage != nil)
    time.advance(by: .seconds(4))
    #expect(try Self.ping(fleet) == "PONG")
    #expect(fleet.outage == nil && other.outage == nil)
    #expect(other.isRecovering(for: .seconds(2)))
    time.advance(by: .seconds(2))
    #expect(!other.isRecovering(for: .seconds(2)))
  }

  @Test func `is sent the checksum of a script, and its text if it does not know the script`() throws {
    let server = ScriptedServer([[Self.greeting, "-NOSCRIPT No matching script.\r\n", ":1\r\n", ":1\r\n"]])
    try fleet(server).perform { connection throws(FleetFault) in
      for _ in 0..<2 { _ = try connection.run("return 1", keys: ["k"], ["a"]) }
    }
    // printf 'return 1' | sha1sum
    let byName =
      "*5\r\n$7\r\nEVALSHA\r\n$40\r\ne0e1f9fabfc9d4800c877a703b823ac0578ff8db\r\n$1\r\n1\r\n$1\r\nk\r\n$1\r\na\r\n"
    let byText = "*5\r\n$4\r\nEVAL\r\n$8\r\nreturn 1\r\n$1\r\n1\r\n$1\r\nk\r\n$1\r\na\r\n"
    #expect(server.asked.withLock { $0.dropFirst() } == [byName, byText, byName])
  }

  @Test(arguments: [
    "$4\r\ndone\r\n:5\r\n:-1\r\n:-1", "$5\r\ntaken\r\n:5\r\n:4\r\n:-1", "$7\r\nrefused\r\n:5\r\n:5\r\n:5",
    "$6\r\nreport\r\n:5\r\n:-1\r\n:-1", "$5\r\nearly\r\n:5\r\n:-1\r\n:-1",
  ])
  func `is away when it says what the script never says`(outcome: String) throws {
    let reply = "*7\r\n\(outcome)\r\n$0\r\n\r\n:0\r\n$3\r\na b\r\n"
    let fleet = try fleet(ScriptedServer([[Self.greeting] + Array(repeating: reply, count: 9)]))
    let file = BudgetFile(path: folder.path + "/budgets.db") { Issue.record("\($0)") }
    let limits = [RateLimit(limit: 8, window: .seconds(60))].compactMap { $0 }
    #expect(throws: BudgetStoreError.unreachable) {
      try FleetBudgetStore(fleet, local: file).apply(.take(patience: .seconds(2)), to: "a", limits: limits)
    }
    #expect(fleet.outage != nil)
  }

  @Test func `A token that is given back is none that the machine has used`() throws {
    func reply(_ outcome: String) -> String { "*7\r\n\(outcome)\r\n$0\r\n\r\n:0\r\n$3\r\na b\r\n" }
    let taken = reply("$5\r\ntaken\r\n:5\r\n:9\r\n:-1")
    let fleet = try fleet(ScriptedServer([[Self.greeting, taken, taken, reply("$4\r\ndone\r\n:5\r\n:-1\r\n:-1")]]))
    let file = BudgetFile(path: folder.path + "/budgets.db") { Issue.record("\($0)") }
    let limits = [RateLimit(limit: 8, window: .seconds(600))].compactMap { $0 }
    let store = FleetBudgetStore(fleet, local: file)
    /// The tokens of the report: `;8/600000000:age count,…`.
    func used() -> Int {
      let ages = store.share(of: "a", limits).report().last?.split(separator: ":").last ?? ""
      return ages.split(separator: ",").compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    }
    for _ in 0..<2 { _ = try store.apply(.take(), to: "a", limits: limits) }
    #expect(used() == 2)
    _ = try store.apply(.giveBack(.microseconds(9)), to: "a", limits: limits)
    #expect(used() == 1)
  }

  @Test func `While it is away a machine keeps to its share, which begins used up if it had counted with others`()
    async throws
  {
    let limits = [RateLimit(limit: 8, window: .seconds(60))].compactMap { $0 }
    let file = BudgetFile(path: folder.path + "/budgets.db") { Issue.record("\($0)") }
    func limiter(_ fleet: Fleet, _ key: String) -> FleetLimiter {
      FleetLimiter(
        provider: "p", key: key, limits: limits, keyVariable: nil, fleet: fleet, local: file, time: SystemTime(),
        trace: .silent)
    }
    let fleet = try fleet(ScriptedServer([]))
    let newcomer = limiter(fleet, "new")
    for _ in 0..<2 { #expect(try await newcomer.acquire(deadline: SystemTime().monotonic).isOfShare) }
    await #expect(throws: BitpalError.self) { try await newcomer.acquire(deadline: SystemTime().monotonic) }
    FleetBudgetStore(fleet, local: file).share(of: "old", limits).record(generation: "abc123 x")
    await #expect(throws: BitpalError.self) {
      try await limiter(fleet, "old").acquire(deadline: SystemTime().monotonic)
    }
  }
}

@Suite struct `Contents of a fleet` {
  private let keys: FleetKeys

  init() throws {
    keys = FleetKeys(FleetSettings(address: try FleetAddress("/run/redis.sock"), prefix: "{bitpal-home}"))
  }

  @Test func `has a different name for every answer`() {
    func name(_ coin: String, _ currency: String) -> String {
      keys.answer(AnswerKey(provider: "https://a.b", kind: .coinList, coin: coin, currency: currency, range: ""))
    }
    #expect(name("bitcoin", "usd") == "{bitpal-home}:1:answer:coin%20list:https%3a//a.b:bitcoin:usd:")
    #expect(name("a:b", "") != name("a", "b"))
    #expect(name("a%3ab", "") != name("a:b", ""))
    #expect(keys.all("answer") == "{bitpal\\-home}:1:answer:*")
  }

  @Test(arguments: ["", "x", "1", "1 2 3", "1 2 x y", "-1 2 3 x", "99999999999999999999 1 2 x"])
  func `A breaker that cannot be read is none`(text: String) {
    #expect(FleetBreaker(text: text) == nil)
  }

  @Test func `A breaker is read as it was written`() {
    var breaker = FleetBreaker(begin: Date(milliseconds: 5), last: Date(milliseconds: 7000), message: "says NOAUTH x y")
    #expect(FleetBreaker(text: breaker.text) == breaker)
    #expect(breaker.isOpen(at: Date(milliseconds: 9_999)))
    #expect(!breaker.isOpen(at: Date(milliseconds: 10_000)))
    #expect(!breaker.isOpen(at: Date(milliseconds: 6_999)), "a failure in the future")
    breaker.end = Date(milliseconds: 8000)
    #expect(FleetBreaker(text: breaker.text) == breaker)
    #expect(!breaker.isOpen(at: Date(milliseconds: 9_000)))
  }
}
