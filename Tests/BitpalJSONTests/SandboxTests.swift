import BitpalJSON
import BitpalModel
import FoundationEssentials
import Testing

@Suite struct `SQL from a file, over JSON` {
  private func first(_ sql: String, _ body: String = "{}") throws -> String? {
    var result: String?
    try Sandbox().prepare(sql).forEach(in: Array(body.utf8), values: [":x": "7"]) { result = $0.text(0) }
    return result
  }

  @Test(
    arguments: [
      ("percent_change('100', '102.5')", "2.5"), ("percent_change('3', '4')", "33.333333333333333333"),
      ("percent_change('0', '4')", nil), ("percent_change('\"8\"', '6')", "-25"), ("percent_change(NULL, '4')", nil),
      ("percent_change('null', '4')", nil), ("decimal_add('0.1', '0.2')", "0.3"),
      ("decimal_add('1e20', '-1e-15')", "99999999999999999999.999999999999999"), ("decimal_sub('1', '1.0')", "0"),
      ("decimal_sub(5, 7)", "-2"), ("decimal_mul('69702.67874735729', '0.00000001')", "0.0006970267874735729"),
      ("decimal_div('1', '3')", "0.333333333333333333"), ("decimal_div('2', '3')", "0.666666666666666667"),
      ("decimal_mul(:x, '6')", "42"),
      // 38 digits as they come out, 39 before the zeros are dropped.
      ("decimal_mul('5000000000000000000', '20000000000000000000')", "1" + String(repeating: "0", count: 38)),
      // Forty digits before the zeros at the end are folded.
      (
        "decimal_mul('7390198.64564157316646175', '58.36671245100232')",
        "431341599.30594849067900840778999544126"
      ),
    ] as [(String, String?)])
  func `Arithmetic on decimal text is exact`(expression: String, result: String?) throws {
    #expect(try first("SELECT \(expression)") == result)
  }

  @Test(
    arguments: [
      // Both seasons of both hemispheres, the day of the change, and a zone that is ahead by 45 minutes.
      ("local_day(1751860800, 'America/New_York')", "1751846400"),
      ("local_day(1751860799, 'America/New_York')", "1751760000"),
      ("local_day(1768453200, 'America/New_York')", "1768435200"),
      ("local_day(1736809200, 'Australia/Sydney')", "1736812800"),
      ("zone_offset(1751860800, 'Europe/London')", "3600"), ("zone_offset(1768453200, 'Europe/London')", "0"),
      ("zone_offset(0, 'Asia/Kathmandu')", "19800"), ("zone_offset(1768453200, '+05:45')", "20700"),
      ("local_day(NULL, 'Asia/Tokyo')", nil), ("local_day('1768435200.5', 'UTC')", "1768435200"),
      ("instant('2026-03-29T03:30', 'Europe/Berlin')", "1774747800"),
      ("instant('2026-07-01', 'Asia/Tokyo')", "1782831600"),
      ("instant('2026-07-01T00:00:00Z', 'Asia/Tokyo')", "1782864000"),
    ] as [(String, String?)])
  func `Instants have days and offsets in the zones of the system`(expression: String, result: String?) throws {
    #expect(try first("SELECT \(expression)") == result)
  }

  @Test(arguments: [
    ("decimal_add('1', 'x')", "decimal_add was given x, which is not a number"),
    ("decimal_add(0.1, '1')", "decimal_add was given a floating-point number; write -> instead of ->>"),
    ("decimal_div('1', '0')", "decimal_div(1, 0) has no exact result"),
    ("local_day(0, 'Europe/Berlim')", "unknown time zone \"Europe/Berlim\"; did you mean Europe/Berlin?"),
    ("local_day(0, '../etc/passwd')", "a time zone is named like Europe/Berlin, not \"../etc/passwd\""),
    ("zone_offset('x', 'UTC')", "zone_offset should be given seconds since 1970, not \"x\""),
    (
      "decimal_add('1e30', '1e-30')",
      "decimal_add(1000000000000000000000000000000, 0.000000000000000000000000000001) has no exact result"
    ),
  ])
  func `A calculation without an exact result is the fault of its row alone`(expression: String, message: String) throws
  {
    var found: [Decimal?] = []
    var problems: [ColumnProblem] = []
    let sql = "SELECT \(expression) UNION ALL SELECT decimal_add(\(expression), '1') UNION ALL SELECT '7'"
    try Sandbox().prepare(sql).forEach(in: Array("{}".utf8), values: [:]) { row in
      do {
        found.append(try row.decimal(0))
      } catch let problem as ColumnProblem {
        problems.append(problem)
      }
    }
    #expect(found == [7])
    #expect(problems == [.failed(message), .failed(message)])
  }

  @Test(arguments: [
    ("ATTACH 'x' AS y", "ATTACH"), ("PRAGMA user_version", "PRAGMA"), ("-- x\n CREATE TABLE t(a)", "CREATE"),
    ("SELECT * FROM pragma_table_info('x')", "a table other than json_each and json_tree"),
    ("SELECT * FROM sqlite_master", "the table sqlite_master"),
    ("SELECT random()", "the function random"), ("SELECT current_timestamp", "the function current_timestamp"),
    ("SELECT 1; SELECT 2", "a second statement"), ("/* y */VACUUM", "VACUUM"),
    ("BEGIN", "BEGIN"), ("DROP TABLE t", "DROP"), ("DELETE FROM json_each", "DELETE"),
    ("EXPLAIN SELECT 1", "EXPLAIN"), ("SELECT json_set('{}', :body->>'$.p', 1)", "the function json_set"),
    ("SELECT json_patch(:body, :body)", "the function json_patch"),
  ])
  func `Nothing but reading JSON is allowed`(sql: String, what: String) throws {
    #expect { try Sandbox().prepare(sql) } throws: { error in
      switch error as? Sandbox.Failure {
      case .forbidden(let found, _)?: found == what
      case let other:
        {
          Issue.record("\(sql): \(String(describing: other))"); return true
        }()
      }
    }
  }

  @Test func `A query without end is stopped`() throws {
    let sandbox = try Sandbox(budget: Sandbox.Budget(steps: 100_000, time: .seconds(60)))
    let statement = try sandbox.prepare(
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")
    #expect(
      throws: Sandbox.Failure.overBudget("it takes too many steps; does a recursive query have an end?")
    ) { try statement.forEach(in: Array("{}".utf8), values: [:]) { _ in } }
  }

  @Test func `A query that takes too long is stopped`() throws {
    let sandbox = try Sandbox(budget: Sandbox.Budget(steps: .max, time: .zero))
    let statement = try sandbox.prepare(
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")
    #expect(throws: Sandbox.Failure.overBudget("it takes too long")) {
      try statement.forEach(in: Array("{}".utf8), values: [:]) { _ in }
    }
  }

  @Test(arguments: ["", "nope", "{\"a\":1}\u{0}", "[1,"])
  func `A body that is not JSON is reported as such`(body: String) throws {
    #expect { try first("SELECT value FROM json_each(:body)", body) } throws: { error in
      if case .notJSON? = error as? Sandbox.Failure { true } else { false }
    }
  }

  @Test func `A number keeps its own text`() throws {
    var found: [Decimal?] = []
    try Sandbox().prepare("SELECT value->'$.p' FROM json_each(:body)")
      .forEach(in: Array(#"[{"p":69702.67874735729},{"p":"1.890e-5"},{"p":null},{}]"#.utf8), values: [:]) {
        found.append(try $0.decimal(0))
      }
    #expect(found == [try Decimal(strict: "69702.67874735729"), try Decimal(strict: "0.0000189"), nil, nil])
  }

  @Test func `A number that passed through floating point is refused`() throws {
    #expect(throws: ColumnProblem.floatingPoint(column: "p", value: "0.1")) {
      try Sandbox().prepare("SELECT :body->>'$.p' AS p").forEach(in: Array(#"{"p":0.10}"#.utf8), values: [:]) {
        _ = try $0.decimal(0)
      }
    }
  }
}
