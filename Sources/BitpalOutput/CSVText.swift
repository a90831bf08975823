package import BitpalJSON
import BitpalModel

/// Rows as comma-separated values after RFC 4180, except that lines end with a line feed, as Unix tools expect.
package enum CSVText {
  /// A header line, then one line a row; a key that a row lacks is an empty field.
  package static func text(columns: [String], rows: [JSONObject]) -> String {
    header(columns) + lines(columns: columns, rows: rows)
  }

  /// The header line alone, for rows that come one after another.
  package static func header(_ columns: [String]) -> String {
    columns.map(CSVField.quoted).joined(separator: ",") + "\n"
  }

  /// The lines after the header.
  package static func lines(columns: [String], rows: [JSONObject]) -> String {
    rows.map { row in
      columns.map { CSVField.text(field(row[$0] ?? .null)) }.joined(separator: ",") + "\n"
    }.joined()
  }

  /// A value as a field: no null, lists separated by spaces.
  private static func field(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let digits): digits
    // JSON escapes what steers a terminal; CSV has no way to, so there it is replaced.
    case .string(let value): value.printable()
    case .array(let values): values.map(field).joined(separator: " ")
    case .object: value.compact()
    }
  }
}
