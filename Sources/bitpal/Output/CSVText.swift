import BitpalJSON
import BitpalModel

/// Rows as comma-separated values after RFC 4180, except that lines end with a line feed, as Unix tools expect.
enum CSVText {
  /// A header line, then one line a row; a key that a row lacks is an empty field.
  static func text(columns: [String], rows: [JSONObject]) -> String {
    var text = columns.map(CSVField.quoted).joined(separator: ",") + "\n"
    for row in rows {
      text += columns.map { CSVField.text(field(row[$0] ?? .null)) }.joined(separator: ",") + "\n"
    }
    return text
  }

  /// A value as a field: no null, lists separated by spaces.
  private static func field(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let digits): digits
    case .string(let value): value.printable()
    case .array(let values): values.map(field).joined(separator: " ")
    case .object: value.compact()
    }
  }
}
