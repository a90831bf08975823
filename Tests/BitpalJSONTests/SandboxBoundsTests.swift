import BitpalJSON
import BitpalModel
import FoundationEssentials
import Testing

@testable import BitpalFiles

/// Statements that would run for minutes, hold gigabytes, or crash; each must end soon, whatever the body.
@Suite struct `Limits of a SELECT` {
  private static let text =
    Array(#"{"s":""#.utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 512 << 10) + Array(#""}"#.utf8)
  private static let zeros = Array(("[" + String(repeating: "0,", count: 1 << 20) + "0]").utf8)

  /// What ends a statement over a body.
  private func end(_ sql: String, _ body: [UInt8], time: Duration = .seconds(10)) throws -> Sandbox.Failure? {
    let sandbox = try Sandbox(budget: Sandbox.Budget(steps: 20_000_000, time: time, output: 1 << 20))
    do {
      try sandbox.prepare(sql).forEach(in: body, values: [:]) { _ = $0.text(0) }
      return nil
    } catch let failure as Sandbox.Failure {
      return failure
    }
  }

  @Test(
    arguments: [
      ("instr(:body->>'$.s', substr(:body->>'$.s', 1, 250000) || 'b')", "0"),
      ("length(replace(:body->>'$.s', substr(:body->>'$.s', 1, 250000) || 'b', ''))", "524288"),
      ("length(trim(:body->>'$.s', replace(substr(:body->>'$.s', 1, 20000), 'a', 'bcd')))", "524288"),
      ("instr('añb', 'b')", "3"), ("instr('abc', '')", "1"), ("instr('', 'a')", "0"), ("instr(NULL, 'a')", nil),
      ("replace('aXbXc', 'X', '--')", "a--b--c"), ("replace('abc', '', 'x')", "abc"),
      ("replace('aaa', 'aa', 'b')", "ba"),
      ("replace('abc', 'a', NULL)", nil), ("trim('xxayxx', 'x')", "ay"), ("ltrim('ñña', 'ñ')", "a"),
      ("rtrim('axyx', 'xy')", "a"), ("trim('  a ')", "a"), ("'Bitcoin' LIKE 'bit%'", "1"),
      ("'50%' LIKE '50!%' ESCAPE '!'", "1"), ("'abc' GLOB 'a*'", "1"), ("'abc' GLOB 'A*'", "0"), ("NULL LIKE 'a'", nil),
    ] as [(String, String?)])
  func `Looking for one text in another takes no longer than they are long`(expression: String, result: String?) throws
  {
    var found: String?
    try Sandbox().prepare("SELECT \(expression)").forEach(in: Self.text, values: [:]) { found = $0.text(0) }
    #expect(found == result)
  }

  @Test func `A pattern that would be compared for minutes is refused`() throws {
    let failure = try end("SELECT (:body->>'$.s') LIKE '%' || substr(:body->>'$.s', 1, 5000) || 'b%'", Self.text)
    #expect(
      failure == .overBudget("like was given 5003 by 524288 characters, which would take too long"))
  }

  @Test(arguments: [
    // Each row is kept until the end: 240 of half a megabyte.
    "SELECT length(s) FROM (SELECT :body || n.value AS s FROM json_each('[\(numbers)]') AS n UNION SELECT '') ORDER BY s",
    "SELECT :body || n.value AS s FROM json_each('[\(numbers)]') AS n ORDER BY s",
    "SELECT max(:body || n.value) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM json_each('[\(numbers)]') AS n",
    "SELECT group_concat(length(s)) FROM (SELECT DISTINCT :body || n.value AS s FROM json_each('[\(numbers)]') AS n)",
  ])
  func `The memory of a statement is bounded`(sql: String) throws {
    #expect(try end(sql, Self.text) == .overBudget("it needs too much memory"))
  }

  private static let numbers = (1...240).map(String.init).joined(separator: ",")

  @Test func `The size of a result is bounded`() throws {
    #expect(try end("SELECT :body FROM json_each('[1,2,3]')", Self.text) == .overBudget("it gives more than 1 MiB"))
  }

  @Test func `Straight work without a loop ends at its time too`() throws {
    // A hundred bodies to read one after the other; each is another text, so that none is remembered.
    let pieces = (1...100).map { "json_valid(:body || substr('\(String(repeating: " ", count: 100))', 1, \($0)))" }
    let clock = ContinuousClock()
    var failure: Sandbox.Failure?
    let took = try clock.measure {
      failure = try end("SELECT " + pieces.joined(separator: " + "), Self.zeros, time: .milliseconds(1))
    }
    #expect(failure == .overBudget("it takes too long"))
    // Without the end it is a hundred times as long as reading one.
    let one = try clock.measure { _ = try end("SELECT json_valid(:body)", Self.zeros) }
    #expect(took < max(one, .milliseconds(10)) * 20)
  }

  @Test func `The time left for the whole answer is the time of a statement`() throws {
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    let failure = try ReadingTime.$left.withValue(.zero) { try end(endless, Array("{}".utf8)) }
    #expect(failure == .overBudget("it takes too long"))
    #expect(throws: JSONRows.Failure.self) {
      try ReadingTime.$left.withValue(.zero) {
        try JSONRows().forEach("SELECT value FROM json_each(?1)", in: Self.zeros) { _ in }
      }
    }
  }

  @Test func `A statement that names itself over and over is refused while it is compiled`() throws {
    var sql = "WITH a0(x) AS (SELECT 1)"
    for level in 1...20 { sql += ", a\(level)(x) AS (SELECT p.x FROM a\(level - 1) AS p, a\(level - 1))" }
    let words = "it takes too long to compile; does a WITH name the one before it more than once?"
    #expect(throws: Sandbox.Failure.overBudget(words)) { try Sandbox().prepare(sql + " SELECT x FROM a20") }
  }

  @Test func `A bound is that of one thread, and ends with the run`() throws {
    let failure = try end("SELECT length(group_concat(:body)) FROM json_each('[\(Self.numbers)]')", Self.text)
    #expect(failure != nil)
    // What has no bound of its own can have as much as it needs.
    let connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    #expect(try connection.integer("SELECT length(hex(zeroblob(50000000)))") == 100_000_000)
  }

  @Test(arguments: [
    "[1,]", "{a:1}", "{'a':1}", "[NaN]", "[Infinity]", "[0x10]", "[+1]", "[.5]", "[1.]", "/* c */ [1]", "[1] // c",
    #"["a\x41"]"#,
  ])
  func `Almost valid JSON is refused by every version of SQLite`(body: String) throws {
    #expect(throws: Sandbox.Failure.notJSON(start: body)) {
      try Sandbox().prepare("SELECT value FROM json_each(:body)").forEach(in: Array(body.utf8), values: [:]) { _ in }
    }
    #expect(throws: JSONRows.Failure.notJSON(start: body)) {
      try JSONRows().forEach("SELECT value FROM json_each(?1)", in: Array(body.utf8)) { _ in }
    }
  }

  @Test(arguments: [
    #"{{"a":["b"]}:1}"#, #"{["a"]:"c"}"#, #"[{"x": {{"a":["b"]} : 1}}]"#, #"{"a":1,{"b":["c"]}"# + "\n:2}",
  ])
  func `A key that is not a string ends no process`(body: String) throws {
    for sql in [
      "SELECT json_extract(value,'$.x'), value->>'$.y' FROM json_each(:body)",
      "SELECT count(*) FROM json_tree(:body)", "SELECT json_extract(:body->>'$.d','$.x')",
      "SELECT json_extract(:body->>'$.d[0]','$.x')",
    ] {
      #expect(throws: Sandbox.Failure.self) {
        try Sandbox().prepare(sql).forEach(in: Array(body.utf8), values: [:]) { _ in }
      }
    }
  }

  @Test(arguments: [
    #"{"a]":1,"b}":[{"c":"d}:e]:"}]}"#, #"{"d":"[note]: {x}: y"}"#, #"{"d":"{\"a}\":1}","e":"}:"}"#,
    #"{"d":"[\"{\\\"a\\\":1}\"]"}"#, #"{"a" : {"b" : [ ] } }"#, #"{"d":"[o\n]: {x}"}"#,
  ])
  func `A bracket before a colon within a string is text`(body: String) throws {
    var rows = 0
    try Sandbox().prepare("SELECT value FROM json_each(:body)").forEach(in: Array(body.utf8), values: [:]) { _ in
      rows += 1
    }
    try JSONRows().forEach("SELECT value FROM json_each(?1)", in: Array(body.utf8)) { _ in rows -= 1 }
    #expect(rows == 0)
  }

  @Test(arguments: [
    (#"{{""q"":[""a""]}:2}"#, #"{{"q":["a"]}:2}"#), (#"{""a]"":1}"#, #"{"a]":1}"#),
    ("[note]: {x}", "[note]: {x}"), ("{a]: b", "{a]: b"),
  ])
  func `A cell is the text that it is, also where it looks like JSON`(cell: String, expected: String?) throws {
    let bytes = Array("line,cell\n1,\"\(cell)\"\n".utf8)
    let header = try #require(try CSVSheet.headers(in: bytes, within: 1, delimiters: [UInt8(ascii: ",")]).first)
    let table = try SheetTable(columns: ["cell"])
    let query = try SheetQuery(
      "SELECT cell, iif(json_valid(cell), json_extract(cell, '$.x'), NULL) FROM rows", over: table)
    var found: [String?] = []
    #expect(table.load(CSVSheet(bytes, header: header), report: { _ in }) == 1)
    try query.forEach(marks: nil) { found.append($0.text(0)) }
    #expect(found == [expected])
  }

  @Test func `Rows below a header with a delimiter more are whole, and the fault of the first that is not is known`()
    throws
  {
    let bytes = Array("id;cell; \na;1\nc\n".utf8)
    let header = try #require(try CSVSheet.headers(in: bytes, within: 1, delimiters: [UInt8(ascii: ";")]).first)
    let sheet = CSVSheet(bytes, header: header)
    #expect(sheet.first(9) == [["a", "1", ""]])
    #expect(sheet.firstFault?.line == 3)
  }

  @Test func `A column is read where a SELECT names it, and not in a text, a comment or the name of a result`() throws {
    let table = try SheetTable(columns: ["Fee", "Other Fee", "Broker", "Sum", "it's", "Tax", "Side"])
    let all = """
      -- "Broker" is not read.
      WITH a AS (SELECT * FROM rows) SELECT [sum], "it's" /* Tax */, 'Other Fee', 'it''s "Tax"' AS fee, Side FROM a
      """
    #expect(try SheetQuery(all, over: table).columnsRead == ["sum", "it's", "side"])
    let results = try SheetQuery("SELECT * FROM rows", over: table).columnsRead
    #expect(results.isSuperset(of: ["fee", "other fee", "broker", "it's"]))
  }

  @Test func `Rows with one text in a column are found without regard to case, and left out by their lines`() throws {
    let bytes = Array("id,cell\na,1\nb,1\nA,1\na,2\n,1\n,1\na,1\n".utf8)
    let header = try #require(try CSVSheet.headers(in: bytes, within: 1, delimiters: [UInt8(ascii: ",")]).first)
    let table = try SheetTable(columns: header.names)
    let query = try SheetQuery("SELECT id, cell FROM rows ORDER BY line", over: table)
    #expect(table.load(CSVSheet(bytes, header: header), report: { _ in }) == 7)
    #expect(table.repeatedRows(by: "other").isEmpty && table.leaveOutRepeated(by: "other") == 0)
    #expect(table.repeatedRows(by: "ID") == [[2, 4, 5, 8]] && table.leaveOutRepeated(by: "ID") == 1)
    table.leaveOut([4])
    var found: [[String?]] = []
    try query.forEach(marks: nil) { row in found.append([row.text(0), row.text(1)]) }
    #expect(found == [["a", "1"], ["b", "1"], ["a", "2"], [nil, "1"], [nil, "1"]])
  }

  @Test(arguments: ["a\"b", "a\"\u{301}, x TEXT); --", "'\u{338}", "]", "a b", "\u{1F600}"])
  func `A column may have any name, also one in which a combining mark follows a quote`(name: String) throws {
    let bytes = Array("\"\(name.doubling("\""))\",other\n1,2\n".utf8)
    let header = try #require(try CSVSheet.headers(in: bytes, within: 1, delimiters: [UInt8(ascii: ",")]).first)
    let table = try SheetTable(columns: header.names)
    let query = try SheetQuery("SELECT * FROM rows", over: table)
    var found: [[String?]] = []
    _ = table.load(CSVSheet(bytes, header: header), report: { _ in })
    try query.forEach(marks: nil) { row in found.append((1..<3).map { row.text($0) }) }
    #expect(found == [["1", "2"]])
  }
}
