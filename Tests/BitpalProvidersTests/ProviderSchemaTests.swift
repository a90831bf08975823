import BitpalConfig
import BitpalFiles
import BitpalJSON
import BitpalModel
import Foundation
import ProviderFiles
import TestSupport
import Testing

@testable import BitpalProviders

@Suite struct `The schema of provider files` {
  private static let root = String(Declared.shipped.dropLast("/providers".count))
  private static let path = root + "/docs/schemas/provider.json"

  private static func definition(_ name: String) throws -> [String: Any] {
    let text = try Data(contentsOf: URL(fileURLWithPath: path))
    let whole = try JSONSerialization.jsonObject(with: text) as? [String: Any]
    let definitions = whole?["$defs"] as? [String: Any]
    return try #require(definitions?[name] as? [String: Any])
  }

  private static func keys(_ schema: [String: Any]) -> Set<String> {
    Set((schema["properties"] as? [String: Any] ?? [:]).keys)
  }

  @Test func `Each kind has the keys that its decoder reads`() throws {
    for kind in ProviderKinds.all {
      let schema = try Self.definition("kind_" + kind.name)
      let known = Set(ProviderDecoder.commonKeys + kind.keys.own).subtracting(kind.keys.useless.map(\.key))
      #expect(Self.keys(schema) == known, "\(kind.name)")
      #expect(schema["required"] as? [String] == ["id", "name"])
      // A file that extends another may leave the rest to it.
      let either = try #require(schema["anyOf"] as? [[String: Any]])
      #expect(Set(either[0]["required"] as? [String] ?? []) == Set(["kind"] + kind.keys.required))
      #expect(either[1]["required"] as? [String] == ["extends"])
    }
  }

  @Test(arguments: Capability.allCases)
  func `Each operation has the keys and columns that its decoder reads`(capability: Capability) throws {
    let schema = try Self.definition(capability.rawValue)
    let whole = try Self.definition("whole_" + capability.rawValue)["properties"] as? [String: [String: Any]]
    #expect(Self.keys(schema) == Set(OperationDecoder.keys(of: capability)))
    let fields = try #require((schema["properties"] as? [String: Any])?["fields"] as? [String: Any])
    let columns = DeclaredOperation.columns(of: capability)
    #expect(Self.keys(fields) == Set(columns.required + columns.optional))
    #expect(Set(whole?["fields"]?["required"] as? [String] ?? []) == Set(columns.required))
  }

  @Test func `Examples and meanings have the keys that their decoders read`() throws {
    #expect(Self.keys(try Self.definition("example")) == Set(ExampleDecoder.keys))
    let http = try #require(try Self.definition("kind_http")["properties"] as? [String: [String: Any]])
    #expect(Self.keys(try #require(http["errors"])) == Set(DeclaredAPI.Meaning.allCases.map(\.rawValue)))
    #expect(http["only"]?["enum"] as? [String] == DeclaredAPI.Only.allCases.map(\.rawValue))
    let columns = Capability.allCases.map(DeclaredOperation.columns).flatMap { $0.required + $0.optional }
    #expect(Self.keys(try Self.definition("row")) == Set(columns).subtracting(["open_24h"]))
  }

  @Test func `Every file that we ship follows it, and so do those of plugins`() throws {
    let schema = try JSONSchemaCheck(Data(contentsOf: URL(fileURLWithPath: Self.path)))
    var count = 0
    for folder in [Declared.shipped, Self.root + "/Examples/plugins"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".yaml") {
        let fault = schema.fault(in: try Self.json(ofFile: folder + "/" + name))
        #expect(fault == nil, "\(name): \(fault ?? "")")
        count += 1
      }
    }
    #expect(count > 15)
  }

  @Test(arguments: [
    "quotes: { get: /a, fields: { prise: $.a } }", "quotes: { get: a, fields: { price: $.a } }",
    "quotes: { get: /a, all: maybe, fields: { price: $.a } }", "quotes: { fields: { price: $.a } }",
    "quotes: { get: /a, fields: { price: $.a }, limit: 0 }", "tier: demo", "rate_limit: often",
    "line: { get: /a, fields: { price: $.a } }", "examples: [{ coin: bitcoin }]",
  ])
  func `A mistake in a file does not pass`(text: String) throws {
    let schema = try JSONSchemaCheck(Data(contentsOf: URL(fileURLWithPath: Self.path)))
    #expect(schema.fault(in: try Self.json(of: Declared.head + text + "\n")) != nil)
  }

  @Test func `A file that extends another has what it changes alone`() throws {
    let schema = try JSONSchemaCheck(Data(contentsOf: URL(fileURLWithPath: Self.path)))
    let head = "id: a\nname: A\nextends: exchange\n"
    for text in ["", "quotes: { fields: { volume: $.v, time: ~ } }\nline: ~\nsymbols: { bitcoin: ~ }", "kind: http"] {
      #expect(schema.fault(in: try Self.json(of: head + text)) == nil)
    }
    #expect(schema.fault(in: try Self.json(of: head + "quotes: { fields: { prise: $.v } }")) != nil)
  }

  private static func json(ofFile path: String) throws -> String {
    try json(of: String(contentsOfFile: path, encoding: .utf8))
  }

  private static func json(of text: String) throws -> String {
    let source = YAMLSource(file: "a.yaml", directory: "", bytes: Array(text.utf8))
    return json(try #require(YAMLDocument(source).root))
  }

  private static func json(_ node: YAMLNode) -> String {
    switch node.content {
    case .scalar where node.isEmpty: "null"
    case .scalar(let text, let isPlain):
      isPlain && (["true", "false"].contains(text) || (try? Decimal(strict: text)) != nil)
        ? text : JSONText.quoted(text)
    case .sequence(let items): "[" + items.map(json).joined(separator: ",") + "]"
    case .mapping(let entries):
      "{" + entries.map { JSONText.quoted($0.key) + ":" + json($0.value) }.joined(separator: ",") + "}"
    }
  }
}
