import BitpalModel
import Foundation
import TestSupport
import Testing

@testable import BitpalJSON

@Suite struct `The door for JSON` {
  private func canonical(_ text: String) -> String? {
    StrictJSON.canonical(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    "null", " true ", "-0", "0.10", "1e-05", "1E+2", #""é""#, #""\n\/\u00e9""#, "[]", "{}", "[ 1 , [ ] , { } ]",
    #"{"a":{"b":[1,"x"]},"b":2}"#, #""😀""#, #"{"":1}"#,
  ])
  func `Text that reads the same everywhere stays as it is`(text: String) {
    #expect(canonical(text) == text)
  }

  @Test(arguments: [
    (#"{"a\u0062":1}"#, #"{"ab":1}"#), (#"{"a":1,"a":2}"#, #"{"a":2}"#), (#"{"a":1,"\u0061":[2]}"#, #"{"a":[2]}"#),
    (#"[{"a":{"b":1,"b":2},"c":3}]"#, #"[{"a":{"b":2},"c":3}]"#), (#"["x\u0000y"]"#, #"["x�y"]"#),
    (#"["\ud83d\ude00 \ud83d \ude00"]"#, #"["😀 � �"]"#), (#"["\ud83d\u0041"]"#, #"["�A"]"#),
    (#"{"a\"\\\n\u0001":1}"#, #"{"a\"\\\u000a\u0001":1}"#), ("\u{FEFF}[1]", "[1]"),
    (#" { "a\u0062" : [ 1 , 2.50 , { } , [ ] ] , "c" : "d\u0065" } "#, #"{"ab":[1,2.50,{},[]],"c":"de"}"#),
  ])
  func `Ambiguous text is written in canonical form`(text: String, same: String) {
    #expect(canonical(text) == same)
  }

  @Test(arguments: [
    "", " ", "nul", "nulls", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}", "[1",
    "1]",
    "{\"a\":1", "01", "-", "+1", ".5", "5.", "1e", "0x1", "NaN", "Infinity", "\"\t\"", #""\x41""#, #""\u12g4""#,
    #""\u12"#,
    "\"", "[1]x", "[1]\u{0}", "// c\n1", "[1,/**/2]", #"{{"a":["b"]}:1}"#, #"{["a"]:1}"#, #"{1:2}"#, "\u{FEFF}", "{]",
    "[}",
  ])
  func `Everything else is not JSON`(text: String) {
    #expect(canonical(text) == nil)
  }

  @Test func `Bytes that are not UTF-8 and nesting without end are not JSON`() {
    #expect(StrictJSON.canonical([0x22, 0xFF, 0x22]) == nil)
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(canonical(nested(StrictJSON.deepest)) != nil && canonical(nested(StrictJSON.deepest + 1)) == nil)
    #expect(canonical(String(repeating: "[", count: 1_000_000)) == nil)
  }

  @Test func `An object with many members keeps the last of each name`() {
    let members = (0..<3000).map { "\"\($0 % 1500)\":\($0)" }.joined(separator: ",")
    let kept = (1500..<3000).map { "\"\($0 - 1500)\":\($0)" }.joined(separator: ",")
    #expect(canonical("{\(members)}") == "{\(kept)}")
  }

  // MARK: Properties

  /// Random trees, each with a spelling that is as odd as the standard allows, and the plain one.
  private struct Tree {
    var random = SeededGenerator(seed: 7)

    mutating func value(_ depth: Int) -> (odd: String, plain: String) {
      switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &random) {
      case 0: return pick([("null", "null"), ("true", "true"), ("false", "false")])
      case 1:
        return pick([
          ("0", "0"), ("-12.50", "-12.50"), ("1e-7", "1e-7"), ("123456789012345678901", "123456789012345678901"),
        ])
      case 2, 3, 4: return string()
      case 5:
        let parts = (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth + 1) }
        return (
          "[" + parts.map { space() + $0.odd + space() }.joined(separator: ",") + (parts.isEmpty ? space() : "") + "]",
          "[" + parts.map(\.plain).joined(separator: ",") + "]"
        )
      default:
        var names: [String] = []
        var last: [String: String] = [:]
        var odd: [String] = []
        for _ in 0..<Int.random(in: 0..<5, using: &random) {
          let (name, member) = (string(), value(depth + 1))
          odd.append(space() + name.odd + space() + ":" + space() + member.odd + space())
          if last[name.plain] == nil { names.append(name.plain) }
          last[name.plain] = member.plain
        }
        return (
          "{" + odd.joined(separator: ",") + "}",
          "{" + names.map { "\($0):\(last[$0] ?? "")" }.joined(separator: ",") + "}"
        )
      }
    }

    private mutating func string() -> (odd: String, plain: String) {
      let letters = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
        pick([
          ("a", "a"), ("\\u0061", "a"), ("\\/", "/"), ("é", "é"), ("\\u00E9", "é"), ("\\\"", "\\\""),
          ("\\ud83d\\ude00", "😀"), ("]:", "]:"),
        ])
      }
      return ("\"" + letters.map(\.0).joined() + "\"", "\"" + letters.map(\.1).joined() + "\"")
    }

    private mutating func space() -> String { pick([("", ""), (" ", ""), ("\n\t", "")]).0 }

    private mutating func pick(_ choices: [(String, String)]) -> (String, String) {
      choices.randomElement(using: &random) ?? ("", "")
    }
  }

  @Test func `Every spelling of a tree is the same text in the end`() {
    var tree = Tree()
    for _ in 0..<3000 {
      let (odd, plain) = tree.value(0)
      guard let result = canonical(odd) else {
        Issue.record("refused: \(odd)")
        continue
      }
      // Text that was not written anew keeps its spelling.
      #expect(result == plain || result == odd, "\(odd)")
      #expect(canonical(result) == result, "\(odd)")
    }
  }

  @Test func `Our functions give what those of SQLite give`() throws {
    var tree = Tree()
    let rows = JSONRows()
    let sandbox = try Sandbox()
    let paths = ["$", "$.a", "$.é", "$.a.a", "$[0]", "$[1].a", "$[#-1]", "$[#]", "$.\"a\"", "$.a[0]", "$[0][0]"]
    let columns =
      paths.flatMap { path in
        [
          "'\(path)'", "json_type(B,'\(path)')", "B->'\(path)'", "B->>'\(path)'", "json_extract(B,'\(path)')",
          "json_array_length(B,'\(path)')",
        ]
      } + ["json(B)", "json_valid(B)", "B->'a'", "B->>0", "json_extract(B,'$.a','$[0]')", "typeof(B->>'$')"]
    let sql = "SELECT " + columns.joined(separator: ",")
    let ours = try sandbox.prepare(sql.replacing("B", with: ":body"))
    for _ in 0..<1500 {
      let body = Array(tree.value(0).odd.utf8)
      var expected: [String?] = []
      try rows.forEach(sql.replacing("B", with: "?1"), in: body) { row in
        expected = columns.indices.map { row.text($0) }
      }
      var found: [String?] = []
      try ours.forEach(in: body, values: [:]) { row in found = columns.indices.map { row.text($0) } }
      #expect(found == expected, "\(String(decoding: body, as: UTF8.self))")
    }
  }

  @Test(arguments: ["json_each", "json_tree"])
  func `Our tables give the rows that those of SQLite give`(table: String) throws {
    var tree = Tree()
    let rows = JSONRows()
    let sandbox = try Sandbox()
    for _ in 0..<1000 {
      let body = Array(tree.value(0).odd.utf8)
      for path in ["$", "$.a", "$.é", "$.a.a", "$[0]", "$[1].a", "$[#-1]", "$.\"a\"", "$.none"] {
        // SQLite names the first row of a tree at a path by the container of it, where the path is to an array's element wrongly.
        let names = table == "json_each" || path == "$" ? "typeof(key)||key,fullkey,path," : ""
        let sql = "SELECT \(names)value,type,atom,parent IS NULL,rowid FROM \(table)(B,'\(path)')"
        let count = names.isEmpty ? 5 : 8
        var expected: [[String?]] = []
        try rows.forEach(sql.replacing("B", with: "?1"), in: body) { row in
          expected.append((0..<count).map { row.text($0) })
        }
        var found: [[String?]] = []
        try sandbox.prepare(sql.replacing("B", with: ":body")).forEach(in: body, values: [:]) { row in
          found.append((0..<count).map { row.text($0) })
        }
        #expect(found == expected, "\(path) of \(String(decoding: body, as: UTF8.self))")
      }
    }
  }

  @Test func `The id of a row is that of its place, and the parent that of its container`() throws {
    var found: [String] = []
    try Sandbox().prepare("SELECT id, parent FROM json_tree(:body)").forEach(
      in: Array(#"{"a": [1, {"b": []}], "c": 2}"#.utf8), values: [:]
    ) { row in
      found.append("\(row.text(0) ?? "") \(row.text(1) ?? "-")")
    }
    #expect(found == ["0 -", "6 0", "7 6", "10 6", "16 10", "27 0"])
  }

  @Test func `A path that is none ends the statement`() throws {
    let sandbox = try Sandbox()
    #expect(throws: Sandbox.Failure.failed("JSON path error near 'a'")) {
      try sandbox.prepare("SELECT :body->>'a', value FROM json_each(:body,'a')").forEach(
        in: Array("{}".utf8), values: [:]
      ) { _ in }
    }
    #expect(throws: Sandbox.Failure.failed("JSON path error near '$..a'")) {
      try sandbox.prepare("SELECT value FROM json_each(:body,'$..a')").forEach(in: Array("{}".utf8), values: [:]) { _ in
      }
    }
  }

  /// A document, a path, and the type, text and size that Python's `json` finds there.
  private struct Vector: Decodable {
    let document, path: String
    let type, text: String?
    let size: Int?

    init(from decoder: any Decoder) throws {
      var parts = try decoder.unkeyedContainer()
      document = try parts.decode(String.self)
      path = try parts.decode(String.self)
      type = try parts.decodeIfPresent(String.self)
      text = try parts.decodeIfPresent(String.self)
      size = try parts.decodeIfPresent(Int.self)
    }
  }

  @Test func `Every document reads as Python reads it`() throws {
    // Another file of `Vectors/python.py` may be named, as for a million cases.
    let other = ProcessInfo.processInfo.environment["BITPAL_JSON_VECTORS"].map(URL.init(fileURLWithPath:))
    let file = try #require(other ?? Bundle.module.url(forResource: "python", withExtension: "json"))
    let vectors = try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
    let sandbox = try Sandbox()
    for vector in vectors {
      let path = "'\(vector.path)'"
      let statement = try sandbox.prepare(
        """
        SELECT json_type(:body, \(path)), :body->>\(path), (SELECT count(*) FROM json_each(:body, \(path))),
          :body->\(path), (SELECT value FROM json_tree(:body, \(path)) LIMIT 1)
        """)
      var found: [String?] = []
      try statement.forEach(in: Array(vector.document.utf8), values: [:]) { row in found = (0..<5).map { row.text($0) }
      }
      let told = Comment(rawValue: "\(vector.path) of \(vector.document): \(found)")
      #expect(found[0] == vector.type, told)
      if let size = vector.size { #expect(found[2] == String(size), told) }
      guard let text = vector.text else { continue }
      let words = ["true": "1", "false": "0"]
      switch vector.type {
      case "text": #expect(found[1] == text && found[4] == text, told)
      case "real", "integer": #expect(found[1].flatMap(Double.init) == Double(text) && found[3] != nil, told)
      default: #expect(found[1] == words[text] && found[3] == text, told)
      }
    }
  }

  // MARK: What ended the process

  @Test(arguments: [
    #"{{"a":["b"]}:1}"#, #"{{"a":["b","b","b","b"]}:1}"#, #"[{{"a":["b"]}:1}]"#, #"{["a"]:1}"#,
    #"{"x":{{"a":["b","b"]}:1}}"#,
  ])
  func `A text that a SELECT takes for JSON passes the door too`(text: String) throws {
    let sandbox = try Sandbox()
    let literal = "'" + text + "'"
    for sql in [
      "SELECT \(literal)->>'$.a'", "SELECT \(literal)->'$.a'", "SELECT json_extract(\(literal), '$.a')",
      "SELECT json(\(literal))",
      "SELECT json_type(\(literal), '$.a')", "SELECT value->>'$.a' FROM json_each(\(literal))",
      "SELECT value FROM json_tree(\(literal))", "SELECT (:body->>'$.s')->>'$.a'", "SELECT trim(:body->>'$.s')->>'$.a'",
      "SELECT value FROM json_each(:body->>'$.s')", "SELECT (replace(:body->>'$.s', 'x', 'y') || '')->>'$.bb'",
      "SELECT json_array_length(:body->>'$.s', '$.a')",
      "SELECT j.value FROM json_each('[]') AS j WHERE j.json = \(literal)",
    ] {
      let body = JSONValue.object(["s": .string(text), "t": .string(text + "\u{0}")]).compact(.plain)
      let statement = try sandbox.prepare(sql)
      do {
        try statement.forEach(in: Array(body.utf8), values: [:]) { _ in }
        #expect(sql.contains("j.json"), "\(sql)")
      } catch Sandbox.Failure.notJSON {
      }
    }
    #expect(try !isValid(text, sandbox))
  }

  private func isValid(_ text: String, _ sandbox: Sandbox) throws -> Bool {
    var result = ""
    try sandbox.prepare("SELECT json_valid('\(text)')").forEach(in: Array("1".utf8), values: [:]) {
      result = $0.text(0) ?? ""
    }
    return result == "1"
  }

  @Test func `A string that looks like JSON costs nothing until it is read as JSON`() throws {
    let sandbox = try Sandbox()
    let body = Array(#"[{"n":"{[\"a\"]:1}","p":1},{"n":"{{\"a\":[\"b\"]}:1}\u0000","p":2}]"#.utf8)
    var names: [String] = []
    try sandbox.prepare("SELECT value->>'$.n', value->>'$.p' FROM json_each(:body)").forEach(in: body, values: [:]) {
      names.append(($0.text(0) ?? "") + ($0.text(1) ?? ""))
    }
    #expect(names == [#"{["a"]:1}1"#, #"{{"a":["b"]}:1}"# + "\u{FFFD}2"])
  }
}
