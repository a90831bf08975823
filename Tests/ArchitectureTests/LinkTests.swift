import Foundation
import Testing

/// What the pages point at is there.
@Suite struct `Links between the pages` {
  /// Every page of the repository that is read by people.
  static let pages: [String] = {
    let below =
      FileManager.default.enumerator(atPath: Repository.root.path + "/docs")?.compactMap { $0 as? String } ?? []
    return ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
      + below.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
      .sorted()
  }()

  @Test(arguments: pages)
  func `Every relative link leads to a file, and to a heading of it`(page: String) throws {
    let text = try Self.text(page)
    let folder = (page as NSString).deletingLastPathComponent
    for target in Self.targets(in: text) where !target.contains("://") && !target.hasPrefix("mailto:") {
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let file = parts[0].isEmpty ? page : (folder.isEmpty ? "" : folder + "/") + parts[0]
      #expect(
        FileManager.default.fileExists(atPath: Repository.root.path + "/" + file), "\(page) links to \(target)")
      if parts.count == 2, file.hasSuffix(".md") {
        #expect(try Self.anchors(in: Self.text(file)).contains(parts[1]), "\(page) links to \(target)")
      }
    }
  }

  @Test func `There are pages`() {
    #expect(Self.pages.count > 5)
  }

  @Test func `Every schema of the output is described, and none is made outside of BitpalOutput`() throws {
    let described = try Self.text("docs/output.md")
    let schemas = try Self.schemas(in: "Sources/Books/BitpalOutput")
    for (file, schema) in schemas { #expect(described.contains(schema), "\(schema), in \(file)") }
    #expect(schemas.count > 20)
    for (file, schema) in try Self.schemas(in: "Sources/Tool/bitpal") { Issue.record("\(file) makes \(schema)") }
  }

  /// The names of schemas that are written in the code of a folder; a comment may name one.
  private static func schemas(in folder: String) throws -> [(file: String, schema: String)] {
    let files =
      FileManager.default.enumerator(atPath: Repository.root.path + "/" + folder)?.compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
      try text(folder + "/" + file).matches(of: /"(bitpal\.[a-z_]+\/[0-9]+)"/).map { (file, String($0.output.1)) }
    }
  }

  private static func text(_ page: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(page), encoding: .utf8)
  }

  /// What is in the round brackets of `[…](…)`, code aside.
  private static func targets(in text: String) -> [String] {
    prose(of: text).ranges(of: "](").compactMap { range in
      let rest = prose(of: text)[range.upperBound...]
      return rest.firstIndex(of: ")").map { String(rest[..<$0]) }
    }
  }

  /// The headings as the web names them: lower case, spaces as dashes, no punctuation.
  private static func anchors(in text: String) -> Set<String> {
    let headings = prose(of: text).split(separator: "\n").filter { $0.hasPrefix("#") }
    return Set(
      headings.map { heading in
        let words = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return String(words.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.map { $0 == " " ? "-" : $0 })
      })
  }

  /// The text without its fenced blocks.
  private static func prose(of text: String) -> String {
    var isCode = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      let isFence = line.hasPrefix("```")
      if isFence { isCode.toggle() }
      return !isFence && !isCode
    }.joined(separator: "\n")
  }
}
