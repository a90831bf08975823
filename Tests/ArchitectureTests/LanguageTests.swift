import Foundation
import Testing

/// The language of comments, texts and pages: plain technical English, as CONTRIBUTING.md asks for.
@Suite struct `The language of code and pages` {
  private static let root = `Modules lean downward only`.root

  /// The files of the package that people read; the change log keeps its old entries.
  private static let files: [String] = {
    let folders = ["Sources", "docs", "providers", "imports", "Tools"]
    let found = folders.flatMap { folder in
      FileManager.default.enumerator(atPath: root.path + "/" + folder)?.compactMap { $0 as? String }
        .map { folder + "/" + $0 } ?? []
    }
    let read = found.filter { path in
      ["swift", "h", "c", "md", "yaml", "js", "lua"].contains(URL(filePath: path).pathExtension)
    }
    return read + ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "config.yaml"]
  }()

  private static func lines(of path: String) -> [String] {
    ((try? String(contentsOfFile: root.path + "/" + path, encoding: .utf8)) ?? "").components(separatedBy: "\n")
  }

  @Test func `No archaic or private words are used`() {
    let forbidden =
      /\b(nobody|whoever|somebody|those who|reckon\w*|anew|mend|mended|mends|vouch|vouches|dearest|beforehand|in vain|seldom|whence|for the sake of|leave away)\b/
      .ignoresCase()
    for file in Self.files {
      // This rule itself stands in the guide.
      for (number, line) in Self.lines(of: file).enumerated() where !line.contains("nobody, whoever") {
        if let match = line.firstMatch(of: forbidden) {
          Issue.record("\(file):\(number + 1): \"\(match.output.0)\"; CONTRIBUTING.md has the words to use")
        }
      }
    }
  }

  @Test func `Doc comments begin with a noun or a verb`() {
    let question = /^\s*\/\/\/ (What|How|Where|Why|Which|When|By|Of|Who|Whose|Those)\b/
    var comments = 0
    var questions: [String] = []
    for file in Self.files where file.hasPrefix("Sources/") && file.hasSuffix(".swift") {
      var isInside = false
      for (number, line) in Self.lines(of: file).enumerated() {
        let isComment = line.drop(while: \.isWhitespace).hasPrefix("///")
        if isComment, !isInside {
          comments += 1
          if line.firstMatch(of: question) != nil { questions.append("\(file):\(number + 1)") }
        }
        isInside = isComment
      }
    }
    #expect(comments > 5000)
    #expect(questions.count * 100 < comments, "\(questions.joined(separator: "\n"))")
  }
}
