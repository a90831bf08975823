import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials
import ProviderFiles
import TestSupport
import Testing

@Suite struct `Answers in CSV and XML` {
  private static let sheet = """
    error: $.message
    errors: { rate_limited: [daily hits], not_found: [No data] }
    line:
      get: /history.csv?s={id}
      body: csv
      time: iso8601
      fields: { time: $.Date, price: "$.{CURRENCY}" }
    quotes:
      get: /now.csv?s={id}
      body: csv
      header: [symbol, time, price, empty]
      delimiter: ";"
      time: iso8601
      fields: { id: $.symbol, time: $.time, price: "iif(row.value->>'$.price' = 'N/D', 'null', row.value->'$.price')" }
    """

  private static let rates = """
    error: $.fault.reason
    line:
      get: /rates.xml
      body: xml
      time: iso8601
      each: $."x:rates".day
      fields: { time: $.@date, price: "(SELECT r.value->>'$.#text' FROM json_each(row.value, '$.rate') AS r WHERE r.value->>'$.@of' = :CURRENCY)" }
    """

  private func line(_ file: String, _ body: String, status: Int = 200) throws -> Read<LineSeries> {
    try Declared(file).dialect().line(
      "gold", currency: "usd", window: Declared.window(.seconds(30 * 86_400)),
      from: HTTPResponse(status: status, body: Array(body.utf8)))
  }

  private func failure(_ file: String, _ body: String, status: Int = 200) throws -> String {
    let error = #expect(throws: BitpalError.self) { try line(file, body, status: status) }
    return error?.message ?? ""
  }

  @Test func `Each row of CSV is a row without each`() throws {
    let answer = try line(Self.sheet, "Date,USD,EUR\n2025-01-14,1.10,1\n2025-01-15,1.1200,1\n")
    #expect(answer.value.points.map(\.price.plainText) == ["1.1", "1.12"])
    #expect(answer.value.points.map(\.timestamp.iso8601) == ["2025-01-14T00:00:00Z", "2025-01-15T00:00:00Z"])
    #expect(answer.warnings.isEmpty)
  }

  @Test func `A row that is too short is left out and reported with its line`() throws {
    let answer = try line(Self.sheet, "Date,USD,EUR\n2025-01-13,1.1,1\n2025-01-14\n2025-01-15,1.2,1\n")
    #expect(answer.value.points.count == 2)
    #expect(answer.warnings.map(\.description) == ["left out 1 row of the source: line 3 has 1 field, not 3"])
    #expect(
      try failure(Self.sheet, "Date,USD\n1\n2\n").contains("none of its rows can be read: line 2 has 1 field, not 2"))
  }

  @Test func `A quote without a header has the names that the file gives`() throws {
    let dialect = try Declared(Self.sheet).dialect()
    let body = "gold;2025-01-15T10:00:00Z;2700.50;\n"
    let answer = try dialect.quotes(
      ["gold"], currency: "usd", from: HTTPResponse(status: 200, body: Array(body.utf8)))
    #expect(answer.value.coins["gold"]?.currentPrice.plainText == "2700.5")
    let none = try dialect.quotes(
      ["gold"], currency: "usd", from: HTTPResponse(status: 200, body: Array("gold;N/D;N/D;\n".utf8)))
    #expect(none.value.failures["gold"] == .noPrice(coin: "gold", provider: "mine"))
  }

  @Test func `The request says which form it wants`() throws {
    func accepted(_ file: String, _ query: ProviderQuery) throws -> String? {
      try Declared(file).dialect().request(for: query).headers.first(named: "accept")
    }
    let line = ProviderQuery.line(coin: "gold", currency: "usd", window: Declared.window(.seconds(86_400)))
    #expect(try accepted(Self.sheet, line) == "text/csv")
    #expect(try accepted(Self.rates, line) == "application/xml, text/xml")
    #expect(
      try accepted("quotes: { get: /p, fields: { price: $.p } }", .quotes(coins: ["x"], currency: "usd"))
        == "application/json")
  }

  @Test func `Elements of XML are rows, be they several or one`() throws {
    let days = ["2025-01-14", "2025-01-15"].map {
      "<day date='\($0)'>\n <rate of='EUR'>1</rate>\n <rate of='USD'>1.10</rate>\n</day>"
    }
    func prices(_ days: [String]) throws -> [String] {
      try line(Self.rates, "<x:rates>" + days.joined() + "</x:rates>").value.points.map(\.price.plainText)
    }
    #expect(try prices(days) == ["1.1", "1.1"])
    #expect(try prices([days[1]]) == ["1.1"])
  }

  @Test(
    arguments: [
      (
        sheet, "Date,USD\n2025-01-15,\"1.1\n",
        "it is not CSV as it should be: line 2, column 12: a quote that is never closed"
      ),
      (sheet, "<!doctype html><html>", "it is a web page instead of CSV"),
      (sheet, "", "it is not CSV as it should be: line 1, column 1: it is empty"),
      (sheet, "Date,EUR\n2025-01-15,1\n", "price: $.{CURRENCY} matches nothing; the row has Date, EUR"),
      (
        rates, "<x:rates><day></x:rates>",
        "it is not XML as it should be: line 1, column 17: mismatched tag"
      ),
      (rates, "<!DOCTYPE x [<!ENTITY a 'b'>]><x:rates/>", "a DOCTYPE, which is refused"),
      (rates, "<x:rates><year/></x:rates>", #"$."x:rates".day matches nothing; $."x:rates" has year"#),
    ] as [(String, String, String)])
  func `An unreadable body is reported with its place`(file: String, body: String, reason: String) throws {
    let words = try failure(file, body)
    #expect(words.contains(reason) && words.contains("mine.yaml:"), "\(words)")
  }

  @Test func `An error message of a source is reported in every body form`() throws {
    #expect(try failure(Self.sheet, #"{"message":"daily hits exceeded"}"#).contains("daily hits exceeded"))
    #expect(try failure(Self.sheet, #"{"message":"out of order"}"#).contains("out of order"))
    #expect(try failure(Self.sheet, "Exceeded the daily hits limit").contains("Exceeded the daily hits limit"))
    #expect(try failure(Self.sheet, "No data\n", status: 404).contains("gold"))
    #expect(try failure(Self.rates, "<fault><reason>closed today</reason></fault>").contains("closed today"))
    #expect(
      try failure(Self.rates, "<fault><reason>closed today</reason></fault>", status: 500).contains("closed today"))
    #expect(try failure(Self.sheet, "<html>", status: 500).contains("a web page instead of CSV"))
  }

  @Test(arguments: [
    ("<a>", "", 1 << 20), ("<!DOCTYPE a [<!ENTITY b 'b'><!ENTITY c '&b;&b;&b;'>]><a>&c;</a>", "", 1),
    ("&b;", "<a>", 1 << 20), ("&", "<a b='", 1 << 20), ("<a", "", 1 << 20),
  ])
  func `A bomb is refused with its place`(part: String, start: String, count: Int) throws {
    let body = start + String(repeating: part, count: count)
    #expect(try failure(Self.rates, body).contains("it is not XML as it should be: line 1, column "))
  }
}
