/// JSON to be written in a fixed order and layout.
///
/// Most objects take a line a member. ``row(_:)`` is an object on one line: what changes together stands together, so a
/// changed price is one line in the body and one in the HAR file.
indirect enum HARText {
  case string(String)
  case integer(Int)
  case object([(String, HARText)])
  case row([(String, HARText)])
  case array([HARText])

  /// The text, indented by two spaces, with a line end.
  var text: String {
    var text = ""
    write(to: &text, indent: 0)
    return text + "\n"
  }

  private func write(to text: inout String, indent: Int) {
    switch self {
    case .string(let value): Self.write(value, to: &text)
    case .integer(let value): text += String(value)
    case .row(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        text += index == 0 ? " " : ", "
        Self.write(member.0, to: &text)
        text += ": "
        member.1.write(to: &text, indent: indent)
      }
      text += members.isEmpty ? "}" : " }"
    case .object(let members):
      Self.list(members, "{", "}", to: &text, indent: indent) { member, text, indent in
        Self.write(member.0, to: &text)
        text += ": "
        member.1.write(to: &text, indent: indent)
      }
    case .array(let elements):
      Self.list(elements, "[", "]", to: &text, indent: indent) { $0.write(to: &$1, indent: $2) }
    }
  }

  private static func list<Element>(
    _ elements: [Element], _ open: String, _ close: String, to text: inout String, indent: Int,
    write: (Element, inout String, Int) -> Void
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      text += (index == 0 ? "\n" : ",\n") + String(repeating: "  ", count: indent + 1)
      write(element, &text, indent + 1)
    }
    if !elements.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
    text += close
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..<" ", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
