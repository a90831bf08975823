import TestSupport
import Testing

@testable import BitpalJSON

/// A random element, which knows both its XML and the JSON that it should become.
private struct Element {
  let name: String
  var attributes: [String] = []
  var text = ""
  var children: [Element] = []

  init(depth: Int, _ random: inout SeededGenerator) {
    name = ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
    attributes = ["x", "y"].filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
    text = ["", "", "1.5", "é&"].randomElement(using: &random) ?? ""
    if depth > 0 {
      children = (0..<Int.random(in: 0..<6, using: &random)).map { _ in Element(depth: depth - 1, &random) }
    }
  }

  var xml: String {
    let head = name + attributes.map { " \($0)='\($0)1'" }.joined()
    return "<\(head)>" + children.map(\.xml).joined(separator: "\n") + text.replacing("&", with: "&amp;") + "</\(name)>"
  }

  /// The value by the rules of ``XMLReader``, each name in the place of its first occurrence.
  var json: String {
    if attributes.isEmpty, children.isEmpty { return "\"\(text)\"" }
    var members = attributes.map { "\"@\($0)\":\"\($0)1\"" }
    for (index, child) in children.enumerated() where children[..<index].allSatisfy({ $0.name != child.name }) {
      let values = children.filter { $0.name == child.name }.map(\.json)
      members.append("\"\(child.name)\":" + (values.count == 1 ? values[0] : "[\(values.joined(separator: ","))]"))
    }
    return "{" + (members + (text.isEmpty ? [] : ["\"#text\":\"\(text)\""])).joined(separator: ",") + "}"
  }
}

@Suite struct `Any tree of XML` {
  @Test func `It becomes what a plain reading of the rules gives`() throws {
    var random = SeededGenerator(seed: 53)
    for round in 0..<400 {
      let tree = Element(depth: round % 5, &random)
      let json = String(decoding: try XMLReader().json(Array(tree.xml.utf8)), as: UTF8.self)
      #expect(json.replacing("\": ", with: "\":") == "{\"\(tree.name)\":\(tree.json)}", "round \(round): \(tree.xml)")
    }
  }
}
