import BitpalJSON
import BitpalModel

/// The faults of a file, with line and column; all are counted, but only the first 1,000 are kept.
struct ImportFaults {
  private let file: String
  private let sheet: CSVSheet
  private var kept: [Fault] = []

  /// The places of faults of which one stands for all of their cause.
  private var causes: [String: Int] = [:]

  /// The faults so far: one row may become several transactions.
  private var seen: Set<Place> = []

  private struct Place: Hashable {
    let line: Int
    let message: String
  }

  private struct Fault {
    let line: Int
    let message: String
    let near: Near
    let column: Int?

    /// The number of further rows with the same cause.
    var more = 0
  }

  /// The field of a row that a fault is about; it is searched for, because the SELECT may have changed its text.
  enum Near {
    /// The field with that text; nil for the search of ``message``.
    case text(String?)

    /// The first field that is a date.
    case date

    /// The longest field that occurs in the message.
    case message
  }

  /// The number of faults, including the ones that are not kept; those of one cause are one.
  private(set) var count = 0

  init(file: String, sheet: CSVSheet) {
    self.file = file
    self.sheet = sheet
  }

  /// Adds a fault of the row that begins on a line.
  ///
  /// - Parameter cause: The cause that it may share with other rows, of which only the first is reported, with their
  ///   number; nil for a fault of its own.
  mutating func add(_ message: String, line: Int, near: Near = .message, cause: String? = nil) {
    if seen.count < Self.mostKept, !seen.insert(Place(line: line, message: message)).inserted { return }
    if let cause {
      if let place = causes[cause] {
        kept[place].more += 1
        return
      }
      if kept.count < Self.mostKept { causes[cause] = kept.count }
    }
    add(message, line, near, nil)
  }

  /// Removes all faults.
  mutating func clear() {
    kept = []
    causes = [:]
    seen = []
    count = 0
  }

  /// Adds a fault of the CSV text, which has its own place.
  mutating func add(_ fault: BodyFault) {
    add(fault.message, fault.line, .message, fault.column)
  }

  private mutating func add(_ message: String, _ line: Int, _ near: Near, _ column: Int?) {
    count += 1
    // Faults are not found in the order of lines, so more are kept and sorted than are reported.
    if kept.count < Self.mostKept { kept.append(Fault(line: line, message: message, near: near, column: column)) }
  }

  private static let mostKept = 50 * CSVFaults.mostTold

  /// The faults in the order of lines, at most `CSVFaults.mostTold` of them; nil when there are none.
  var faults: CSVFaults? {
    guard count > 0 else { return nil }
    let issues = kept.sorted { $0.line < $1.line }.prefix(CSVFaults.mostTold).map { fault in
      ConfigurationIssue(
        file: file, line: fault.line, column: fault.column ?? column(of: fault.near, fault.message, fault.line),
        message: fault.message + (fault.more > 0 ? " (and in \(fault.more) more)" : ""),
        excerpt: sheet.text(ofLine: fault.line))
    }
    let sorted = issues.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
    return CSVFaults(issues: sorted, count: count)
  }

  /// Returns the name of the column whose field has a text, in the row of a line; nil for none.
  func columnName(of text: String, line: Int) -> String? {
    let place = sheet.fields(ofLine: line).firstIndex { $0.text.trimmingPrefix("-").hasPrefix(text) }
    return place.flatMap { sheet.header.names.indices.contains($0) ? sheet.header.names[$0] : nil }
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
        fields.first { $0.text == text } ?? fields.first { $0.text.lowercased() == text.lowercased() }
        ?? fields.filter { !$0.text.isEmpty && $0.text.contains(text) }.first
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
