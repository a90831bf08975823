package import BitpalJSON
import BitpalModel
import FoundationEssentials

/// A writer of comma-separated values after RFC 4180, except that lines end with a line feed, as Unix tools expect.
package enum CSVText {
  /// Returns a header line, then one line per row; a key that a row lacks is an empty field.
  package static func text(columns: [String], rows: [JSONObject]) -> String {
    header(columns) + lines(columns: columns, rows: rows)
  }

  /// Returns the header line alone, for rows that are written one by one.
  package static func header(_ columns: [String]) -> String {
    columns.map(CSVField.quoted).joined(separator: ",") + "\n"
  }

  /// Returns the lines after the header.
  package static func lines(columns: [String], rows: [JSONObject]) -> String {
    rows.map { row in
      columns.map { CSVField.text(field(row[$0] ?? .null)) }.joined(separator: ",") + "\n"
    }.joined()
  }

  /// Returns rows in aligned columns for a terminal or a text field: names of columns first, numbers to the right.
  ///
  /// Columns in which no row has anything are left out.
  static func aligned(columns: [String], rows: [JSONObject]) -> String {
    let cells = columns.map { key in rows.map { field($0[key] ?? .null) } }
    let shown = zip(columns, cells).filter { rows.isEmpty || $0.1.contains { !$0.isEmpty } }.map { name, values in
      let width = values.reduce(name.count) { max($0, $1.count) }
      let isNumeric = !rows.isEmpty && values.allSatisfy { $0.isEmpty || (try? Decimal(strict: $0)) != nil }
      return ([name.uppercased()] + values.map { $0.isEmpty ? "-" : $0 }).map { text in
        let gap = String(repeating: " ", count: max(0, width - text.count))
        return isNumeric ? gap + text : text + gap
      }
    }
    return (0...rows.count).map { line in
      let text = shown.map { $0[line] }.joined(separator: "  ")
      return String(text.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
  }

  /// Returns a value as a field: null is empty, the elements of a list are separated by spaces.
  private static func field(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let digits): digits
    // JSON escapes control characters of terminals; CSV has no escapes, so they are replaced.
    case .string(let value): value.printable()
    case .array(let values): values.map(field).joined(separator: " ")
    case .object: value.compact()
    }
  }
}
