package import BitpalModel
package import FoundationEssentials

/// A JSON value for writing: its objects keep the order of their keys, its numbers their digits.
///
/// Floating-point numbers have no case: money is text, counts are integers, and a number of a source keeps its text.
package indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)

  /// A number with the text in which it is written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// Creates a string, or null for nil.
  package init(_ text: String?) {
    self = text.map { .string($0) } ?? .null
  }

  /// Creates a string with all digits of a number, or null for nil.
  package init(_ number: Decimal?) {
    self = number.map { .string($0.plainText) } ?? .null
  }

  /// Creates a string with an instant in ISO 8601, or null for nil.
  package init(_ instant: Date?) {
    self = instant.map { .string($0.iso8601) } ?? .null
  }

  /// Returns a value of finished JSON text, which is written unchanged.
  package static func written(_ json: String) -> JSONValue { .number(json) }

  /// Returns an object that is always written on one line, so that a change of it is a change of one line.
  package static func line(_ object: JSONObject) -> JSONValue {
    var object = object
    object.isOneLine = true
    return .object(object)
  }
}

/// The members of a JSON object, in the order in which they are written.
package struct JSONObject: Equatable, Sendable {
  package private(set) var members: [Member]
  fileprivate(set) var isOneLine = false

  /// A key and its value.
  package struct Member: Equatable, Sendable {
    package let key: String
    package let value: JSONValue
  }

  package init(_ members: [(String, JSONValue)]) {
    self.members = members.map { Member(key: $0.0, value: $0.1) }
  }

  /// Returns the value of a key; nil when there is none.
  package subscript(key: String) -> JSONValue? {
    members.first { $0.key == key }?.value
  }

  /// Appends a member.
  package mutating func append(_ key: String, _ value: JSONValue) {
    members.append(Member(key: key, value: value))
  }

  /// Returns an object with this object's members, then the other's.
  package static func + (left: JSONObject, right: JSONObject) -> JSONObject {
    var sum = left
    sum.members += right.members
    return sum
  }
}

// MARK: Text

extension JSONValue {
  /// The characters that a string escapes in addition to those that JSON requires.
  package typealias Escaping = JSONText.Escaping

  /// Returns the value over several lines, with an indent of two spaces and a line end.
  package func indented(_ escaping: Escaping = .terminal) -> String {
    var writer = JSONTextWriter(escaping: escaping)
    writer.write(self, indent: 0)
    return writer.text + "\n"
  }

  /// Returns the value on one line without spaces or a line end.
  package func compact(_ escaping: Escaping = .terminal) -> String {
    var writer = JSONTextWriter(escaping: escaping)
    writer.write(self, indent: nil)
    return writer.text
  }
}

private struct JSONTextWriter {
  let escaping: JSONValue.Escaping
  var text = ""

  /// Appends the value; `indent` is the indent of its first line, nil for a value on one line.
  mutating func write(_ value: JSONValue, indent: Int?) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let digits): text += digits
    case .string(let value): write(value)
    case .array(let values):
      writeList(values, "[", "]", indent: indent) { $0.write($1, indent: $2) }
    case .object(let object) where object.isOneLine && indent != nil:
      text += "{"
      for (index, member) in object.members.enumerated() {
        text += index == 0 ? " " : ", "
        write(member.key)
        text += ": "
        write(member.value, indent: nil)
      }
      text += object.members.isEmpty ? "}" : " }"
    case .object(let object):
      writeList(object.members, "{", "}", indent: indent) { writer, member, indent in
        writer.write(member.key)
        writer.text += indent == nil ? ":" : ": "
        writer.write(member.value, indent: indent)
      }
    }
  }

  private mutating func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, indent: Int?,
    write: (inout JSONTextWriter, Element, Int?) -> Void
  ) {
    text += open
    let inner = indent.map { $0 + 2 }
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: " ", count: inner) }
      write(&self, element, inner)
    }
    if let indent, !elements.isEmpty { text += "\n" + String(repeating: " ", count: indent) }
    text += close
  }

  private mutating func write(_ string: String) { JSONText.append(string, to: &text, escaping) }
}

// MARK: Literals

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
