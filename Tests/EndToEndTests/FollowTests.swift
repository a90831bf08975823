import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct `The watchlist on a busy machine` {
  private func ids(_ world: World, _ count: Int) throws -> [String] {
    let list = try world.run("bitpal search e --limit 1000 --format csv").output.split(separator: "\n")
    return list.dropFirst().prefix(count).compactMap { $0.split(separator: ",").first.map(String.init) }
  }

  private func listed(_ world: World) throws -> [String] {
    let rows = try world.run("bitpal watchlist list --format csv -q").output.split(separator: "\n").dropFirst()
    return rows.compactMap { $0.split(separator: ",").first.map(String.init) }
  }

  @Test func `Processes that add at once lose nothing`() throws {
    let world = try World()
    let ids = try ids(world, 12)
    let children = try ids.map { try world.start(Repository.tool, ["watchlist", "add", $0]) }
    for child in children { #expect(child.wait() == .exited(0)) }
    #expect(try listed(world).sorted() == ids.sorted())
  }

  @Test func `All coins of a list are added at once`() throws {
    let world = try World()
    let ids = try ids(world, 200)
    // Some ids are tickers of better-known coins, and are printed with id: before them.
    #expect(try world.run("bitpal watchlist add \(ids.joined(separator: ","))").status == 0)
    #expect(try listed(world) == ids)
  }

  @Test func `Every acknowledged change survives kill -9, and no change is partial`() throws {
    let world = try World()
    let ids = try ids(world, 24)
    let output = world.folder + "/added"
    let descriptor = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var pairs = ids[...]
    while let first = pairs.popFirst(), let second = pairs.popFirst() {
      let child = try world.start(Repository.tool, ["watchlist", "add", first, second], output: descriptor)
      // Later and later, so that some die at the start and some at the end.
      for _ in 0..<(24 - pairs.count) { sched_yield() }
      if pairs.count % 4 != 0 { child.send(SIGKILL) }
      _ = child.wait()
    }
    let listed = try listed(world)
    let said = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
    let acknowledged = said.flatMap { line in
      line.dropFirst("added ".count).prefix { $0 != ";" }.split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    #expect(acknowledged.count >= 12)
    #expect(Set(acknowledged).isSubset(of: listed))
    for (first, second) in zip(stride(from: 0, to: 24, by: 2), stride(from: 1, to: 24, by: 2)) {
      #expect(listed.contains(ids[first]) == listed.contains(ids[second]))
    }
  }
}

@Suite(.ownThreads, .enabled(if: Terminal.isAvailable, "there are no pseudo-terminals here"))
struct `Watching on a terminal` {
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leave = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private func watch(_ arguments: String..., until text: String? = nil, signal: Int32? = nil) throws -> (
    said: String, ending: Child.Ending
  ) {
    let world = try World()
    let terminal = try Terminal()
    let child = try world.start(
      Repository.tool, ["watch", "bitcoin", "--color", "never"] + arguments, output: terminal.inner.fileDescriptor)
    var said = ""
    if let text, let signal {
      said = try terminal.read(until: text)
      child.send(signal)
    }
    said += try terminal.readToEnd()
    return (said, child.wait())
  }

  @Test func `It takes the second screen and gives it back when it ends by itself`() throws {
    let (said, ending) = try watch("--count", "1")
    #expect(ending == .exited(0))
    #expect(said.hasPrefix(Self.enter))
    #expect(said.hasSuffix(Self.leave))
    #expect(said.contains("a recording: nothing will change"))
    #expect(said.contains("\u{1B}[?2026h\u{1B}[H"))
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `It gives the screen back when it is ended`(signal: Int32, status: Int32) throws {
    let (said, ending) = try watch(until: "Bitcoin", signal: signal)
    #expect(ending == .exited(status))
    #expect(said.hasPrefix(Self.enter))
    #expect(said.hasSuffix(Self.leave))
  }
}
