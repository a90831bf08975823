import BitpalModel
package import FoundationEssentials

/// Members of one element of an array, each as the very text that the body has; valid while that element is the current
/// one.
package final class JSONMembers {
  private let names: [String]
  private var parts: [UnsafeBufferPointer<UInt8>] = []
  private let reader: JSONRows

  /// Whether a number of this element or one before had more digits than fit, and was rounded half-even.
  package private(set) var hasRounded = false

  init(names: [String], reader: JSONRows) {
    self.names = names
    self.reader = reader
    parts.reserveCapacity(names.count)
  }

  /// Goes to the element whose members stand in `text`, an array of them; nil when it is null itself.
  func load(_ text: UnsafeBufferPointer<UInt8>?) {
    parts.removeAll(keepingCapacity: true)
    if let text { JSONArrayText.split(text, into: &parts) }
  }

  /// A JSON string; nil for null or a missing member.
  ///
  /// - Throws: ``ColumnProblem`` for anything else.
  package func string(_ member: Int) throws -> String? {
    guard let part = part(member) else { return nil }
    guard let content = Self.content(of: part) else { throw wrong(member, part, expected: "a string") }
    return try text(of: part, content)
  }

  /// The string of the member of that name; a name that was not asked for has none.
  package func string(_ name: String) throws -> String? { try position(of: name).flatMap { try string($0) } }

  /// The number of the member of that name.
  package func number(_ name: String) throws(ColumnProblem) -> Decimal? {
    guard let member = position(of: name) else { return nil }
    return try number(member)
  }

  /// The instant of the member of that name.
  package func instant(_ name: String) throws -> Date? { try position(of: name).flatMap { try instant($0) } }

  /// Where a member stands; what reads thousands of elements goes by position instead.
  private func position(of name: String) -> Int? { names.firstIndex(of: name) }

  /// A JSON number with as many digits as a decimal holds; nil for null or a missing member.
  ///
  /// - Throws: ``ColumnProblem`` when it is anything else, or too large for a decimal.
  package func number(_ member: Int) throws(ColumnProblem) -> Decimal? {
    guard let part = part(member) else { return nil }
    guard let number = try? Decimal.nearest(toUTF8: part) else { throw wrong(member, part, expected: "a number") }
    if number.isRounded { hasRounded = true }
    return number.value
  }

  /// The numbers of a JSON array, null for each that is null; nil for null or a missing member.
  ///
  /// - Throws: ``ColumnProblem`` when the member is not an array, or an element is not a number.
  package func numbers(_ member: Int) throws(ColumnProblem) -> [Decimal?]? {
    guard let part = part(member) else { return nil }
    guard part.first == UInt8(ascii: "[") else { throw wrong(member, part, expected: "an array") }
    var elements: [UnsafeBufferPointer<UInt8>] = []
    JSONArrayText.split(part, into: &elements)
    var numbers: [Decimal?] = []
    numbers.reserveCapacity(elements.count)
    for element in elements {
      if Self.isNull(element) {
        numbers.append(nil)
      } else if let number = try? Decimal.nearest(toUTF8: element) {
        numbers.append(number.value)
      } else {
        throw wrong(member, element, expected: "a number")
      }
    }
    return numbers
  }

  /// A whole number that fits 64 bits.
  ///
  /// - Throws: ``ColumnProblem`` for anything else, null and a missing member too.
  package func integer(_ member: Int) throws(ColumnProblem) -> Int64 {
    guard let part = part(member), let value = Int64(String(decoding: part, as: UTF8.self)) else {
      throw wrong(member, part(member), expected: "a whole number")
    }
    return value
  }

  /// Milliseconds since 1970, within the years that can be printed.
  ///
  /// - Throws: ``ColumnProblem`` for anything else, null and a missing member too.
  package func milliseconds(_ member: Int) throws(ColumnProblem) -> Date {
    let value = try integer(member)
    guard (0...253_402_300_799_999).contains(value) else {
      throw wrong(member, part(member), expected: "milliseconds since 1970")
    }
    return Date(milliseconds: value)
  }

  /// A JSON string that holds an ISO 8601 instant; nil for null or a missing member.
  ///
  /// - Throws: ``ColumnProblem`` for anything else.
  package func instant(_ member: Int) throws -> Date? {
    guard let part = part(member) else { return nil }
    guard let content = Self.content(of: part) else { throw wrong(member, part, expected: "an ISO 8601 time") }
    if let value = Date(utcUTF8: content) { return value }
    // Only one with escapes is worth a second look.
    let text = try text(of: part, content) ?? ""
    guard let value = Date(utcText: text) else { throw wrong(member, found: text, expected: "an ISO 8601 time") }
    return value
  }

  private func part(_ member: Int) -> UnsafeBufferPointer<UInt8>? {
    guard parts.indices.contains(member) else { return nil }
    let part = parts[member]
    return Self.isNull(part) ? nil : part
  }

  private static func isNull(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
    part.count == 4 && part[0] == UInt8(ascii: "n")
  }

  /// What stands between the quotes of a JSON string, escapes and all; nil for what is no string.
  private static func content(of part: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    guard part.count >= 2, part[0] == UInt8(ascii: "\"") else { return nil }
    return UnsafeBufferPointer(rebasing: part[1..<(part.count - 1)])
  }

  private func text(of part: UnsafeBufferPointer<UInt8>, _ content: UnsafeBufferPointer<UInt8>) throws -> String? {
    content.contains(UInt8(ascii: "\\")) ? try reader.unescaped(part) : String(decoding: content, as: UTF8.self)
  }

  private func wrong(_ member: Int, _ part: UnsafeBufferPointer<UInt8>?, expected: String) -> ColumnProblem {
    wrong(member, found: part.map { String(decoding: $0, as: UTF8.self) } ?? "null", expected: expected)
  }

  private func wrong(_ member: Int, found: String, expected: String) -> ColumnProblem {
    .wrong(
      column: names.indices.contains(member) ? names[member] : "", expected: expected,
      found: found.printable(limit: 60))
  }
}

/// Finds where the elements of a JSON array lie in its text, without reading them.
///
/// It judges nothing: the text is one that SQLite has just written, so it is valid and has no white space between
/// elements. Of any other text it finds no part outside of it, and whoever reads the parts refuses what they hold.
enum JSONArrayText {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let comma = UInt8(ascii: ",")

  /// Appends the text of each element; nothing for what does not begin as an array.
  static func split(
    _ text: UnsafeBufferPointer<UInt8>, into parts: inout [UnsafeBufferPointer<UInt8>]
  ) {
    guard text.count > 2, text[0] == UInt8(ascii: "[") else { return }
    let end = text.count - 1
    var start = 1
    var index = 1
    var depth = 0
    while index < end {
      switch text[index] {
      case quote:
        index += 1
        while index < end, text[index] != quote { index += text[index] == backslash ? 2 : 1 }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
      case comma where depth == 0:
        parts.append(UnsafeBufferPointer(rebasing: text[start..<index]))
        start = index + 1
      default:
        break
      }
      index += 1
    }
    parts.append(UnsafeBufferPointer(rebasing: text[start..<end]))
  }
}
