import FoundationEssentials

/// Fields of comma-separated values, as RFC 4180 has them and as spreadsheets must not run them.
package enum CSVField {
  /// A text as a field: an apostrophe before what a spreadsheet would take for a formula, quotes where they must be.
  ///
  /// A number stays a number, also a negative one.
  package static func text(_ text: String) -> String { quoted(guarded(text)) }

  /// The field in quotes when a comma, a quote or a line end in it asks for them.
  package static func quoted(_ field: String) -> String {
    guard field.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return field }
    var text = "\"".unicodeScalars
    // By scalars: a quote with a mark on it is one Character, and another than a quote.
    for scalar in field.unicodeScalars {
      if scalar == "\"" { text.append(scalar) }
      text.append(scalar)
    }
    text.append("\"")
    return String(text)
  }

  /// The text with an apostrophe before it when a spreadsheet would take it for a formula.
  ///
  /// One more when it has some already, so that ``unguarded(_:)`` gives any text back: `=1` becomes `'=1` and `'=1`
  /// becomes `''=1`.
  static func guarded(_ text: String) -> String {
    isFormula(text) && (try? Decimal(strict: text)) == nil ? "'" + text : text
  }

  /// What a field meant before an apostrophe was put before it, by this program or by another with the same habit.
  package static func unguarded(_ field: String) -> String {
    field.unicodeScalars.first == "'" && isFormula(field) ? String(field.unicodeScalars.dropFirst()) : field
  }

  /// Whether a spreadsheet would run the text, or what stands after its apostrophes.
  ///
  /// After OWASP's "CSV Injection": the signs, their full-width forms, and what a program may drop before it looks.
  private static func isFormula(_ text: String) -> Bool {
    switch text.unicodeScalars.first(where: { $0 != "'" }) {
    case "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
    default: false
    }
  }
}
