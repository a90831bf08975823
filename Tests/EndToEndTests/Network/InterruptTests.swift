import Foundation
import Glibc
import LoopbackServer
import TestSupport
import Testing

@Suite(.ownThreads) struct `Ctrl-C` {
  @Test func `ends a command that waits for the source`() throws {
    let server = try MarketServer(.silence(.seconds(60)))
    let live = try LiveWorld(server.url)
    let child = try live.start(["price", "bitcoin"])
    server.waitForRequests(1)
    try expectAnEnd(of: child, in: live)
  }

  @Test func `ends a command that waits before it tries again`() throws {
    let server = try MarketServer(.status(503, headers: [("Retry-After", "10")]))
    let live = try LiveWorld(server.url)
    let child = try start(["price", "bitcoin", "--wait", "60s"], in: live, until: "next in")
    try expectAnEnd(of: child, in: live)
  }

  @Test func `ends a command that waits for another process`() throws {
    let server = try MarketServer(.silence(.seconds(60)))
    let live = try LiveWorld(server.url)
    let first = try live.start(["price", "bitcoin"])
    server.waitForRequests(1)
    let second = try live.start(["price", "bitcoin"])
    waitForLocks(of: second)
    try expectAnEnd(of: second, in: live)
    #expect(server.requests.count == 1)
    try expectAnEnd(of: first, in: live)
  }

  @Test func `ends a command that waits for its turn`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, rate: "1/10s", settings: LiveWorld.staleAtOnce)
    #expect(try live.run("bitpal price ethereum").status == 0)
    let child = try start(["price", "bitcoin", "--wait", "60s"], in: live, until: "holds a request back")
    try expectAnEnd(of: child, in: live)
  }

  /// Starts a command and returns once its trace says something.
  private func start(_ arguments: [String], in live: LiveWorld, until words: String) throws -> Child {
    let errors = Pipe()
    for end in [errors.fileHandleForReading, errors.fileHandleForWriting] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    let child = try live.start(arguments + ["-v"], errors: errors.fileHandleForWriting.fileDescriptor)
    try errors.fileHandleForWriting.close()
    var trace = Data()
    while trace.range(of: Data(words.utf8)) == nil {
      let more = errors.fileHandleForReading.availableData
      if more.isEmpty { break }
      trace += more
    }
    #expect(String(decoding: trace, as: UTF8.self).contains(words))
    return child
  }

  /// The status that shells expect, long before anything else could have ended it, and no file that only a writer has.
  private func expectAnEnd(of child: Child, in live: LiveWorld) throws {
    child.send(SIGINT)
    #expect(child.wait() == .exited(130))
    #expect(try live.files().filter { $0.contains(".tmp") || $0.contains(".new") } == [])
  }

  /// Returns once the process has a lock file open.
  private func waitForLocks(of child: Child) {
    let folder = "/proc/\(child.processID)/fd"
    while true {
      let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let targets = descriptors.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)
      }
      if targets.contains(where: { $0.hasSuffix("/cache.db.lock") }) { return }
      sched_yield()
    }
  }
}

@Suite(.ownThreads) struct `Background refresh of a status line` {
  @Test func `can be ended, whatever signals its parent blocks and ignores`() throws {
    let server = try MarketServer(.silence(.seconds(60)))
    let live = try LiveWorld(server.url)
    _ = try live.run("env --block-signal=TERM,INT --ignore-signal=HUP bitpal status bitcoin")
    server.waitForRequests(1)
    let refresh = try #require(try processes(of: live).first)
    let signals = try String(contentsOfFile: "/proc/\(refresh)/status", encoding: .utf8).split(separator: "\n")
    #expect(signals.contains("SigBlk:\t0000000000000000"))
    let ignored = try #require(signals.first { $0.hasPrefix("SigIgn:") }?.split(separator: "\t").last)
    let mask = try #require(UInt64(ignored, radix: 16))
    #expect(mask & (1 << UInt64(SIGHUP - 1)) == 0)
    kill(refresh, SIGTERM)
    while try processes(of: live).contains(refresh) { sched_yield() }
  }

  /// The processes that work in a world's folder and have not ended.
  private func processes(of live: LiveWorld) throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).filter { process in
      // Nobody may have asked yet how one ended; it has no working folder any more.
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")) == live.world.work
    }
  }
}
