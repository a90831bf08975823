import Foundation
import TestSupport

/// The documents within what the tool said, and what its schemas say of them.
enum PrintedDocuments {
  /// A document as it was printed, over several lines or in one.
  struct Document {
    let text: String

    /// The name of its shape: `prices` of `bitpal.prices/1`.
    let name: String
  }

  /// Those that are whole: of one that was cut by `head` nothing can be said.
  static func all(in text: String) -> [Document] {
    guard text.contains("\"bitpal.") else { return [] }
    var found: [Document] = []
    var open: [Substring]?
    for line in text.split(separator: "\n") {
      if line == "{" { open = [] }
      open?.append(line)
      if line.hasPrefix("{\"schema\":\"bitpal.") {
        found += document(String(line))
      } else if line == "}", let lines = open {
        found += document(lines.joined(separator: "\n"))
        open = nil
      }
    }
    return found
  }

  private static func document(_ text: String) -> [Document] {
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    guard let schema = object?["schema"] as? String, let name = schema.wholeMatch(of: /bitpal\.([a-z_]+)\/1/)?.1
    else { return [] }
    return [Document(text: text, name: String(name))]
  }

  /// What is wrong with the documents within a text; a key too many is, for then somebody has forgotten the schema.
  static func faults(in text: String) -> [String] {
    all(in: text).compactMap { document in
      guard let schema = schemas[document.name] else {
        return "bitpal.\(document.name)/1 has no schema"
      }
      do {
        let fault = try JSONSchemaCheck(schema, isClosed: true).fault(in: document.text)
        return fault.map { "bitpal.\(document.name)/1: \($0); its schema stands beside its shape in BitpalOutput" }
      } catch { return "\(error)" }
    }
  }

  /// The schemas by their names.
  static let schemas: [String: Data] = {
    let lines = (try? String(contentsOfFile: Repository.root + "/docs/schemas.jsonl", encoding: .utf8)) ?? ""
    return Dictionary(
      lines.split(separator: "\n").compactMap { line in
        line.firstMatch(of: /"title":"bitpal\.([a-z_]+)\/1"/).map { (String($0.1), Data(line.utf8)) }
      }
    ) { first, _ in first }
  }()
}
