import BitpalModel
import BitpalProviders

/// The operation of a guessed file: how it asks, and where its columns are.
extension GuessedFile {
  /// The paths in the way to the rows, for looking what they depend on.
  var rowsText: String {
    switch operation.rows {
    case .body: ""
    case .each(let path): path
    case .nested(let outer, let inner): outer + inner
    case .filtered(let path, let condition): path + condition
    case .parallel(let path): path
    }
  }

  /// The operation: the short form where a path leads to each column, else a SELECT.
  var operationLines: [String] {
    var lines = ["\(operation.capability.rawValue):", "  get: \(Self.quoted(get))"]
    if get.contains("{ids}") || get.contains("{SYMBOLS}") { lines.append("  batch: 50") }
    if operation.capability != .quotes {
      let code = url?.interval ?? width?.unitText ?? "1d"
      let width = width?.unitText ?? "1d"
      lines.append(
        "  intervals: { \(width): \(Self.quoted(code, isInBraces: true)) }   # width, and what {interval} says")
    }
    if let time = operation.time { lines.append("  time: \(time.text)") }
    switch operation.rows {
    case .body, .each:
      if case .each(let path) = operation.rows { lines.append("  each: \(Self.quoted(path))") }
      lines.append("  fields:")
      for column in operation.columns {
        lines.append(
          "    \(column.field): \(Self.quoted(column.source))   # \(column.confidence.rawValue): \(Self.comment(column.why))"
        )
      }
    case .nested(let outer, let inner):
      let rows = inner == "$" ? "pair.value" : "pair.value, \(JSONPathText.quoted(inner))"
      let from = "json_each(:body, \(JSONPathText(outer).sql)) AS pair, json_each(\(rows)) AS row"
      lines += select(from: from, condition: "pair.type IN ('array', 'object')")
    case .filtered(let path, let condition):
      lines += select(from: "json_each(:body, \(JSONPathText(path).sql)) AS row", condition: condition)
    case .parallel(let path):
      let prices = operation.columns.filter { $0.field != "time" }.map(\.field)
      lines += select(
        from: "json_each(:body, \(JSONPathText(path).sql)) AS row",
        // A time at which nothing was traded has null for a price, and is no row.
        condition: prices.map { "\($0) <> 'null'" }.joined(separator: " AND ")
      ) { column in
        column.field == "time"
          ? "row.value" : ":body -> (\(JSONPathText(column.source).sql) || '[' || row.key || ']')"
      }
    }
    return lines
  }

  /// The long form; the SQL has no room for the reasons, so they stand above it.
  private func select(
    from: String, condition: String,
    expression: (GuessedColumn) -> String = { column in
      QuoteGuess.expression(column.source, isText: ["id", "symbol", "name"].contains(column.field))
    }
  ) -> [String] {
    let columns = operation.columns.map { "\(expression($0)) AS \($0.field)" }
    return operation.columns.map { "  # \($0.field) is \($0.confidence.rawValue): \(Self.comment($0.why))" }
      + [
        "  select: |", "    SELECT \(columns.joined(separator: ",\n      "))", "    FROM \(from)",
        "    WHERE \(condition)",
      ]
  }
}
