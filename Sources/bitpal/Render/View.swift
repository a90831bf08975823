import BitpalJSON

/// An answer that can be written in every form.
protocol View: Sendable {
  /// For people, with a line end.
  func table(style: Style) -> String

  /// The whole answer, with its schema.
  var json: JSONObject { get }

  /// The keys of a row, in order.
  var columns: [String] { get }

  /// The rows of the answer.
  var rows: [JSONObject] { get }
}

extension View {
  /// The answer in a form, with a line end.
  func text(_ format: OutputFormat, style: Style) -> String {
    switch format {
    case .table: table(style: style)
    case .json: JSONValue.object(json).indented()
    case .jsonl: rows.map { JSONValue.object($0).compact() + "\n" }.joined()
    case .csv: CSVText.text(columns: columns, rows: rows)
    }
  }
}
