import BitpalJSON
import BitpalModel
import FoundationEssentials
import Testing

@Suite struct `Members of a JSON array's elements` {
  private let rows: JSONRows

  init() throws {
    rows = JSONRows()
  }

  private func strings(_ json: String, of path: String = "$") throws -> [String] {
    var found: [String] = []
    try rows.forEachElement(of: path, in: Array(json.utf8), members: ["name": "$.name", "id": "$.id"]) { row in
      found.append("\(try row.string(0) ?? "null")|\(try row.string(1) ?? "null")")
    }
    return found
  }

  private func numbers(_ json: String) throws -> [String] {
    var found: [String] = []
    try rows.forEachElement(in: Array(json.utf8), members: ["price": "$.price", "odd": "$.odd"]) { row in
      found.append(try row.number(0)?.plainText ?? "null")
    }
    return found
  }

  @Test func `Every number keeps its own digits`() throws {
    let body =
      #"[{"price":42652,"odd":[1,[2]]},{"odd":"],","price":69702.67874735729},{"price":1.895e-05},{"price":20.0},{"price":12345678901234567},{"price":null},{}]"#
    #expect(
      try numbers(body) == ["42652", "69702.67874735729", "0.00001895", "20", "12345678901234567", "null", "null"])
  }

  @Test func `Elements of any size are read alike, whichever way is taken`() throws {
    let long = String(repeating: "x", count: 300)
    let elements = [
      #"{"name":"a","id":"1"}"#, "7", "null", #""{\"name\":1}""#, "[1]", #"{"name":"b]}\"","id":null}"#,
    ]
    let small = try strings("[" + elements.joined(separator: ",") + "]")
    #expect(small == ["a|1", "null|null", "null|null", "null|null", "null|null", "b]}\"|null"])
    // The first element decides; a body with white space around it is read by the other way too.
    for space in ["", " \n"] {
      let large =
        "[\(space){\"name\":\"\(long)\"}\(space)," + elements.joined(separator: "\(space),\(space)") + "\(space)]"
      #expect(try strings(large) == ["\(long)|null"] + small)
      #expect(try strings(large + space) == ["\(long)|null"] + small)
    }
    for empty in ["[]", "[ ]", "[\n\n]"] { #expect(try strings(empty).isEmpty) }
    #expect(throws: JSONRows.Failure.self) { try strings("[{\"name\":\"\(long)\"},]") }
  }

  @Test(arguments: [#""42""#, "true", "[1]", "{}", #""abc""#, #""a\"],b""#, "[[],{\"a\":[1,2]}]"])
  func `A value that is not a number is reported`(value: String) {
    #expect(throws: ColumnProblem.wrong(column: "price", expected: "a number", found: value)) {
      try numbers(#"[{"price":\#(value),"odd":1}]"#)
    }
  }

  @Test(arguments: ["7", "-0.5", "true", "[1,2]", #"{"a":"b"}"#])
  func `A value that is not a string is reported`(value: String) {
    #expect(throws: ColumnProblem.wrong(column: "id", expected: "a string", found: value)) {
      try strings(#"[{"id":\#(value)}]"#)
    }
  }

  @Test(
    arguments: [
      (#"[]"#, []), (" \n\t[ ] \r\n", []), (#"[ {"id" : "a" , "name" : "b"} , {} ]"#, ["b|a", "null|null"]),
      (#"[{"id":"]}[{,","name":"a,b"}]"#, ["a,b|]}[{,"]), (#"[{"id":"\"","name":"\\"}]"#, [#"\|""#]),
      (#"[{"id":"a\\","name":"\\\",\""}]"#, [#"\","|a\"#]), (#"[{"id":"\u00e9\ud83d\ude80\n","name":""}]"#, ["|é🚀\n"]),
      (#"[{"id":"ビット 🚀","name":"null"}]"#, ["null|ビット 🚀"]), (#"[{"id":"a","id":"b"}]"#, ["null|b"]),
      (#"[{"x":{"id":"deep"},"y":[[[{"id":"deeper"}]]],"id":"a"}]"#, ["null|a"]),
      ("[1,[2],null]", ["null|null", "null|null", "null|null"]),
      (#"["text","[",{"id":"a"},"{\"id\":\"b\"}"]"#, ["null|null", "null|null", "null|a", "null|null"]),
      (#"{"b":{"id":"a"},"c":{"id":"d"}}"#, ["null|a", "null|d"]),
    ] as [(String, [String])])
  func `Strings lose their quotes and escapes`(json: String, expected: [String]) throws {
    #expect(try strings(json) == expected)
  }

  @Test func `The array may be a member of the body`() throws {
    #expect(try strings(#"{"a":[{"id":"no"}],"rows":[{"id":"yes"}]}"#, of: "$.rows") == ["null|yes"])
    #expect(try strings(#"{"rows":{}}"#, of: "$.rows") == [])
    #expect(try strings(#"{"a":1}"#, of: "$.rows") == [])
  }

  @Test(arguments: [
    "", "<html>", "[", "[{", #"[{"id":"a"}"#, #"[{"id":"a"},]"#, #"[{"id":"a"}{"id":"b"}]"#, #"[{"id":"a"}] x"#,
    #"[{"id":"a"}]]"#, #"[,{"id":"a"}]"#, #"[{"id":"a"};{"id":"b"}]"#, #"[{"id":"a]"#, #"[{"id":"a\"}]"#, "[{]}",
    #"[{"id":"a"},{'id':'b'}]"#, #"[{"id":"a"},{"id":01}]"#, #"[{"id":"a",}]"#, #"[{"id":"a"} /* JSON5 */]"#,
    #"[{"id":"a","x":NaN}]"#, #"[{"id":"a","x":0x10}]"#, #"[{id:"a"}]"#,
  ])
  func `A text that is not JSON is refused before a row is read`(text: String) {
    let start = text.isEmpty ? "nothing" : text
    #expect(throws: JSONRows.Failure.notJSON(start: start)) { try strings(text) }
  }

  @Test func `A NUL byte, broken UTF-8 and deep nesting are refused`() {
    let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    let bodies: [[UInt8]] = [
      Array("[1]".utf8) + [0], [0x5B, 0x22, 0xFF, 0x22, 0x5D], brackets,
      brackets + [UInt8](repeating: UInt8(ascii: "]"), count: 100_000),
    ]
    for body in bodies {
      #expect(throws: JSONRows.Failure.self) {
        try rows.forEachElement(in: body, members: ["a": "$.a"]) { _ in }
      }
    }
  }

  @Test func `Whole numbers and instants say what they are not`() throws {
    func read(_ value: String) throws -> String {
      var found = ""
      try rows.forEachElement(in: Array("[[\(value)]]".utf8), members: ["time": "$[0]"]) { row in
        found = "\(try row.integer(0))"
      }
      return found
    }
    #expect(try read("-9007199254740993") == "-9007199254740993")
    for (value, shown) in [("1.0", "1.0"), (#""1""#, #""1""#), ("null", "null"), ("", "null"), ("1e3", "1e3")] {
      #expect(throws: ColumnProblem.wrong(column: "time", expected: "a whole number", found: shown)) { try read(value) }
    }
    var instants: [String] = []
    let body = #"[["2024-01-15T08:54:30.919Z"],["2024\u002d01-15"],[null],[]]"#
    try rows.forEachElement(in: Array(body.utf8), members: ["time": "$[0]"]) { row in
      instants.append(try row.instant(0)?.iso8601 ?? "null")
    }
    #expect(instants == ["2024-01-15T08:54:30.919Z", "2024-01-15T00:00:00Z", "null", "null"])
    for (value, shown) in [("1736850600", "1736850600"), (#""yes\u0074erday""#, "yesterday"), ("{}", "{}")] {
      #expect(throws: ColumnProblem.wrong(column: "time", expected: "an ISO 8601 time", found: shown)) {
        try rows.forEachElement(in: Array("[[\(value)]]".utf8), members: ["time": "$[0]"]) { _ = try $0.instant(0) }
      }
    }
  }

  @Test func `A member that was not asked for is not there`() throws {
    var found: [Decimal?] = []
    try rows.forEachElement(in: Array(#"[{"a":1}]"#.utf8), members: ["a": "$.a"]) { row in
      found += [try row.number(0), try row.number(7)]
    }
    #expect(found == [1, nil])
  }

  @Test func `A row that fails leaves the reader usable`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try rows.forEachElement(in: Array("[{},{}]".utf8), members: ["a": "$.a"]) { _ in throw Stop() }
    }
    #expect(try strings(#"[{"id":"a"}]"#) == ["null|a"])
  }

  @Test func `A pool lends a reader to each that reads, within a reading too`() throws {
    let pool = JSONRowsPool()
    var found: [String] = []
    for text in [#"[{"id":"a"},{"id":"b"}]"#, #"[{"id":"c"}]"#] {
      try pool.withRows { outer in
        try outer.forEachElement(in: Array(text.utf8), members: ["id": "$.id"]) { row in
          let id = try row.string(0) ?? ""
          try pool.withRows { inner in
            try inner.forEachElement(in: Array(#"[{"id":"\#(id)!"}]"#.utf8), members: ["id": "$.id"]) { row in
              found.append(try row.string(0) ?? "")
            }
          }
        }
      }
    }
    #expect(found == ["a!", "b!", "c!"])
    #expect(throws: JSONRows.Failure.notJSON(start: "x")) {
      try pool.withRows { try $0.forEachElement(in: Array("x".utf8), members: ["id": "$.id"]) { _ in } }
    }
  }
}
