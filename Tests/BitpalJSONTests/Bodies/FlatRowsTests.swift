import BitpalModel
import FoundationEssentials
import Testing

@testable import BitpalJSON

@Suite struct `Rows of texts without SQLite` {
  private static let rows = FlatRows([("price", "p", false), ("time", "t", false), ("id", "i", true)])

  /// What the rows say, or nil when the text is not read.
  private func read(_ json: String) throws -> [String]? {
    var lines: [String] = []
    let isRead = try Self.rows.forEach(in: Array(json.utf8)) { row in
      let price = try row.decimal(0)?.plainText ?? "-"
      lines.append("\(price) \(try row.instant(1)?.iso8601 ?? "-") \(try row.name(in: 2) ?? "-") \(row.isMissing(3))")
    }
    return isRead ? lines : nil
  }

  @Test func `They come out as from a SELECT, in the order of the columns`() throws {
    let body = "i,x,t,p\nau,ü,2025-01-15,1.50\nag,,2025-01-16,2\n"
    let json = try CSVReader(CSVLayout()).rows(Array(body.utf8)).json
    #expect(
      try read(String(decoding: json, as: UTF8.self)) == [
        "1.5 2025-01-15T00:00:00Z au true", "2 2025-01-16T00:00:00Z ag true",
      ])
  }

  @Test func `The fault of a cell is reported with its column`() throws {
    #expect(throws: ColumnProblem.wrong(column: "price", expected: "a number", found: #""N/D""#)) {
      try read(#"[{"i":"a","t":"2025-01-15","p":"N/D"}]"#)
    }
  }

  @Test(arguments: [
    "[]", "", "[{}]", #"{"i":"a"}"#, #"[{"i":"a","t":"2025-01-15"}]"#, #"[{"i":"a\"","t":"2025-01-15","p":"1"}]"#,
    #"[{"i":1,"t":"2025-01-15","p":"1"}]"#, #"[[1]]"#, #"[{"i"#,
  ])
  func `Any other text is not read`(json: String) throws {
    #expect(try read(json) == nil)
  }

  @Test func `A row unlike the first is an error`() {
    #expect(throws: Sandbox.Failure.failed("a row is unlike the first")) {
      try read(#"[{"i":"a","t":"2025-01-15","p":"1"},{"i":"#)
    }
  }
}
