import BitpalJSON
import BitpalModel
import BitpalOutput
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `The schema of a value` {
  /// Returns a check of the values of a schema.
  private func check(_ schema: ValueSchema) throws -> JSONSchemaCheck {
    var json = schema.json("#/$defs/")
    let definitions = schema.definitions.map { ($0.key, JSONValue.object($0.value.json("#/$defs/"))) }
    json.append("$defs", .object(JSONObject(definitions)))
    return try JSONSchemaCheck(Data(JSONValue.object(json).compact(.plain).utf8))
  }

  @Test(
    arguments: [
      (
        .decimal("x"), ["\"0\"", "\"-1.50\"", "\"12345678901234567890.000000000001\""],
        ["1", "\"1e5\"", "\"01\"", "\".5\"", "\"\""]
      ),
      (
        .instant("x"), ["\"2025-01-15T10:30:00Z\"", "\"2025-01-15T10:30:00.123Z\""],
        ["\"2025-01-15\"", "\"2025-01-15T10:30:00+01:00\"", "5"]
      ),
      (.day("x"), ["\"2025-01-15\""], ["\"15.1.2025\"", "\"2025-01-15T10:30:00Z\""]),
      (.count("x", from: 1, to: 9), ["1", "9"], ["0", "10", "\"1\"", "1.5"]),
      (.flag("x"), ["true", "false"], ["0", "\"true\""]),
      (.word(["a", "b"], "x"), ["\"a\"", "\"b\""], ["\"c\"", "\"A\"", "1"]),
      (.list(.flag("x"), "x"), ["[]", "[true]"], ["[1]", "true", "{}"]),
      (.map(of: .number("x"), "x"), ["{}", "{\"usd\":1.5}"], ["{\"usd\":\"1.5\"}", "[]"]),
      (.either(.flag("x"), .day("x"), about: "x"), ["true", "\"2025-01-15\""], ["1", "\"x\""]),
      (
        .object(["a": .flag("x"), "b": .flag("x").orMissing]), ["{\"a\":true}", "{\"a\":true,\"b\":false}"],
        ["{}", "{\"b\":true}", "{\"a\":1}"]
      ),
      (.named("mark", .word(["x"], "x")), ["\"x\""], ["\"y\"", "1"]),
    ] as [(ValueSchema, [String], [String])])
  func `Accepts its own values and no others, and null only where it may be`(
    schema: ValueSchema, own: [String], others: [String]
  ) throws {
    let (plain, nullable) = (try check(schema), try check(schema.orNull))
    for text in own {
      #expect(plain.fault(in: text) == nil, "\(text)")
      #expect(nullable.fault(in: text) == nil, "\(text)")
    }
    for text in others {
      #expect(plain.fault(in: text) != nil, "\(text)")
      #expect(nullable.fault(in: text) != nil, "\(text)")
    }
    #expect(plain.fault(in: "null") != nil && nullable.fault(in: "null") == nil)
  }

  @Test func `A definition is written once, however many values refer to it`() throws {
    let mark = ValueSchema.named("mark", .flag("A mark."))
    let schema = ValueSchema.object(["a": mark, "b": .list(mark, "Marks."), "c": .map(of: mark.orNull, "By name.")])
    #expect(Array(schema.definitions.keys) == ["mark"])
    let check = try check(schema)
    #expect(check.fault(in: #"{"a":true,"b":[false],"c":{"x":null}}"#) == nil)
    #expect(check.fault(in: #"{"a":true,"b":[null],"c":{}}"#) != nil)
  }

  @Test(arguments: OutputSchema.all.map(\.schema))
  func `Each shape has a number, a description, and definitions for all that it refers to`(name: String) throws {
    let schema = try #require(OutputSchema.all.first { $0.schema == name })
    #expect(name.wholeMatch(of: /bitpal\.[a-z_]+\/[0-9]+/) != nil)
    #expect(schema.about.hasSuffix(".") && !schema.about.contains("\n"))
    let json = try JSONReader.read(schema.text)
    #expect(try JSONReader.read(schema.line) == json)
    guard case .object(let definitions)? = json["$defs"] ?? .object([:]) else { return #expect(Bool(false)) }
    let known = Set(definitions.members.map { "#/$defs/" + $0.key })
    for reference in references(json) { #expect(known.contains(reference)) }
  }

  private func references(_ value: JSONValue) -> [String] {
    switch value {
    case .object(let object):
      object.members.flatMap { $0.key == "$ref" ? [$0.value.text ?? ""] : references($0.value) }
    case .array(let values): values.flatMap(references)
    default: []
    }
  }
}
