import Foundation
import Glibc
import LoopbackServer
import TestSupport
import Testing

@Suite(.ownThreads, .enabled(if: Terminal.isAvailable, "there are no pseudo-terminals here"))
struct `Progress on a terminal` {
  private static let erase = "\r\u{1B}[K"

  private func world(_ delay: Duration) throws -> (live: LiveWorld, server: LoopbackServer) {
    let quotes = try SimulatedSource.body("quotes-usd.json")
    let server = try LoopbackServer { _ in .delayed(delay, .ok(json: quotes)) }
    return (try LiveWorld(server.url), server)
  }

  @Test func `Long work is shown on one line, which is removed before the answer`() throws {
    let (live, server) = try world(.milliseconds(1500))
    defer { server.stop() }
    let terminal = try Terminal()
    let child = try live.start(
      ["price", "bitcoin", "--format", "csv"], output: terminal.inner.fileDescriptor,
      errors: terminal.inner.fileDescriptor)
    let said = try terminal.readToEnd()
    #expect(child.wait() == .exited(0))
    let parts = said.components(separatedBy: Self.erase)
    #expect(parts.first == "" && parts.dropFirst().first?.contains("asking for quote bitcoin usd …") == true, "\(said)")
    #expect(parts.last?.hasPrefix("id,symbol,name,price") == true, "\(said)")
    #expect(parts.dropLast().allSatisfy { !$0.contains("\n") })
  }

  @Test(arguments: [["-q"], ["-v"], ["--errors", "json"], []])
  func `Progress is not shown with --quiet, or without a terminal`(options: [String]) throws {
    let (live, server) = try world(.milliseconds(900))
    defer { server.stop() }
    let terminal = try Terminal()
    // Without options standard error goes elsewhere.
    let child = try live.start(
      ["price", "bitcoin"] + options, output: terminal.inner.fileDescriptor,
      errors: options.isEmpty ? nil : terminal.inner.fileDescriptor)
    let said = try terminal.readToEnd()
    #expect(child.wait() == .exited(0))
    #expect(said.contains("Bitcoin") && !said.contains(Self.erase), "\(said)")
  }

  @Test func `An interrupt leaves nothing behind`() throws {
    let (live, server) = try world(.seconds(60))
    defer { server.stop() }
    let terminal = try Terminal()
    let child = try live.start(["price", "bitcoin"], errors: terminal.inner.fileDescriptor)
    let before = try terminal.read(until: "asking for quote bitcoin usd …")
    #expect(before.hasPrefix(Self.erase))
    child.send(SIGINT)
    #expect(child.wait() == .exited(130))
    #expect(try terminal.readToEnd().hasSuffix(Self.erase))
  }
}
