extension JSONValue {
  /// How strings are escaped: as JSON demands, or as the source does, which also hides `<`, `>` and `&` from HTML.
  enum Escaping {
    case plain
    case html
  }

  /// Without whitespace, as it goes over the wire.
  func minified(_ escaping: Escaping) -> String {
    switch self {
    case .object(let members):
      "{" + members.map { Self.quoted($0.key, escaping) + ":" + $0.value.minified(escaping) }.joined(separator: ",")
        + "}"
    case .array(let elements):
      "[" + elements.map { $0.minified(escaping) }.joined(separator: ",") + "]"
    case .string(let text): Self.quoted(text, escaping)
    case .literal(let text): text
    }
  }

  private static func quoted(_ text: String, _ escaping: Escaping) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "<", ">", "&":
        if escaping == .html { quoted += escape(scalar) } else { quoted.unicodeScalars.append(scalar) }
      case "\u{0}"..<"\u{20}", "\u{2028}", "\u{2029}": quoted += escape(scalar)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
