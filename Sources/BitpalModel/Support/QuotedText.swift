import FoundationEssentials

/// A text as one word of a shell's command line: `'it'\''s'` where it must be quoted.
package struct ShellWord: CustomStringConvertible {
  package let description: String

  package init(_ text: String) {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { Self.plain.contains($0) }
    description = isPlain ? text : Self.quoted(text)
  }

  /// The text in quotes, whether they are needed or not.
  ///
  /// Within them a shell obeys nothing but the quote that ends them.
  package static func quoted(_ text: String) -> String {
    "'" + escaped(text) + "'"
  }

  /// The text as it may stand between the quotes.
  package static func escaped(_ text: String) -> String {
    text.replacing("'", with: "'\\''")
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,".utf8)
}

/// Text as a string of JSON.
package enum JSONText {
  /// The characters that a string escapes in addition to those that JSON demands.
  package enum Escaping: Sendable {
    /// No others: for files.
    case plain

    /// Also the characters that a terminal would obey, C1 controls and bidi overrides.
    case terminal

    /// `<`, `>` and `&` as well, as some servers do.
    case html
  }

  /// The text in quotes.
  package static func quoted(_ text: String, _ escaping: Escaping = .plain) -> String {
    var result = ""
    append(text, to: &result, escaping)
    return result
  }

  /// Adds the text in quotes to another.
  package static func append(_ string: String, to text: inout String, _ escaping: Escaping) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case let scalar where mustEscape(scalar, escaping):
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  private static func mustEscape(_ scalar: Unicode.Scalar, _ escaping: Escaping) -> Bool {
    switch scalar {
    case "\u{0}"..<" ", "\u{7F}": true
    case "\u{80}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": escaping == .terminal
    case "\u{2028}", "\u{2029}": escaping != .plain
    case "<", ">", "&": escaping == .html
    default: false
    }
  }
}

/// Text as XML wants it, and what borrows its rules: SVG, the markup of status bars.
package enum XMLText {
  /// With what XML reserves written as entities; so are `quotes`, which between tags need not be.
  package static func escaped(_ text: String, quotes: Bool = false) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where quotes: result += "&quot;"
      default: result.append(character)
      }
    }
  }
}

/// The text of YAML.
package enum YAMLText {
  /// Whether a block scalar can hold a text: it has no escapes, so control characters and a few others cannot be in it.
  package static func canHold(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || (0x20...0x7E).contains(scalar.value)
        || (0xA0...0xD7FF).contains(scalar.value) && scalar.value != 0x2028
          && scalar.value != 0x2029
        || (0xE000...0xFFFD).contains(scalar.value) && scalar.value != 0xFEFF
    }
  }
}

/// A colour or weight of a terminal: the parameters of "select graphic rendition" (ECMA-48, 8.3.117).
package struct GraphicRendition: Sendable {
  private let parameters: String

  private init(_ parameters: String) {
    self.parameters = parameters
  }

  package static let bold = GraphicRendition("1")
  package static let faint = GraphicRendition("2")
  package static let red = GraphicRendition("31")
  package static let green = GraphicRendition("32")
  package static let yellow = GraphicRendition("33")
  package static let blue = GraphicRendition("34")
  package static let magenta = GraphicRendition("35")
  package static let cyan = GraphicRendition("36")

  /// The colour with less weight.
  package var faded: GraphicRendition { GraphicRendition("2;" + parameters) }

  /// The text so, and what follows as it was; nothing is put around empty text.
  package func callAsFunction(_ text: String) -> String {
    text.isEmpty ? text : "\u{1B}[\(parameters)m\(text)\u{1B}[0m"
  }
}

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

  /// Returns a field without the apostrophe that this program, or another with the same habit, put before it.
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
