import Foundation

/// The English of the repository, line by line.
enum Prose {
  /// The kinds of text that people read.
  enum Place: CaseIterable {
    case comments, strings, testTitles, pages, yamlComments, other
  }

  /// A line with its text.
  struct Line {
    let place: String

    /// The prose of the line: without code spans, and without literals of one word, which are names.
    let text: String

    init(place: String, text: String) {
      self.place = place
      let prose = text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter {
        $0.offset % 2 == 0
      }
      self.text = prose.map { String($0.element) }.joined(separator: " , ").split(separator: "|")
        .filter { $0.contains(" ") }.joined(separator: " , ")
    }
  }

  static let modules = Set(
    Repository.files(in: "Sources", endings: ["swift"]).map {
      $0.split(separator: "/").dropFirst().prefix(2).joined(separator: "/")
    }
  ).sorted()

  /// All lines by their kind; the change log keeps its old entries.
  static let all: [Place: [Line]] = {
    var all: [Place: [Line]] = [:]
    for file in Repository.files(in: "Sources", endings: ["swift"])
      + Repository.files(in: "Examples", endings: ["swift"])
    {
      var scanner = SwiftScanner()
      for (number, line) in Repository.lines(of: file).enumerated() {
        let (comment, strings) = scanner.read(line)
        if !comment.isEmpty { all[.comments, default: []].append(Line(place: "\(file):\(number + 1)", text: comment)) }
        if !strings.isEmpty { all[.strings, default: []].append(Line(place: "\(file):\(number + 1)", text: strings)) }
      }
    }
    let title = /(func|struct|class|enum) `([^`]*)`/
    for file in Repository.files(in: "Tests", endings: ["swift"]) {
      for (number, line) in Repository.lines(of: file).enumerated() where line.contains("`") {
        guard let match = line.firstMatch(of: title) else { continue }
        all[.testTitles, default: []].append(Line(place: "\(file):\(number + 1)", text: String(match.output.2)))
      }
    }
    let pages =
      ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"]
      + ["docs", "Sources", "Examples"].flatMap { Repository.files(in: $0, endings: ["md"]) }
    let yaml = ["providers", "imports", "Sources", "Examples"].flatMap { Repository.files(in: $0, endings: ["yaml"]) }
    let other =
      ["Makefile"] + ["Sources", "Tools"].flatMap { Repository.files(in: $0, endings: ["h", "c", "js", "lua"]) }
    for file in pages { all[.pages, default: []] += lines(of: file) }
    for file in yaml + ["config.yaml"] {
      all[.yamlComments, default: []] += lines(of: file).filter { $0.text.contains("#") }
        .map { Line(place: $0.place, text: String($0.text.drop { $0 != "#" })) }
    }
    for file in other { all[.other, default: []] += lines(of: file) }
    return all
  }()

  /// Returns the first line of each doc comment of a folder, with the line of its declaration.
  static func comments(in folder: String) -> [(place: String, comment: String, declaration: String)] {
    Repository.files(in: folder, endings: ["swift"]).flatMap { file in
      var found: [(place: String, comment: String, declaration: String)] = []
      var open: (place: String, comment: String)?
      for (number, line) in Repository.lines(of: file).enumerated() {
        let text = line.drop(while: \.isWhitespace)
        if text.hasPrefix("///") {
          open = open ?? ("\(file):\(number + 1)", String(text.dropFirst(4)))
        } else if let comment = open, !(text.hasPrefix("@") && !text.contains(/\b(func|init|var|let|struct|class)\b/)) {
          found.append((comment.place, comment.comment, String(text)))
          open = nil
        }
      }
      return found
    }
  }

  private static func lines(of file: String) -> [Line] {
    Repository.lines(of: file).enumerated().map { Line(place: "\(file):\($0 + 1)", text: $1) }
  }
}

/// Takes comments and the literal parts of strings out of Swift, line by line.
private struct SwiftScanner {
  private var isInText = false

  mutating func read(_ line: String) -> (comment: String, strings: String) {
    let bytes = Array(line.utf8)
    var strings: [UInt8] = []
    var isInString = isInText
    var index = 0
    while index < bytes.count {
      let rest = bytes[index...]
      if bytes[index] == UInt8(ascii: "\""), rest.starts(with: "\"\"\"".utf8) {
        isInText.toggle()
        isInString = isInText
        index += 3
      } else if !isInString, bytes[index] == UInt8(ascii: "/"), rest.starts(with: "//".utf8) {
        return (String(decoding: rest.drop { $0 == UInt8(ascii: "/") }, as: UTF8.self), text(strings))
      } else if isInString, bytes[index] == UInt8(ascii: "\\") {
        index = rest.dropFirst().first == UInt8(ascii: "(") ? Self.end(ofInterpolation: rest) : index + 2
        strings.append(UInt8(ascii: "|"))
      } else if bytes[index] == UInt8(ascii: "\""), !isInText {
        isInString.toggle()
        strings.append(UInt8(ascii: "|"))
        index += 1
      } else {
        if isInString { strings.append(bytes[index]) }
        index += 1
      }
    }
    return ("", text(strings))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The index after the bracket that closes the one after a backslash.
  private static func end(ofInterpolation bytes: ArraySlice<UInt8>) -> Int {
    var depth = 0
    for index in bytes.indices.dropFirst() {
      if bytes[index] == UInt8(ascii: "(") { depth += 1 }
      if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { return index + 1 }
    }
    return bytes.endIndex
  }
}
