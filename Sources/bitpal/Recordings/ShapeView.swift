import BitpalOutput
import BitpalReplay

/// What changed in the shape of a source's answers since they were recorded.
struct ShapeView: View {
  let output: RecordingCheckOutput

  func table(style: Style) -> String {
    let comparison = output.comparison
    var text = "\(output.name): \(Self.answers(comparison.compared)) compared, "
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
