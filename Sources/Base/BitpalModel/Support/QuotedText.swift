import FoundationEssentials

extension String {
  /// Returns the text with the scalars for which `replacement` is not nil replaced.
  ///
  /// A quote with a combining mark is a single `Character` that differs from a quote. Shells, SQL and XML know no
  /// characters: for them it is a quote, so text is escaped by scalars.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var text = "".unicodeScalars
    for scalar in unicodeScalars {
      if let other = replacement(scalar) { text.append(contentsOf: other.unicodeScalars) } else { text.append(scalar) }
    }
    return String(text)
  }

  /// Returns the text with every occurrence of a quote doubled, as between the quotes of SQL and CSV.
  package func doubling(_ quote: Unicode.Scalar) -> String {
    replacingScalars { $0 == quote ? String(Character(quote)) + String(Character(quote)) : nil }
  }
}

/// A text as one word of a shell's command line: `'it'\''s'` where it must be quoted.
package struct ShellWord: CustomStringConvertible {
  package let description: String

  package init(_ text: String) {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { Self.plain.contains($0) }
    description = isPlain ? text : Self.quoted(text)
  }

  /// Returns the text in quotes, whether they are needed or not.
  ///
  /// Between the quotes, only the closing quote has a meaning for a shell.
  package static func quoted(_ text: String) -> String {
    "'" + escaped(text) + "'"
  }

  /// Returns the text in the form that is valid between the quotes.
  package static func escaped(_ text: String) -> String {
    text.replacingScalars { $0 == "'" ? "'\\''" : nil }
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,".utf8)
}

/// The notation of strings in JSON.
package enum JSONText {
  /// The characters that are escaped in addition to those that JSON requires.
  package enum Escaping: Sendable {
    /// None; for files.
    case plain

    /// Characters that control a terminal, C1 controls and bidi overrides.
    case terminal

    /// Also `<`, `>` and `&`, as some servers escape them.
    case html
  }

  /// Returns the text in quotes.
  package static func quoted(_ text: String, _ escaping: Escaping = .plain) -> String {
    var result = ""
    append(text, to: &result, escaping)
    return result
  }

  /// Appends the text in quotes to another text.
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

/// The notation of text in XML and in formats with its rules: SVG, the markup of status bars.
package enum XMLText {
  /// Returns the text with the reserved characters of XML as entities.
  ///
  /// - Parameter quotes: Whether quotes become entities too, which text between tags does not need.
  package static func escaped(_ text: String, quotes: Bool = false) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"" where quotes: "&quot;"
      default: nil
      }
    }
  }
}

/// The rules for text in YAML.
package enum YAMLText {
  /// Returns whether a block scalar can contain a text: it has no escapes, so control characters and a few others are
  /// impossible.
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

  /// The same rendition, faint.
  package var faded: GraphicRendition { GraphicRendition("2;" + parameters) }

  /// Returns the text with this rendition, which ends after it; an empty text is returned unchanged.
  package func callAsFunction(_ text: String) -> String {
    text.isEmpty ? text : "\u{1B}[\(parameters)m\(text)\u{1B}[0m"
  }
}

/// The notation of fields of comma-separated values (RFC 4180), in a form that spreadsheets do not run.
package enum CSVField {
  /// Returns a text as a field: with an apostrophe before a text that a spreadsheet would take for a formula, and with
  /// quotes where they are required.
  ///
  /// A number stays a number, even a negative one.
  package static func text(_ text: String) -> String { quoted(guarded(text)) }

  /// Returns the field, in quotes if it contains a comma, a quote or a line end.
  package static func quoted(_ field: String) -> String {
    guard field.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return field }
    return "\"" + field.doubling("\"") + "\""
  }

  /// Returns the text with an apostrophe before it if a spreadsheet would take it for a formula.
  ///
  /// A text that begins with apostrophes gets another one, so that ``unguarded(_:)`` returns any original text: `=1`
  /// becomes `'=1` and `'=1` becomes `''=1`.
  static func guarded(_ text: String) -> String {
    isFormula(text) && (try? Decimal(strict: text)) == nil ? "'" + text : text
  }

  /// Returns a field without the apostrophe that this program, or another with the same habit, put before it.
  package static func unguarded(_ field: String) -> String {
    field.unicodeScalars.first == "'" && isFormula(field) ? String(field.unicodeScalars.dropFirst()) : field
  }

  /// Returns whether a spreadsheet would run the text, or its part after the apostrophes.
  ///
  /// The rule is that of OWASP's "CSV Injection": the signs, their full-width forms, and characters that a program may
  /// drop before it looks.
  private static func isFormula(_ text: String) -> Bool {
    switch text.unicodeScalars.first(where: { $0 != "'" }) {
    case "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
    default: false
    }
  }
}
