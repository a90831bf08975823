import BitpalJSON
import BitpalModel
import Foundation
import Testing

@Suite struct `Writing JSON` {
  private let value: JSONValue = [
    "schema": "x/1", "rows": [["b": .integer(2), "a": .null], [:]], "empty": [], "yes": .bool(true),
  ]

  @Test func `Keys keep their order, with an indent of two`() {
    #expect(
      value.indented() == """
        {
          "schema": "x/1",
          "rows": [
            {
              "b": 2,
              "a": null
            },
            {}
          ],
          "empty": [],
          "yes": true
        }

        """)
  }

  @Test func `A compact value is one line`() {
    #expect(value.compact() == #"{"schema":"x/1","rows":[{"b":2,"a":null},{}],"empty":[],"yes":true}"#)
  }

  @Test(arguments: [
    ("plain", #""plain""#), (#"a"b\c"#, #""a\"b\\c""#), ("a\nb\tc\rd", #""a\nb\tc\rd""#),
    ("\u{1B}[31m\u{0}", #""\u001b[31m\u0000""#), ("\u{7F}\u{9B}", #""\u007f\u009b""#),
    ("\u{202E}x\u{2066}", #""\u202ex\u2066""#), ("é 日本 🚀", #""é 日本 🚀""#), ("\r\n", #""\r\n""#),
  ])
  func `Control characters of a terminal are escaped, all others are kept`(text: String, expected: String) {
    #expect(JSONValue.string(text).compact() == expected)
  }

  @Test func `Written JSON is read back by another reader`() throws {
    let text = (0..<0x250).compactMap(Unicode.Scalar.init).map { String($0) }.joined() + "\u{202E}\u{1F680}"
    let read = try JSONDecoder().decode([String].self, from: Data(JSONValue.array([.string(text)]).indented().utf8))
    #expect(read == [text])
  }

  @Test func `An object on one line stays there among indented ones`() {
    let value: JSONValue = [.line(["a": 1, "b": ["c", .number("1.50")]]), .line([:])]
    #expect(
      value.indented() == """
        [
          { "a": 1, "b": ["c",1.50] },
          {}
        ]

        """)
    #expect(value.compact() == #"[{"a":1,"b":["c",1.50]},{}]"#)
  }

  @Test func `A file escapes what JSON demands, a server for browsers more`() {
    let text = JSONValue.string("<&>\u{9B}\u{2028}\u{1}")
    #expect(text.compact(.plain) == "\"<&>\u{9B}\u{2028}\\u0001\"")
    #expect(text.compact(.html) == #""\u003c\u0026\u003e"# + "\u{9B}" + #"\u2028\u0001""#)
  }

  @Test func `Money and instants are text, what is missing is null`() {
    #expect(JSONValue(Decimal(string: "0.00000001")) == "0.00000001")
    #expect(JSONValue(Date(timeIntervalSince1970: 1_736_937_000)) == "2025-01-15T10:30:00Z")
    #expect(JSONValue(nil as Decimal?) == .null)
    #expect(JSONValue(nil as Date?) == .null)
    #expect(JSONValue(nil as String?) == .null)
  }
}
