import BitpalModel
import Foundation
import TestSupport
import Testing

@testable import BitpalJSON

@Suite struct `Written data is read back` {
  private static let pieces = ["", "a", "1.50", " ", ",", ";", "\"", "\n", "\r\n", "ä", "🚀", "\\", "\t", "=1", "null"]

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }.joined()
  }

  /// A field in CSV: in quotes where it must be, and now and then where it need not.
  private static func field(_ text: String, _ random: inout SeededGenerator) -> String {
    let mustQuote = text.unicodeScalars.contains { ",;\"\r\n".unicodeScalars.contains($0) }
    guard mustQuote || Bool.random(using: &random) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  @Test(arguments: [UInt64](0..<30))
  func `Any table is the same as CSV, with any line ends and quotes`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let names = ["id", "price, in €", "note"]
    let rows = (0..<Int.random(in: 1...20, using: &random)).map { _ in
      // The first field is never empty, so that no line is blank.
      ["x" + Self.text(&random), Self.text(&random), Self.text(&random)]
    }
    let end = ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
    let lines = ([names] + rows).map { row in row.map { Self.field($0, &random) }.joined(separator: ",") }
    let csv = lines.joined(separator: end) + (Bool.random(using: &random) ? end : "")
    let json = try CSVReader(CSVLayout(), columns: nil).rows(Array(csv.utf8)).json
    let read = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [[String: String]])
    #expect(read == rows.map { Dictionary(uniqueKeysWithValues: zip(names, $0)) })
    // What was written by the reader passes the strict one, byte for byte.
    #expect(StrictJSON.canonical(json) == json)
  }

  private static func value(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 3 ? 5 : 7), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .integer(Int.random(in: Int.min...Int.max, using: &random))
    case 3: return .number(["0.10", "1e-05", "-12.50", "42992.0"].randomElement(using: &random) ?? "0")
    case 4: return .string(text(&random))
    case 5: return .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth + 1, &random) })
    default:
      return .object(
        JSONObject((0..<Int.random(in: 0..<4, using: &random)).map { ("k\($0)", value(depth + 1, &random)) }))
    }
  }

  @Test(arguments: [UInt64](0..<100))
  func `Any value is strict JSON, and the same on one line and on several`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let value: JSONValue = ["value": Self.value(0, &random)]
    for escaping in [JSONText.Escaping.plain, .terminal, .html] {
      let compact = Array(value.compact(escaping).utf8)
      let indented = Array(value.indented(escaping).utf8)
      #expect(StrictJSON.canonical(compact) == compact)
      #expect(StrictJSON.canonical(indented) == indented)
    }
    let objects = try [value.compact(), value.indented(), value.compact(.html)].map { text in
      try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }
    #expect(objects.allSatisfy { $0 == objects[0] })
  }

  @Test func `A missing value is null, and a number is a text with all of its digits`() throws {
    #expect(JSONValue(String?.none) == .null && JSONValue(Decimal?.none) == .null && JSONValue(Date?.none) == .null)
    for digits in ["0.000000012345678901234567", "-0.5", "12345678901234567890123456789012345678", "0"] {
      #expect(JSONValue(try Decimal(strict: digits)) == .string(digits))
    }
    #expect(JSONValue(Date(milliseconds: 1_736_937_000_000)) == "2025-01-15T10:30:00Z")
    #expect(JSONValue.written("[1, 2]").compact() == "[1, 2]")
  }

  @Test func `Members keep their order, and the first of a name is found`() {
    var object: JSONObject = ["b": 1, "a": 2]
    object.append("c", .null)
    #expect((object + ["b": 3]).members.map(\.key) == ["b", "a", "c", "b"])
    #expect((object + ["b": 3])["b"] == 1 && object["d"] == nil && object["c"] == .null)
  }
}

@Suite struct `A set of ASCII characters` {
  @Test func `contains its characters and no byte beyond ASCII`() {
    let text: StaticString = "\u{0}\t,;?@AZ`az\u{7F}"
    let set = ASCIISet(text)
    let expected = Set("\(text)".utf8)
    for byte in UInt8.min...UInt8.max { #expect(set.contains(byte) == expected.contains(byte)) }
  }

  @Test func `is united with another, and has the control characters`() {
    var set = ASCIISet("a").union(.controls)
    #expect((UInt8(0)..<0x20).allSatisfy(set.contains) && set.contains(UInt8(ascii: "a")) && !set.contains(0x20))
    set.insert(0x20)
    set.insert(0xC3)
    #expect(set.contains(0x20) && !set.contains(0xC3))
  }
}

@Suite struct `A sheet below a title` {
  @Test func `has rows that are found by their lines, with the columns of their fields`() throws {
    let text = "Account of Ada\n\nDate;Äpfel;Äpfel;\n2025-01-15;1,5;\"a\nb\";\n2025-01-16;ü;3;4\n"
    let headers = try CSVSheet.headers(in: Array(text.utf8), within: 5, delimiters: [UInt8(ascii: ";")])
    let header = try #require(headers.first { $0.line == 3 })
    #expect(header.names == ["Date", "Äpfel", "Äpfel 2", "c3"])
    let sheet = CSVSheet(Array(text.utf8), header: header)
    #expect(sheet.first(1) == [["2025-01-15", "1,5", "a\nb", ""]])
    // The first row has two lines.
    #expect(sheet.text(ofLine: 6) == "2025-01-16;ü;3;4")
    #expect(sheet.fields(ofLine: 6).map(\.column) == [1, 12, 14, 16])
    #expect(sheet.fields(ofLine: 6).map(\.text) == ["2025-01-16", "ü", "3", "4"])
    #expect(sheet.fields(ofLine: 99).isEmpty && sheet.text(ofLine: 99) == "")
  }

  @Test func `has no rows of empty fields, and none of a header that is there again`() throws {
    let text = "Date,Cur.,Cur.\n1,2,3\n,,\n , ,\"\"\n,\nDate,Cur.,Cur.\nDate,4,5\n"
    let headers = try CSVSheet.headers(in: Array(text.utf8), within: 1, delimiters: [UInt8(ascii: ",")])
    let sheet = CSVSheet(Array(text.utf8), header: try #require(headers.first))
    #expect(sheet.first(9) == [["1", "2", "3"], ["Date", "4", "5"]])
    #expect(sheet.text(ofLine: 7) == "Date,4,5")
  }
}
