import Foundation

/// Two files of results, row by row.
///
/// Rows are compared by their ratios, of the shortest rounds where they are known: a ratio holds on another machine, a
/// time does not.
struct Comparison {
  /// The factor by which a ratio may become worse.
  private static let tolerance = 1.25

  /// A sentence for each row whose ratio is worse by more than that, and for each that is missing.
  let faults: [String]

  /// A line for each row that is in both files.
  let lines: [String]

  init(of new: String, with old: String) {
    let (before, after) = (Self.ratios(in: old), Self.ratios(in: new))
    var faults: [String] = []
    var lines: [String] = []
    for (name, was) in before.sorted(by: { $0.key < $1.key }) {
      guard let now = after[name] else {
        faults.append("\(name): it is in the results and was not measured")
        continue
      }
      let change = was.isFaster ? was.value / now.value : now.value / was.value
      let line = "\(name): \(was.value) x, now \(now.value) x"
      lines.append(line)
      // Counts of nothing have no ratio to each other.
      if change.isFinite, change > Self.tolerance { faults.append(line) }
    }
    (self.faults, self.lines) = (faults, lines)
  }

  private struct Ratio {
    let value: Double

    /// Whether more is better.
    let isFaster: Bool

    /// The number in parentheses, or else the first: `2.02 x (2.05) faster`.
    init?(_ text: String) {
      let words = text.split(whereSeparator: { " ()".contains($0) })
      guard let first = words.first.flatMap({ Double($0) }) else { return nil }
      value = words.dropFirst(2).first.flatMap { Double($0) } ?? first
      isFaster = words.last == "faster"
    }
  }

  /// The ratios of a file by the title of their table and the name of their row.
  private static func ratios(in markdown: String) -> [String: Ratio] {
    var ratios: [String: Ratio] = [:]
    var title = ""
    var column: Int?
    for line in markdown.split(separator: "\n") {
      if line.hasPrefix("## ") {
        (title, column) = (String(line.dropFirst(3)), nil)
      } else if line.hasPrefix("| ") {
        let cells = line.dropFirst(2).components(separatedBy: " | ").map { $0.trimmingCharacters(in: [" ", "|"]) }
        if let column, cells.indices.contains(column) {
          ratios["\(title): \(cells[0])"] = Ratio(cells[column])
        } else {
          column = cells.firstIndex(of: "ratio")
        }
      }
    }
    return ratios
  }
}
