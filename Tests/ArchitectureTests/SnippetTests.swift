import Foundation
import Testing

/// The Swift that pages show is Swift that is compiled: each block is a run of lines of a file of the examples or the tests.
@Suite struct `Swift in the articles` {
  /// Where a block may come from; `make test` compiles and runs all of it.
  private static let sources: [(file: String, lines: [String])] = ["Examples", "Tests"].flatMap { folder in
    Repository.files(in: folder, endings: ["swift"]).map { ($0, Repository.lines(of: $0)) }
  }

  static let pages =
    ["README.md"] + Repository.files(in: "docs", endings: ["md"]) + Repository.files(in: "Sources", endings: ["md"])
    + Repository.files(in: "Sources", endings: ["swift"]).filter { !blocks(of: $0).isEmpty }

  @Test(arguments: pages)
  func `Every Swift block is an excerpt of a file that is compiled`(page: String) {
    for block in Self.blocks(of: page) {
      let best = Self.sources.map { (file: $0.file, lines: Self.agreement(of: block, with: $0.lines)) }
        .max { $0.lines < $1.lines }
      guard let best, best.lines < block.count else { continue }
      Issue.record("\(page): no file has the line \"\(block[best.lines])\" there; the nearest is \(best.file)")
    }
  }

  /// The types that a reader meets first.
  @Test(arguments: [
    "PriceService", "PriceProvider", "Dialect", "CacheTier", "BudgetStore", "Fields", "Command", "Router",
    "ReplayTransport",
  ])
  func `Every central type has an example`(file: String) {
    let blocks = Self.pages.filter { $0.hasSuffix("/\(file).swift") }.flatMap(Self.blocks)
    #expect(!blocks.isEmpty && blocks.allSatisfy { $0.count <= 14 })
  }

  @Test func `There are articles with Swift in them`() {
    let articles = Self.pages.filter { $0.contains(".docc/") && !Self.blocks(of: $0).isEmpty }
    #expect(articles.count >= 3)
  }

  /// How many lines from its first on the block shares with some run of lines, which may all stand further in.
  private static func agreement(of block: [String], with lines: [String]) -> Int {
    guard let first = block.first else { return 0 }
    var best = 0
    for start in lines.indices where lines[start].hasSuffix(first) {
      let margin = lines[start].dropLast(first.count)
      guard margin.allSatisfy({ $0 == " " }) else { continue }
      let count = zip(block, lines[start...]).prefix { $0.isEmpty ? $1.isEmpty : margin + $0 == $1 }.count
      best = max(best, count)
    }
    return best
  }

  private static func blocks(of page: String) -> [[String]] {
    var blocks: [[String]] = []
    var block: [String]?
    let isComment = page.hasSuffix(".swift")
    for line in Repository.lines(of: page) {
      guard !isComment || line.drop(while: \.isWhitespace).hasPrefix("///") else { continue }
      let line = isComment ? String(line.drop(while: \.isWhitespace).dropFirst(4)) : line
      if let open = block {
        if line == "```" {
          blocks.append(open)
          block = nil
        } else {
          block = open + [line]
        }
      } else if line == "```swift" {
        block = []
      }
    }
    return blocks
  }
}
