/// The outline of a file that the user completes: the certain fields, and a TODO for each other one.
///
/// A wrong field costs more than a TODO, so no uncertain value is proposed. The program refuses a file with a TODO.
package struct Outline: Sendable {
  /// A certain field.
  package struct Field: Hashable, Sendable {
    /// The field's name in the file, such as `amount`.
    package let name: String

    /// The place of its value: a column, or a path.
    package let source: String

    /// The reason, in a few words.
    package let why: String
  }

  /// The text that marks a missing value in the file.
  package static let toDo = "TODO"

  /// The certain fields.
  package private(set) var fields: [Field] = []

  /// The points that the user has to decide, one sentence each; each has a TODO in the file.
  package private(set) var points: [String] = []

  /// The text of the file, in YAML.
  package var text = ""

  package init() {}

  /// Adds a certain field.
  package mutating func take(_ name: String, from source: String, _ why: String) {
    fields.append(Field(name: name, source: source, why: why))
  }

  /// Adds a point to decide.
  package mutating func leave(_ point: String) { points.append(point) }

  /// Adds a point to decide, and returns the value with its comment: `TODO   # what`.
  package mutating func toDo(_ name: String, _ what: String) -> String {
    leave("\(name): \(what)")
    return "\(Self.toDo)   # \(what.printable(limit: 400))"
  }

  /// Returns comments with names and their first values, one name per line.
  package static func samples(_ rows: [(name: String, values: [String])]) -> [String] {
    let widest = min(40, rows.map(\.name.count).max() ?? 0)
    return rows.map { name, values in
      let shown = values.prefix(3).map { $0.filter { !$0.isNewline }.printable(limit: 30) }.joined(separator: " · ")
      let space = String(repeating: " ", count: max(0, widest - name.count))
      return "#   \(name.printable(limit: 120))\(space)  \(shown.isEmpty ? "(empty)" : shown)"
    }
  }

  /// Returns a text as a scalar of YAML, in quotes unless it is a plain path or word.
  package static func quoted(_ text: String) -> String {
    let isWord =
      text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") } && text.first?.isLetter ?? false
    let isPath =
      ["$", "/"].contains(text.prefix(1))
      && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "_-./$?=&{}[],%~".utf8.contains($0) }
    return isWord && text != "null" || isPath ? text : JSONText.quoted(text)
  }
}

extension StringProtocol {
  /// The name in lower case with only its letters and digits: `lastprice` for `last_price` and `lastPrice`.
  package var plainName: String {
    String(decoding: lowercased().utf8.filter(\.isLowercaseLetterOrDigit), as: UTF8.self)
  }
}
