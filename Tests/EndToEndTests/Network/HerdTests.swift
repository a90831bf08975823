import BitpalFiles
import Glibc
import LoopbackServer
import TestSupport
import Testing

/// Many processes, one source.
@Suite(.ownThreads) struct `A herd` {
  @Test func `that asks for one cold key makes one request`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url)
    let endings = try live.runTogether(Array(repeating: ["price", "bitcoin"], count: 20))
    #expect(Set(endings) == [.exited(0)])
    #expect(server.requests.count == 1)
  }

  @Test func `makes one more when the one that asks is killed`() throws {
    let server = try MarketServer(.silence(.seconds(60)))
    let live = try LiveWorld(server.url)
    let winner = try live.start(["price", "bitcoin"])
    server.waitForRequests(1)
    let others = try (0..<19).map { _ in try live.start(["price", "bitcoin"]) }
    server.turn(nil)
    winner.send(SIGKILL)
    #expect(winner.wait() == .killed(signal: SIGKILL))
    #expect(Set(others.map { $0.wait() }) == [.exited(0)])
    #expect(server.requests.count == 2)
  }

  @Test func `shares one budget: as many as fit are answered, and the others get the wait`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, rate: "{ limit: 5/10m, burst: 5 }")
    let endings = try live.runTogether((0..<20).map { ["price", "coin-\($0)"] })
    #expect(endings.filter { $0 == .exited(0) }.count == 5)
    #expect(endings.filter { $0 == .exited(5) }.count == 15)
    #expect(server.requests.count == 5)
    let late = try live.run("bitpal price bitcoin")
    #expect(
      late.errors.hasPrefix("bitpal: bitcoin: 5 of 5 requests to coingecko in 10m are used; the next is free in "))
  }

  @Test func `waits for its budget up to its limit, and a request that never left does not count`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, rate: "1/2s")
    // Nobody listens on port 1.
    let closed = "{ base_url: \"http://127.0.0.1:1\", rate_limit: 1/2s, tier: demo }"
    let down = try live.run(
      "echo 'bitpal: 1\nprovider: coingecko\nproviders: { coingecko: \(closed) }' > down.yaml; "
        + "for n in 1 2 3; do bitpal -c down.yaml --timeout 2s price coin-$n; done")
    #expect(down.errors.split(separator: "\n").count { $0.contains("port 1 cannot be reached") } == 3)
    #expect(try live.run("bitpal price bitcoin").status == 0)
    let refused = try live.run("bitpal price coin-1")
    #expect(refused.status == 5 && server.requests.count == 1)
    #expect(refused.errors.contains("--wait 3s waits for it") || refused.errors.contains("--wait 2s waits for it"))
    #expect(try live.run("bitpal price coin-1 --wait 10s").status == 0)
  }

  @Test(arguments: [
    "bitpal price coin-$n --refresh", "bitpal record ./tape-$n -- price coin-$n",
    "env -u HOME BITPAL_CONFIG=config.yaml bitpal price coin-$n", "BITPAL_CACHE=$PWD/cache-$n.db bitpal price coin-$n",
    "XDG_CACHE_HOME=/dev/null bitpal price coin-$n",
  ])
  func `that has never met keeps to one budget, whatever its caches are`(command: String) throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, rate: "{ limit: 3/10m, burst: 3 }")
    _ = try live.run("for n in 1 2 3 4 5 6 7 8; do \(command) & done; wait")
    #expect(server.requests.count == 3)
  }

  @Test func `keeps to one budget beside the file of a newer version, and says so`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, rate: "{ limit: 3/10m, burst: 3 }")
    let path = live.world.home + "/.local/state/bitpal/budgets.db"
    #expect(try live.run("bitpal price bitcoin").status == 0)
    try SQLiteConnection(path: path, busyTimeout: .seconds(2)).execute("PRAGMA user_version = 99")
    #expect(try live.runTogether((0..<8).map { ["price", "coin-\($0)"] }).filter { $0 == .exited(0) }.count == 3)
    #expect(server.requests.count == 4)
    let told = try live.run("bitpal price bitcoin --refresh").errors.split(separator: "\n")
    let file = "WORLD/home/.local/state/bitpal/budgets.db"
    #expect(
      told.first == """
        bitpal: warning: the request budgets in \(file) were written by a newer bitpal; this version counts its requests \
        in \(file).v5
        """)
    #expect(told.count == 2)
  }

  @Test func `does not ask while it cannot be counted, and serves what it has`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, settings: LiveWorld.staleAtOnce)
    #expect(try live.run("bitpal price bitcoin").status == 0)
    let path = live.world.home + "/.local/state/bitpal/budgets.db"
    let holder = try SQLiteConnection(path: path, busyTimeout: .seconds(2))
    try holder.execute("BEGIN EXCLUSIVE")
    let file = "WORLD/home/.local/state/bitpal/budgets.db"
    let cause = "coingecko is not asked, because another process has the request budgets locked (\(file))"
    let cold = try live.run("timeout 20 bitpal price ethereum --timeout 500ms")
    #expect(cold.status == 5)
    #expect(cold.errors == "bitpal: ethereum: \(cause); see which one: fuser '\(file)'\n")
    let warm = try live.run("timeout 20 bitpal price bitcoin --timeout 500ms")
    #expect(warm.status == 0)
    #expect(warm.errors.contains(cause))
    #expect(server.requests.count == 1)
  }

  @Test func `works without a cache that another process has locked`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url)
    #expect(try live.run("bitpal price bitcoin").status == 0)
    let holder = try SQLiteConnection(path: live.world.home + "/.cache/bitpal/cache.db", busyTimeout: .seconds(2))
    try holder.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE t (a)")
    let outcome = try live.run("timeout 20 bitpal price ethereum --timeout 4s")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("is busy (database is locked); going on without it"))
    #expect(server.requests.count == 2)
  }

  @Test func `does not wait for ever for one that was stopped`() throws {
    let server = try MarketServer(.silence(.seconds(60)))
    let live = try LiveWorld(server.url)
    let stopped = try live.start(["price", "bitcoin"])
    server.waitForRequests(1)
    stopped.send(SIGSTOP)
    defer {
      stopped.send(SIGKILL)
      _ = stopped.wait()
    }
    server.turn(nil)
    let outcome = try live.run("timeout 20 bitpal price bitcoin --timeout 4s")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let words = "bitpal: warning: process \(stopped.processID) has asked for the same for more than "
    #expect(outcome.errors.hasPrefix(words), "\(outcome.errors)")
  }

  @Test func `may be forced to ask before a long pause ends`() throws {
    let server = try MarketServer(.status(429, headers: [("Retry-After", "86400")]))
    let live = try LiveWorld(server.url)
    let refused = try live.run("bitpal price bitcoin")
    #expect(refused.status == 5)
    #expect(refused.errors.contains("(free again in 1d)"))
    server.turn(nil)
    #expect(try live.run("bitpal price bitcoin").status == 5)
    let doctor = try live.run("bitpal doctor --offline | grep -A1 'asked for a pause'")
    #expect(doctor.output.hasSuffix("→ bitpal cache clear --budgets\n"))
    #expect(try live.run("bitpal cache clear --budgets").output == "removed 1 request budget\n")
    #expect(try live.run("bitpal price bitcoin").status == 0)
  }

  @Test func `asks nothing while the source has asked one of them for a pause`() throws {
    let server = try MarketServer(.status(429, headers: [("Retry-After", "60")]))
    let live = try LiveWorld(server.url)
    #expect(try live.run("bitpal price bitcoin").status == 5)
    server.turn(nil)
    let outcome = try live.run("bitpal price ethereum")
    #expect(outcome.status == 5)
    let opening = "bitpal: ethereum: coingecko allows no more requests now: "
    #expect(outcome.errors.hasPrefix(opening + "the source asked for a pause (free again in "))
    #expect(server.requests.count == 1)
  }

  @Test func `goes on when the pause is over`() throws {
    let server = try MarketServer(.status(429, headers: [("Retry-After", "1")]))
    let live = try LiveWorld(server.url)
    #expect(try live.run("bitpal price bitcoin --timeout 500ms").status == 5)
    server.turn(nil)
    #expect(try live.run("bitpal price ethereum --wait 10s").status == 0)
    let times = server.requests.map(\.time)
    #expect(times.count == 2 && times[1] - times[0] >= .seconds(1))
  }

  @Test func `of writers that are killed leaves a cache that is whole`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, settings: LiveWorld.staleAtOnce)
    let coins = (0..<100).map { "coin-\($0)" }
    #expect(try live.run("bitpal price \(coins.joined(separator: " "))").status == 0)
    for round in 0..<20 {
      let requests = server.requests.count
      let child = try live.start(["price"] + coins)
      server.waitForRequests(requests + 1)
      // Each round ends it at another moment between the answer and the end.
      for _ in 0..<round * 100 { sched_yield() }
      child.send(SIGKILL)
      _ = child.wait()
    }
    let outcome = try live.run("bitpal price \(coins.joined(separator: " "))")
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    for name in [".cache/bitpal/cache.db", ".local/state/bitpal/budgets.db"] {
      let file = try SQLiteConnection(path: live.world.home + "/" + name, busyTimeout: .seconds(2))
      let check = try file.prepare("PRAGMA integrity_check")
      #expect(try check.step() && check.text(0) == "ok")
    }
  }
}
