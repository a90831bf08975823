import Foundation
import TestSupport
import Testing

@Suite(.ownThreads) struct `The messages of plugins` {
  private static func schema() throws -> JSONSchemaCheck {
    try JSONSchemaCheck(Data(contentsOf: URL(fileURLWithPath: Repository.root + "/docs/schemas/plugin.json")))
  }

  @Test(arguments: ["html-table", "coincap", "signed"])
  func `The messages to and from the examples follow the schema`(id: String) throws {
    let world = try World()
    let settings = try world.write(
      "bitpal: 1\nproviders_dir: \(Repository.root)/Examples/plugins\n", to: "examples.yaml")
    let outcome = try world.run("bitpal -v -c \(settings) providers check \(id)")
    let schema = try Self.schema()
    var seen: [String: Int] = [:]
    for line in outcome.errors.split(separator: "\n") {
      guard let match = line.wholeMatch(of: /\* plugin: \S+ ([<>]) (.*)/), !match.2.hasSuffix("…") else { continue }
      let side = match.1 == "<" ? "host" : "plugin"
      let fault = schema.fault(in: String(match.2), as: side)
      #expect(fault == nil, "\(fault ?? ""): \(match.2)")
      seen[side, default: 0] += 1
    }
    #expect(seen["host", default: 0] > 10 && seen["plugin", default: 0] > 10, "\(outcome)")
  }

  @Test func `So are those that the page shows`() throws {
    let page = try String(contentsOfFile: Repository.root + "/docs/plugins.md", encoding: .utf8)
    let schema = try Self.schema()
    var count = 0
    for block in page.components(separatedBy: "```json\n").dropFirst() {
      for line in (block.components(separatedBy: "\n```").first ?? "").split(separator: "\n") {
        let faults = ["host", "plugin"].map { schema.fault(in: String(line), as: $0) }
        #expect(faults.contains(nil), "\(faults): \(line)")
        count += 1
      }
    }
    #expect(count > 10)
  }

  @Test(arguments: [
    #"{"rows": [{"id": "bitcoin", "price": 97000.1}]}"#, #"{"rows": [{"price": "1", "prize": "2"}]}"#,
    #"{"bitpal": 2, "answers": ["quotes"]}"#, #"{"bitpal": 1, "answers": []}"#,
    #"{"bitpal": 1, "answers": ["prices"]}"#, #"{"requests": []}"#,
    #"{"requests": [{"url": "ftp://a.b"}]}"#, #"{"requests": [{"url": "https://a.b", "method": "PUT"}]}"#,
    #"{"next": [{"url": "https://a.b", "headers": {"X": 1}}]}"#, #"{"error": {"code": "sorry"}}"#, "[]", "nothing",
    #"{"bitpal": true, "answers": ["quotes"], "batch": 1001}"#,
  ])
  func `A message that breaks a rule does not pass`(answer: String) throws {
    #expect(try Self.schema().fault(in: answer, as: "plugin") != nil)
  }
}
