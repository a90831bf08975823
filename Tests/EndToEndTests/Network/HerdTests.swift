import BitpalSQLite
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

  @Test func `shares one budget: so many are answered, and the others are told the wait`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, rate: "{ limit: 5/10m, burst: 5 }")
    let endings = try live.runTogether((0..<20).map { ["price", "coin-\($0)"] })
    #expect(endings.filter { $0 == .exited(0) }.count == 5)
    #expect(endings.filter { $0 == .exited(5) }.count == 15)
    #expect(server.requests.count == 5)
    let late = try live.run("bitpal price bitcoin")
    let opening = "bitpal: bitcoin: coingecko allows no more requests now: "
    #expect(late.errors.hasPrefix(opening + "the budget of 5 requests in 10m is used up (free again in "))
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
    #expect(try live.run("bitpal price ethereum").status == 0)
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
    for name in ["cache.db", "budgets.db"] {
      let file = try SQLiteConnection(path: live.world.home + "/.cache/bitpal/" + name, busyTimeout: .seconds(2))
      let check = try file.prepare("PRAGMA integrity_check")
      #expect(try check.step() && check.text(0) == "ok")
    }
  }
}
