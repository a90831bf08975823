package import BitpalModel
package import FoundationEssentials

/// A JSON value to be written: its objects keep the order of their keys, its numbers their digits.
///
/// There is no floating-point case: money is text, counts are integers, and a number that a source wrote is its own text.
package indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)

  /// A number as it is to be written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// A text, or null.
  package init(_ text: String?) {
    self = text.map { .string($0) } ?? .null
  }

  /// All digits of a number as text, or null.
  package init(_ number: Decimal?) {
    self = number.map { .string($0.plainText) } ?? .null
  }

  /// An instant in ISO 8601, or null.
  package init(_ instant: Date?) {
    self = instant.map { .string($0.iso8601) } ?? .null
  }

  /// What is JSON already, laid out as it is to stay.
  package static func written(_ json: String) -> JSONValue { .number(json) }

  /// An object that is written on one line even where others are indented: what changes together stands together, so
  /// that one change is one line.
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

  /// The value of a key; nil when there is none.
  package subscript(key: String) -> JSONValue? {
    members.first { $0.key == key }?.value
  }

  /// Adds a member after the others.
  package mutating func append(_ key: String, _ value: JSONValue) {
    members.append(Member(key: key, value: value))
  }

  /// This object's members, then the other's.
  package static func + (left: JSONObject, right: JSONObject) -> JSONObject {
    var sum = left
    sum.members += right.members
    return sum
  }
}

// MARK: Text

extension JSONValue {
  /// Which characters a string escapes besides those that JSON demands.
  package typealias Escaping = JSONText.Escaping

  /// The value over several lines, indented by two spaces, with a line end.
  package func indented(_ escaping: Escaping = .terminal) -> String {
    var writer = JSONTextWriter(escaping: escaping)
    writer.write(self, indent: 0)
    return writer.text + "\n"
  }

  /// The value in one line without spaces or a line end.
  package func compact(_ escaping: Escaping = .terminal) -> String {
    var writer = JSONTextWriter(escaping: escaping)
    writer.write(self, indent: nil)
    return writer.text
  }
}

private struct JSONTextWriter {
  let escaping: JSONValue.Escaping
  var text = ""

  /// Adds the value; `indent` is how far the line is indented that it begins on, nil when it is to stay on it.
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
