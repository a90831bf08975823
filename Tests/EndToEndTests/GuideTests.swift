import BitpalTesting
import Foundation
import Testing

@Suite(.ownThreads) struct `Guides and their commands` {
  /// A fenced block of the guide.
  private struct Block {
    let language: String
    var lines: [String] = []
  }

  @Test(arguments: [
    "README.md", "docs/configuration.md", "docs/fleet.md", "docs/imports.md", "docs/output.md", "docs/plugins.md",
    "docs/portfolio.md",
    "docs/providers.md", "docs/recordings.md", "docs/serve.md",
    "docs/status-bars.md",
  ])
  func `Files are written as a guide shows them, and its commands say what it shows`(guide: String) throws {
    // Where trust is told of, the reader has still to say it.
    let world = try World(isTrusted: !["README.md", "docs/configuration.md"].contains(guide))
    // Recording needs a source to record.
    let source = ["docs/output.md", "docs/recordings.md"].contains(guide) ? try SimulatedSource(in: world) : nil
    defer { source?.stop() }
    let path = Repository.root + "/" + guide
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var result: [String] = []
    var block: Block?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let open = block, line == "```" {
        result += try Self.shown(open, in: world) + [line]
        block = nil
      } else if block != nil {
        block?.lines.append(line)
      } else {
        result.append(line)
        if line.hasPrefix("```") { block = Block(language: String(line.dropFirst(3))) }
      }
    }
    let actual = result.joined(separator: "\n")
    if Golden.isRecording {
      try Data(actual.utf8).write(to: URL(fileURLWithPath: path))
    } else {
      #expect(actual == text)
    }
  }

  @Test func `Every command that the README names within its text and its tables runs in a fresh clone`() throws {
    let world = try World(isTrusted: false)
    // What it says of live prices is asked of a source on this machine.
    let source = try SimulatedSource(in: world, linksFixtures: false)
    defer { source.stop() }
    let text = try String(contentsOfFile: Repository.root + "/README.md", encoding: .utf8)
    var isInBlock = false
    var ran: [String] = []
    for line in text.split(separator: "\n").map(String.init) {
      if line.hasPrefix("```") { isInBlock.toggle() }
      var commands = isInBlock && line.hasPrefix("$ ") ? [String(line.dropFirst(2))] : []
      if !isInBlock {
        commands = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("bitpal ") }.map { String($0.element) }
      }
      for command in commands {
        let outcome = try world.run(command)
        #expect(outcome.status == 0, "\(command): \(outcome)")
        ran.append(command)
      }
    }
    #expect(ran.count > 12)
  }

  @Test func `The README is short, and every target of make that it names is there`() throws {
    let text = try String(contentsOfFile: Repository.root + "/README.md", encoding: .utf8)
    let makefile = try String(contentsOfFile: Repository.root + "/Makefile", encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 126)
    for match in text.matches(of: /\bmake ([a-z-]+)/) where match.1 != "s" {
      #expect(makefile.contains("\n\(match.1):"), "make \(match.1)")
    }
  }

  /// The block as it should read: files are written, commands run.
  private static func shown(_ block: Block, in world: World) throws -> [String] {
    let folders = ["# providers/", "# imports/"]
    if ["yaml", "python"].contains(block.language), let first = block.lines.first,
      folders.contains(where: first.hasPrefix)
    {
      try world.write(block.lines.joined(separator: "\n") + "\n", to: String(first.dropFirst("# ".count)))
    }
    guard block.language == "console" else { return block.lines }
    return try block.lines.filter { $0.hasPrefix("$ ") }.flatMap { command in
      // Both streams in the order in which a terminal shows them.
      let outcome = try world.run("exec 2>&1; " + command.dropFirst(2))
      let said = outcome.output.replacingOccurrences(of: "WORLD/work/", with: "")
      let lines = said.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      return [command] + lines.dropLast(said.isEmpty || said.hasSuffix("\n") ? 1 : 0)
    }
  }
}
