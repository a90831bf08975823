import BitpalJSON
import BitpalModel
import BitpalPortfolio

/// The faults of a file, with line and column; all are counted, but only the first 1,000 are kept.
struct ImportFaults {
  private let file: String
  private let sheet: CSVSheet
  private var kept: [(line: Int, message: String, near: Near, column: Int?)] = []

  /// The field of a row that a fault is about; it is searched for, because the SELECT may have changed its text.
  enum Near {
    /// The field with that text; nil for the search of ``message``.
    case text(String?)

    /// The first field that is a date.
    case date

    /// The longest field that occurs in the message.
    case message
  }

  /// The number of faults, including the ones that are not kept.
  private(set) var count = 0

  init(file: String, sheet: CSVSheet) {
    self.file = file
    self.sheet = sheet
  }

  /// Adds a fault of the row that begins on a line.
  mutating func add(_ message: String, line: Int, near: Near = .message) {
    add(message, line, near, nil)
  }

  /// Removes all faults.
  mutating func clear() {
    kept = []
    count = 0
  }

  /// Adds a fault of the CSV text, which has its own place.
  mutating func add(_ fault: BodyFault) {
    add(fault.message, fault.line, .message, fault.column)
  }

  private mutating func add(_ message: String, _ line: Int, _ near: Near, _ column: Int?) {
    count += 1
    // Faults are not found in the order of lines, so more are kept and sorted than are reported.
    if kept.count < 50 * CSVFaults.mostTold { kept.append((line, message, near, column)) }
  }

  /// The faults in the order of lines, at most `CSVFaults.mostTold` of them; nil when there are none.
  var faults: CSVFaults? {
    guard count > 0 else { return nil }
    let places = kept.map { ($0.line, $0.message, $0.near, $0.column) }.sorted { $0.0 < $1.0 }
    let issues = places.prefix(CSVFaults.mostTold).map { line, message, near, column in
      ConfigurationIssue(
        file: file, line: line, column: column ?? self.column(of: near, message, line), message: message,
        excerpt: sheet.text(ofLine: line))
    }
    let sorted = issues.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
    return CSVFaults(issues: sorted, count: count)
  }

  /// Returns the column of the field that a fault is about, or of the row's first field when none matches.
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
