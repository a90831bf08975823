import BitpalModel
import BitpalProviders

/// The operation of a guessed file: its request, and the paths of its columns.
extension GuessedFile {
  /// The paths and the condition that lead to the rows, to be searched for placeholders.
  var rowsText: String {
    switch operation.rows {
    case .body: ""
    case .each(let path): path
    case .nested(let outer, let inner): outer + inner
    case .filtered(let path, let condition): path + condition
    }
  }

  /// The lines of the operation: the short form where a path leads to each column, otherwise a SELECT.
  var operationLines: [String] {
    var lines = ["\(operation.capability.rawValue):", "  get: \(Self.quoted(get))"]
    if self.get.contains("{ids}") || self.get.contains("{SYMBOLS}") { lines.append("  batch: 50") }
    if operation.capability != .quotes {
      let code = url?.interval ?? width?.unitText ?? "1d"
      let width = width?.unitText ?? "1d"
      lines.append(
        "  intervals: { \(width): \(Self.quoted(code, isInBraces: true)) }   # width, and what {interval} says")
    }
    if let time = operation.time { lines.append("  time: \(time.text)") }
    let isSheet = if case .csv? = sample.other?.form.body { true } else { false }
    lines += sample.other?.form.lines ?? []
    switch operation.rows {
    case .body, .each:
      // Each row of a sheet is a row of the operation.
      if case .each(let path) = operation.rows, !isSheet { lines.append("  each: \(Self.quoted(path))") }
      lines.append("  fields:")
      for column in operation.columns {
        let source = isSheet && column.source.hasPrefix("$[0]") ? "$" + column.source.dropFirst(4) : column.source
        lines.append(
          "    \(column.field): \(Self.quoted(source))   # \(column.confidence.rawValue): \(Self.comment(column.why))"
        )
      }
    case .nested(let outer, let inner):
      let rows = inner == "$" ? "pair.value" : "pair.value, \(JSONPathText.quoted(inner))"
      let from = "json_each(:body, \(JSONPathText(outer).sql)) AS pair, json_each(\(rows)) AS row"
      lines += select(from: from, condition: "pair.type IN ('array', 'object')")
    case .filtered(let path, let condition):
      lines += select(from: "json_each(:body, \(JSONPathText(path).sql)) AS row", condition: condition)
    }
    return lines
  }

  /// Returns the lines of a SELECT; the reasons of the columns are comments above it, because the SQL has no room for
  /// them.
  private func select(from: String, condition: String) -> [String] {
    let columns = operation.columns.map { column in
      let isText = ["id", "symbol", "name"].contains(column.field)
      return "\(QuoteGuess.expression(column.source, isText: isText)) AS \(column.field)"
    }
    return operation.columns.map { "  # \($0.field) is \($0.confidence.rawValue): \(Self.comment($0.why))" }
      + [
        "  select: |", "    SELECT \(columns.joined(separator: ",\n      "))", "    FROM \(from)",
        "    WHERE \(condition)",
      ]
  }
}
