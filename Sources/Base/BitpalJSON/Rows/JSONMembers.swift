import BitpalModel
package import FoundationEssentials

/// The members of one element of an array, each with the text that it has in the body; valid while that element is the
/// current one.
package final class JSONMembers {
  private let names: [String]
  private var parts: [UnsafeBufferPointer<UInt8>] = []

  /// Whether a number of this or an earlier element had more digits than fit, and was rounded half-even.
  package private(set) var hasRounded = false

  init(names: [String]) {
    self.names = names
  }

  /// Moves to an element, whose members are at `paths`.
  func load(_ element: JSONNode, _ paths: JSONPaths) { paths.find(in: element, &parts) }

  /// Returns a JSON string; nil for null or a missing member.
  ///
  /// - Throws: ``ColumnProblem`` for any other value.
  package func string(_ member: Int) throws(ColumnProblem) -> String? {
    guard let part = part(member) else { return nil }
    guard let content = Self.content(of: part) else { throw wrong(member, part, expected: "a string") }
    return text(of: content)
  }

  /// Returns the string of a named member; nil for a name that was not requested.
  ///
  /// - Throws: ``ColumnProblem`` for a value that is not a string.
  package func string(_ name: String) throws -> String? { try position(of: name).flatMap { try string($0) } }

  /// Returns the number of a named member; nil for a name that was not requested.
  ///
  /// - Throws: ``ColumnProblem`` for a value that is not a number.
  package func number(_ name: String) throws(ColumnProblem) -> Decimal? {
    guard let member = position(of: name) else { return nil }
    return try number(member)
  }

  /// Returns the instant of a named member; nil for a name that was not requested.
  ///
  /// - Throws: ``ColumnProblem`` for a value that is not an ISO 8601 time.
  package func instant(_ name: String) throws -> Date? { try position(of: name).flatMap { try instant($0) } }

  /// Returns whether the element has a member, be it null.
  package func has(_ member: Int) -> Bool { parts.indices.contains(member) && !parts[member].isEmpty }

  /// Returns whether a member is `true`; false for any other value, and where it is missing.
  package func isTrue(_ name: String) -> Bool {
    position(of: name).flatMap { part($0) }.map { $0.elementsEqual("true".utf8) } ?? false
  }

  /// Returns the position of a member; loops over thousands of elements use positions directly.
  private func position(of name: String) -> Int? { names.firstIndex(of: name) }

  /// Returns a JSON number with as many digits as a decimal holds; nil for null or a missing member.
  ///
  /// - Throws: ``ColumnProblem`` for any other value, or a number too large for a decimal.
  package func number(_ member: Int) throws(ColumnProblem) -> Decimal? {
    guard let part = part(member) else { return nil }
    guard let number = try? Decimal.nearest(toUTF8: part) else { throw wrong(member, part, expected: "a number") }
    if number.isRounded { hasRounded = true }
    return number.value
  }

  /// Returns the numbers of a JSON array, with nil for each null element; nil for null or a missing member.
  ///
  /// - Throws: ``ColumnProblem`` when the member is not an array, or an element is not a number.
  package func numbers(_ member: Int) throws(ColumnProblem) -> [Decimal?]? {
    guard let part = part(member) else { return nil }
    guard part.first == UInt8(ascii: "[") else { throw wrong(member, part, expected: "an array") }
    var elements = JSONElements(JSONNode(part))
    var numbers: [Decimal?] = []
    while elements.next() {
      let element = elements.value().bytes
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

  /// Returns an integer that fits 64 bits.
  ///
  /// - Throws: ``ColumnProblem`` for any other value, including null and a missing member.
  package func integer(_ member: Int) throws(ColumnProblem) -> Int64 {
    guard let part = part(member), let value = Int64(String(decoding: part, as: UTF8.self)) else {
      throw wrong(member, part(member), expected: "a whole number")
    }
    return value
  }

  /// Returns an instant from milliseconds since 1970, up to the end of the year 9999.
  ///
  /// - Throws: ``ColumnProblem`` for any other value, including null and a missing member.
  package func milliseconds(_ member: Int) throws(ColumnProblem) -> Date {
    let value = try integer(member)
    guard (0...253_402_300_799_999).contains(value) else {
      throw wrong(member, part(member), expected: "milliseconds since 1970")
    }
    return Date(milliseconds: value)
  }

  /// Returns the instant of a JSON string in ISO 8601; nil for null or a missing member.
  ///
  /// - Throws: ``ColumnProblem`` for any other value.
  package func instant(_ member: Int) throws -> Date? {
    guard let part = part(member) else { return nil }
    guard let content = Self.content(of: part) else { throw wrong(member, part, expected: "an ISO 8601 time") }
    if let value = Date(utcUTF8: content) { return value }
    // The slow path, for a text with escapes.
    let text = text(of: content)
    guard let value = Date(utcText: text) else { throw wrong(member, found: text, expected: "an ISO 8601 time") }
    return value
  }

  private func part(_ member: Int) -> UnsafeBufferPointer<UInt8>? {
    guard parts.indices.contains(member) else { return nil }
    let part = parts[member]
    return part.isEmpty || Self.isNull(part) ? nil : part
  }

  private static func isNull(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
    part.count == 4 && part[0] == UInt8(ascii: "n")
  }

  /// Returns the bytes between the quotes of a JSON string, with its escapes; nil for any other value.
  private static func content(of part: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    guard part.count >= 2, part[0] == UInt8(ascii: "\"") else { return nil }
    return UnsafeBufferPointer(rebasing: part[1..<(part.count - 1)])
  }

  private func text(of content: UnsafeBufferPointer<UInt8>) -> String {
    content.contains(UInt8(ascii: "\\"))
      ? String(decoding: JSONEscape.content(content), as: UTF8.self) : String(decoding: content, as: UTF8.self)
  }

  private func wrong(_ member: Int, _ part: UnsafeBufferPointer<UInt8>?, expected: String) -> ColumnProblem {
    wrong(
      member, found: part.map { String(decoding: JSONNode($0).minified, as: UTF8.self) } ?? "null", expected: expected)
  }

  private func wrong(_ member: Int, found: String, expected: String) -> ColumnProblem {
    .wrong(
      column: names.indices.contains(member) ? names[member] : "", expected: expected,
      found: found.printable(limit: 60))
  }
}
