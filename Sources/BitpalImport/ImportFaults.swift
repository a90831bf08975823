import BitpalJSON
import BitpalModel
import BitpalPortfolio

/// The faults of a file, with line and column; of many faults the first are kept and all are counted.
struct ImportFaults {
  private let file: String
  private let sheet: CSVSheet
  private var kept: [(line: Int, message: String, near: Near, column: Int?)] = []

  /// The field of a row that a fault is about: the SELECT may have changed its text.
  enum Near {
    /// The one with that text.
    case text(String?)

    /// The first date.
    case date

    /// The one that the message has in it.
    case message
  }

  /// The number of faults.
  private(set) var count = 0

  init(file: String, sheet: CSVSheet) {
    self.file = file
    self.sheet = sheet
  }

  /// Adds a fault of the row that begins on a line.
  mutating func add(_ message: String, line: Int, near: Near = .message) {
    add(message, line, near, nil)
  }

  /// Forgets all of them.
  mutating func clear() {
    kept = []
    count = 0
  }

  /// Adds a fault of the sheet itself.
  mutating func add(_ fault: BodyFault) {
    add(fault.message, fault.line, .message, fault.column)
  }

  private mutating func add(_ message: String, _ line: Int, _ near: Near, _ column: Int?) {
    count += 1
    // Some are found after others that stand below them, so more are kept than are told.
    if kept.count < 50 * CSVFaults.mostTold { kept.append((line, message, near, column)) }
  }

  /// All of them; nil when there are none.
  var faults: CSVFaults? {
    guard count > 0 else { return nil }
    let places = kept.map { ($0.line, $0.message, $0.near, $0.column) }.sorted { $0.0 < $1.0 }
    let issues = places.prefix(CSVFaults.mostTold).map { line, message, near, column in
      ConfigurationIssue(
        file: file, line: line, column: column ?? self.column(of: near, message, line), message: message,
        excerpt: sheet.text(ofLine: line))
    }
    let told = issues.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
    return CSVFaults(issues: told, count: count)
  }

  /// The column of the field that a fault is about; of the row where there is none.
  private func column(of near: Near, _ message: String, _ line: Int) -> Int {
    let fields = sheet.fields(ofLine: line)
    let found: (text: String, column: Int)?
    switch near {
    case .date:
      found = fields.first { ImportDate($0.text) != nil }
    case .text(let text?):
      found =
        fields.first { $0.text == text } ?? fields.filter { !$0.text.isEmpty && $0.text.contains(text) }.first
        ?? fields.filter { $0.text.utf8.count > 2 && text.contains($0.text) }.max {
          $0.text.utf8.count < $1.text.utf8.count
        }
    case .text(nil), .message:
      found = fields.filter { $0.text.utf8.count > 2 && message.contains($0.text) }
        .max { $0.text.utf8.count < $1.text.utf8.count }
    }
    return found?.column ?? fields.first?.column ?? 1
  }
}
