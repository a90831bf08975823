import BitpalJSON
import Testing

@Suite struct `JSON read by SQL` {
  private func numbers(_ json: String) throws -> [String] {
    var found: [String] = []
    try JSONRows().forEach("SELECT value->'$.price' AS price FROM json_each(?1)", in: Array(json.utf8)) { row in
      found.append(row.text(0) ?? "null")
    }
    return found
  }

  @Test func `Every number keeps its own digits`() throws {
    let body =
      #"[{"price":42652},{"price":69702.67874735729},{"price":1.895e-05},{"price":20.0},{"price":12345678901234567},{"price":null},{}]"#
    #expect(
      try numbers(body) == ["42652", "69702.67874735729", "1.895e-05", "20.0", "12345678901234567", "null", "null"])
  }

  @Test(arguments: [
    ("", "nothing"), ("<html>", "<html>"), ("[1,", "[1,"), ("{\"a\":01}", "{\"a\":01}"), ("Throttled", "Throttled"),
    ("[1] x", "[1] x"),
  ])
  func `A body that is not JSON is reported with its actual form`(text: String, start: String) {
    #expect(throws: JSONRows.Failure.notJSON(start: start)) { try numbers(text) }
  }

  @Test func `A NUL byte, broken UTF-8 and deep nesting are refused`() {
    let bodies: [[UInt8]] = [
      Array("[1]".utf8) + [0], [0x5B, 0x22, 0xFF, 0x22, 0x5D], [UInt8](repeating: 0x5B, count: 100_000),
    ]
    for body in bodies {
      #expect(throws: JSONRows.Failure.self) {
        try JSONRows().forEach("SELECT value FROM json_each(?1)", in: body) { _ in }
      }
    }
  }

  @Test func `A parameter is bound, not pasted`() throws {
    var found: String?
    try JSONRows().forEach(
      "SELECT ?1->>('$.' || ?2)", in: Array(#"{"a":"x","b":"y"}"#.utf8), parameters: ["b"]
    ) { found = try $0.string(0) }
    #expect(found == "y")
  }
}
