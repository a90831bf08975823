import BitpalJSON
import BitpalReplay

/// What changed in the shape of a source's answers since they were recorded.
struct ShapeView: View {
  private let comparison: ShapeComparison
  private let name: String

  init(_ comparison: ShapeComparison, name: String) {
    self.comparison = comparison
    self.name = name
  }

  var columns: [String] { ["entry", "change", "field", "before", "after"] }

  var rows: [JSONObject] {
    comparison.changes.map { change in
      [
        "entry": .integer(change.entry), "change": .string(change.kind.rawValue), "field": .string(change.field),
        "before": JSONValue(change.before), "after": JSONValue(change.after),
      ]
    }
  }

  var json: JSONObject {
    [
      "schema": "bitpal.recording_check/1", "recording": .string(name), "compared": .integer(comparison.compared),
      "unasked": .array(comparison.unasked.map(JSONValue.integer)), "changes": .array(rows.map(JSONValue.object)),
      "errors": [],
    ]
  }

  func table(style: Style) -> String {
    var text = "\(name): \(Self.answers(comparison.compared)) compared, "
    text +=
      comparison.changes.isEmpty ? "the same shape\n" : comparison.isCompatible ? "more fields\n" : "another shape\n"
    if !comparison.changes.isEmpty {
      var table = TextTable([.init("ENTRY", .right), .init("CHANGE"), .init("FIELD"), .init("BEFORE"), .init("AFTER")])
      for change in comparison.changes {
        table.add([
          .init(String(change.entry)), .init(change.kind.rawValue, change.kind == .added ? .quiet : .bad),
          .init(change.field), .init(change.before ?? "-"), .init(change.after ?? "-"),
        ])
      }
      text += table.text(style: style)
    }
    if !comparison.unasked.isEmpty {
      text += "not asked for again: entries \(comparison.unasked.map(String.init).joined(separator: ", "))\n"
    }
    return text
  }

  private static func answers(_ count: Int) -> String { count == 1 ? "1 answer" : "\(count) answers" }
}
