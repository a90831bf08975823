import BitpalModel

/// A position in XML, with the parts of the grammar that do not depend on the open elements.
struct XMLCursor {
  let bytes: UnsafeBufferPointer<UInt8>
  var index: Int

  /// Whether an element has begun.
  var hasRoot = false

  private let start: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
    self.bytes = bytes
    self.start = start
    index = start
  }

  // MARK: Looking

  var isAtEnd: Bool { index >= bytes.count }
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }
  var second: UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }

  /// Returns the text of a range, for messages.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns a fault at this position.
  func fault(_ message: String) -> BodyFault { BodyFault(message, at: index, of: bytes) }

  /// Whether the bytes at this position begin with a text.
  func starts(with text: StaticString) -> Bool {
    index + text.utf8CodeUnitCount <= bytes.count
      && (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
  }

  // MARK: Passing over

  /// Skips a text if it is at this position.
  @inline(__always)
  mutating func skip(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    index += text.utf8CodeUnitCount
    return true
  }

  /// Skips bytes equal to those of another range; returns false when they differ.
  mutating func skip(_ range: Range<Int>) -> Bool {
    guard index + range.count <= bytes.count, bytes.hasSame(range, index..<(index + range.count)) else { return false }
    index += range.count
    return true
  }

  /// Skips white space [3]; returns whether there was any.
  @discardableResult @inline(__always)
  mutating func skipSpace() -> Bool {
    let start = index
    while index < bytes.count, bytes[index].isXMLSpace { index += 1 }
    return index > start
  }

  // MARK: Declaration, comments, instructions

  /// Reads the declaration `<?xml version="1.0" encoding="UTF-8"?>` [23], where there is one.
  ///
  /// - Throws: ``BodyFault`` for another syntax or an encoding other than UTF-8.
  mutating func declaration() throws(BodyFault) {
    guard starts(with: "<?xml"), index + 5 < bytes.count, bytes[index + 5].isXMLSpace else { return }
    index += 5
    skipSpace()
    let version = try pseudoAttribute("version")
    let digits = version?.dropFirst(2) ?? ""
    guard let version, version.hasPrefix("1."), !digits.isEmpty, digits.utf8.allSatisfy({ $0.isASCIIDigit }) else {
      throw fault("the XML declaration must begin with version=\"1.0\"")
    }
    var hadSpace = skipSpace()
    if hadSpace, let encoding = try pseudoAttribute("encoding") {
      guard ["utf-8", "us-ascii", "ascii"].contains(encoding.lowercased()) else {
        throw fault("its encoding is \(encoding.printable(limit: 40)), and only UTF-8 is read")
      }
      hadSpace = skipSpace()
    }
    if hadSpace, let standalone = try pseudoAttribute("standalone") {
      guard ["yes", "no"].contains(standalone) else { throw fault("standalone must be yes or no") }
      skipSpace()
    }
    guard skip("?>") else { throw fault("the XML declaration has something odd in it") }
  }

  /// Returns the value of a part of the XML declaration; nil when another part is at this position.
  private mutating func pseudoAttribute(_ name: StaticString) throws(BodyFault) -> String? {
    guard skip(name) else { return nil }
    skipSpace()
    guard skip("=") else { throw fault("= is missing in the XML declaration") }
    skipSpace()
    guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw fault("a quote is missing in the XML declaration")
    }
    let content = index + 1
    guard let end = bytes[content...].firstIndex(of: quote) else { throw fault("a quote that is never closed") }
    index = end + 1
    return text(content..<end)
  }

  /// Skips the rest of a comment [15].
  ///
  /// - Throws: ``BodyFault`` for `--` within it, a forbidden character, or a comment without an end.
  mutating func comment() throws(BodyFault) {
    let start = index - 4
    while let byte = next {
      if byte == UInt8(ascii: "-"), second == UInt8(ascii: "-") {
        guard skip("-->") else { throw fault("-- cannot stand within a comment") }
        return
      }
      try passCharacter(byte)
    }
    index = start
    throw fault("a comment that is never closed")
  }

  /// Skips the rest of a processing instruction [16].
  ///
  /// - Throws: ``BodyFault`` for a second declaration, a bad name, or an instruction without an end.
  mutating func instruction() throws(BodyFault) {
    let start = index - 2
    let target = try name("an instruction's name")
    guard text(target).lowercased() != "xml" else {
      index = start
      throw fault("<?xml can only stand at the very beginning")
    }
    guard skipSpace() || starts(with: "?>") else { throw fault("a space is missing after the instruction's name") }
    while let byte = next {
      if byte == UInt8(ascii: "?"), skip("?>") { return }
      try passCharacter(byte)
    }
    index = start
    throw fault("an instruction that is never closed")
  }

  /// Skips a character that is allowed in a document [2].
  ///
  /// - Throws: ``BodyFault`` for a control character, U+FFFE and U+FFFF.
  @inline(__always)
  mutating func passCharacter(_ byte: UInt8) throws(BodyFault) {
    if byte < 0x20 || byte == 0xEF { try checkCharacter(byte) }
    index += 1
  }

  /// Throws for a control character, U+FFFE and U+FFFF.
  private func checkCharacter(_ byte: UInt8) throws(BodyFault) {
    if byte < 0x20 {
      guard byte.isXMLSpace else { throw fault("the control character U+\(byte.hexadecimal) cannot stand in XML") }
    } else if index + 2 < bytes.count, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE {
      throw fault("a character that cannot stand in XML")
    }
  }

  // MARK: Names

  /// Reads a name [5], and returns its range.
  ///
  /// - Throws: ``BodyFault`` when there is none; `what` names it in the message.
  @inline(__always)
  mutating func name(_ what: StaticString) throws(BodyFault) -> Range<Int> {
    let start = index
    while index < bytes.count, bytes[index].isXMLNameByte { index += 1 }
    if index > start, bytes[start].isXMLNameStart, index == bytes.count || bytes[index] < 0x80 { return start..<index }
    return try anyName(from: start, what)
  }

  /// Reads a name with characters beyond ASCII.
  private mutating func anyName(from start: Int, _ what: StaticString) throws(BodyFault) -> Range<Int> {
    index = start
    var scalars = String.UnicodeScalarView(decodingUTF8: bytes[start...].prefix { $0 >= 0x80 || $0.isXMLNameByte })[...]
    while let scalar = scalars.popFirst() {
      guard index == start ? scalar.isXMLNameStart : scalar.isXMLNamePart else { break }
      index += UTF8.width(scalar)
    }
    guard index > start else { throw fault("\(what) should stand here") }
    return start..<index
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether two ranges hold the same bytes.
  @inline(__always)
  func hasSame(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
    guard first.count == second.count else { return false }
    var (left, right) = (first.lowerBound, second.lowerBound)
    while left < first.upperBound, self[left] == self[right] {
      left += 1
      right += 1
    }
    return left == first.upperBound
  }
}
