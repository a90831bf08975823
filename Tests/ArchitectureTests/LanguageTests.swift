import Foundation
import Testing

/// The language of comments, texts and pages: plain technical English, as CONTRIBUTING.md asks for.
@Suite struct `The language of code and pages` {
  /// The files of the package that people read; the change log keeps its old entries.
  private static let files: [String] =
    ["Sources", "docs", "providers", "imports", "Tools"].flatMap { folder in
      Repository.files(in: folder, endings: ["swift", "h", "c", "md", "yaml", "js", "lua"])
    } + ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "config.yaml"]

  @Test func `No archaic or private words are used`() {
    let forbidden =
      /\b(nobody|whoever|somebody|those who|reckon\w*|anew|mend|mended|mends|vouch|vouches|dearest|beforehand|in vain|seldom|whence|for the sake of|leave away)\b/
      .ignoresCase()
    for file in Self.files {
      for (number, line) in Repository.lines(of: file).enumerated() {
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
      for (number, line) in Repository.lines(of: file).enumerated() {
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

  @Test func `At most 900 declarations are public, each for users of the library or authors of providers`() {
    let declaration = /^\s*(@\w+(\([^)]*\))?\s+)*(nonisolated )?public (?!import)/
    let files = Self.files.filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }
    let count = files.reduce(0) { count, file in
      count + Repository.lines(of: file).count { $0.firstMatch(of: declaration) != nil }
    }
    #expect((100...900).contains(count))
  }
}
