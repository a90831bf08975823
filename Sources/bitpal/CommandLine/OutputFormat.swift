/// The forms in which answers are written.
enum OutputFormat: String, CaseIterable, Sendable {
  /// Aligned columns for people.
  case table

  /// One object, indented.
  case json

  /// One object a line, one line a row.
  case jsonl

  /// A header line and one line a row.
  case csv
}
