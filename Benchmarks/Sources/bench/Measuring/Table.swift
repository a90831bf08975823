/// One group of results.
struct Table {
  let title: String
  let head: [String]
  var rows: [[String]] = []

  /// Sentences under the table.
  var notes: [String] = []

  init(_ title: String, head: [String]) {
    self.title = title
    self.head = head
  }

  /// A table of ``Row``s.
  init(_ title: String, _ rows: [Row], notes: [String] = []) {
    self.init(title, head: ["what", "measured", "against", "ratio", "wanted", "met"])
    self.rows = rows.map { [$0.what, $0.measured, $0.against, $0.ratio, $0.wanted, $0.met] }
    self.notes = notes
  }

  var markdown: String {
    let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
      return "| " + padded.joined(separator: " | ") + " |"
    }
    let table = [line(head), line(widths.map { String(repeating: "-", count: $0) })] + rows.map(line)
    let parts = ["## \(title)"] + (rows.isEmpty ? [] : [table.joined(separator: "\n")]) + notes
    return parts.joined(separator: "\n\n") + "\n"
  }
}
