import BitpalJSON

/// A reader of JSON of the tests' own, after RFC 8259: numbers keep their text, and keys their order.
struct JSONReader {
  struct Fault: Error {
    let offset: Int
  }

  private let bytes: [UInt8]
  private var index = 0

  /// Reads a whole text.
  static func read(_ text: String) throws -> JSONValue {
    var reader = JSONReader(bytes: Array(text.utf8))
    let value = try reader.value()
    reader.skipSpace()
    guard reader.index == reader.bytes.count else { throw Fault(offset: reader.index) }
    return value
  }

  private mutating func skipSpace() { while index < bytes.count, " \n\r\t".utf8.contains(bytes[index]) { index += 1 } }

  private mutating func skips(_ word: StaticString) -> Bool {
    let word = word.withUTF8Buffer { Array($0) }
    guard bytes[index...].starts(with: word) else { return false }
    index += word.count
    return true
  }

  private mutating func value() throws -> JSONValue {
    skipSpace()
    if skips("null") { return .null }
    if skips("true") { return .bool(true) }
    if skips("false") { return .bool(false) }
    if skips("\"") { return .string(try string()) }
    if skips("[") { return .array(try list("]") { try $0.value() }) }
    if skips("{") {
      return .object(
        JSONObject(
          try list("}") { reader in
            reader.skipSpace()
            guard reader.skips("\"") else { throw Fault(offset: reader.index) }
            let key = try reader.string()
            reader.skipSpace()
            guard reader.skips(":") else { throw Fault(offset: reader.index) }
            return (key, try reader.value())
          }))
    }
    let number = bytes[index...].prefix { "+-.0123456789eE".utf8.contains($0) }
    guard !number.isEmpty else { throw Fault(offset: index) }
    index = number.endIndex
    return .number(String(decoding: number, as: UTF8.self))
  }

  private mutating func list<Element>(
    _ end: StaticString, _ element: (inout JSONReader) throws -> Element
  ) throws -> [Element] {
    var list: [Element] = []
    skipSpace()
    if skips(end) { return list }
    while true {
      list.append(try element(&self))
      skipSpace()
      if skips(end) { return list }
      guard skips(",") else { throw Fault(offset: index) }
    }
  }

  private mutating func string() throws -> String {
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      guard byte >= 0x20 else { throw Fault(offset: index) }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard index < bytes.count else { break }
      let letter = bytes[index]
      index += 1
      let plain: [UInt8: UInt8] = [0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09]
      if let byte = plain[letter] {
        text.append(byte)
      } else {
        let digits = String(decoding: bytes[index...].prefix(4), as: UTF8.self)
        guard letter == UInt8(ascii: "u"), let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code)
        else { throw Fault(offset: index) }
        text += String(Character(scalar)).utf8
        index += 4
      }
    }
    throw Fault(offset: index)
  }
}

/// A reader of CSV of the tests' own, after RFC 4180, with line feeds.
enum CSVReading {
  static func records(_ text: String) -> [[String]] {
    var records: [[String]] = []
    var record: [String] = []
    var field = "".unicodeScalars
    var isQuoted = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted, "\n" where !isQuoted:
        record.append(String(field))
        field.removeAll()
        if scalar == "\n" {
          records.append(record)
          record = []
        }
        continue
      default: break
      }
      // Two quotes close and open again, and mean one.
      field.append(scalar)
    }
    return records.map { record in record.map(Self.unquoted) }
  }

  private static func unquoted(_ field: String) -> String {
    let scalars = Array(field.unicodeScalars)
    guard scalars.first == "\"", scalars.last == "\"", scalars.count > 1 else { return field }
    var text = "".unicodeScalars
    var index = 1
    while index < scalars.count - 1 {
      text.append(scalars[index])
      index += scalars[index] == "\"" ? 2 : 1
    }
    return String(text)
  }
}

extension JSONValue {
  /// The value as a reader of its text has it: a count is a number.
  var read: JSONValue {
    switch self {
    case .integer(let value): .number(String(value))
    case .array(let values): .array(values.map(\.read))
    case .object(let object): .object(JSONObject(object.members.map { ($0.key, $0.value.read) }))
    default: self
    }
  }

  /// The text of a string; nil for any other value.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The digits of a number; nil for any other value.
  var digits: String? { if case .number(let digits) = self { digits } else { nil } }

  subscript(key: String) -> JSONValue? { if case .object(let object) = self { object[key] } else { nil } }

  var elements: [JSONValue] { if case .array(let values) = self { values } else { [] } }
}
