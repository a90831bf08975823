import Testing

/// The sizes that a reader has to cope with; a test that fails asks for simpler code, or for a reason to raise its number.
@Suite struct `The size of the house` {
  private static let sources = Repository.files(in: "Sources", endings: ["swift"]).map { file in
    (file: file, lines: Repository.lines(of: file))
  }

  @Test func `At most 12 functions are longer than 40 lines, and none is longer than 60`() {
    let long = Self.sources.flatMap { file, lines in
      Self.functions(in: lines).filter { $0.length > 40 }.map { (place: "\(file):\($0.line)", length: $0.length) }
    }
    #expect(long.count <= 12, "\(long)")
    #expect(long.allSatisfy { $0.length <= 60 }, "\(long)")
  }

  @Test func `The length of a function is that of its body`() {
    let lines = [
      "  func short() -> Int { 1 }", "  init(", "    _ a: Int", "  ) {", "    self.a = a", "  }", "  func long() {",
      "    if a {", "      b()", "    }", "  }",
    ]
    #expect(Self.functions(in: lines).map(\.length) == [1, 3])
  }

  @Test func `At most 850 declarations are public, each for users of the library or authors of providers`() {
    let declaration = /^\s*(@\w+(\([^)]*\))?\s+)*(nonisolated )?public (?!import)/
    let count = Self.sources.reduce(0) { $0 + $1.lines.count { $0.firstMatch(of: declaration) != nil } }
    #expect((100...850).contains(count))
  }

  @Test func `The tests of each module have at least three tenths of its lines`() {
    let tests = Dictionary(
      grouping: Repository.files(in: "Tests", endings: ["swift"]), by: { $0.split(separator: "/")[1] })
    for (module, files) in Dictionary(grouping: Self.sources, by: { $0.file.split(separator: "/")[2] }) {
      // What the tool does is tested in it and from outside.
      let names = module == "bitpal" ? ["BitpalCLITests", "EndToEndTests"] : ["\(module)Tests"]
      let lines = names.flatMap { tests[$0[...], default: []] }.reduce(0) { $0 + Repository.lines(of: $1).count }
      let source = files.reduce(0) { $0 + $1.lines.count }
      #expect(lines * 10 >= source * 3, "\(module): \(lines) lines of tests, \(source) of source")
    }
  }

  /// Returns the functions with a body of several lines: the number of its first line, and the lines of the body.
  private static func functions(in lines: [String]) -> [(line: Int, length: Int)] {
    let beginning = /^ *((public|package|private|fileprivate|static|mutating|override|@\w+) )*(func|init|subscript)\b/
    return lines.indices.compactMap { start in
      guard lines[start].contains(beginning) else { return nil }
      let indentation = lines[start].prefix { $0 == " " }.count
      // A declaration over several lines continues at its own indentation with what closes its parameters.
      let end = lines[start...].dropFirst().firstIndex { line in
        let text = line.drop { $0 == " " }
        return text.startIndex.utf16Offset(in: line) <= indentation && !text.isEmpty && text.first != ")"
      }
      guard let end, lines[end].drop(while: { $0 == " " }).first == "}",
        let open = lines[start..<end].firstIndex(where: { $0.hasSuffix("{") })
      else { return nil }
      return (start + 1, end - open - 1)
    }
  }
}
