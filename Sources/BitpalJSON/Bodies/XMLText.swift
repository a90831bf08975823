import BitpalModel

/// The text of elements and attributes, with its references to characters.
extension XMLCursor {
  /// The bytes that end text, need a replacement, or may be forbidden in XML.
  private static let oddInText = ASCIISet("<&]").union(.controls)

  /// The bytes that end a value, or need a replacement in it or an escape in JSON.
  private static let oddInValue = ASCIISet("<&\"'\\").union(.controls)

  /// Reads text up to the next markup [14], and resolves its references.
  ///
  /// - Throws: ``BodyFault`` for `]]>`, a forbidden character, or a bad reference.
  mutating func characterData(_ builder: inout XMLBuilder) throws(BodyFault) {
    // White space between elements is most of what a laid-out document has.
    if builder.hasNoText { skipSpace() }
    let odd = Self.oddInText
    var start = index
    loop: while index < bytes.count {
      let byte = bytes[index]
      if !odd.contains(byte), byte != 0xEF {
        index += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "<"):
        break loop
      case UInt8(ascii: "&"):
        builder.addText(start..<index)
        try builder.addText(reference())
        start = index
      case UInt8(ascii: "]") where starts(with: "]]>"):
        throw fault("]]> cannot stand in text")
      case UInt8(ascii: "\r"):
        builder.addText(start..<index)
        builder.addText("\n")
        index += second == UInt8(ascii: "\n") ? 2 : 1
        start = index
      default:
        try passCharacter(byte)
      }
    }
    builder.addText(start..<index)
  }

  /// Reads the rest of `<![CDATA[…]]>` [18].
  ///
  /// - Throws: ``BodyFault`` for a forbidden character, or a section without an end.
  mutating func section(_ builder: inout XMLBuilder) throws(BodyFault) {
    let open = index - 9
    var start = index
    while let byte = next {
      if byte == UInt8(ascii: "]"), starts(with: "]]>") {
        builder.addText(start..<index)
        index += 3
        return
      }
      if byte == UInt8(ascii: "\r") {
        builder.addText(start..<index)
        builder.addText("\n")
        index += second == UInt8(ascii: "\n") ? 2 : 1
        start = index
        continue
      }
      try passCharacter(byte)
    }
    index = open
    throw fault("a CDATA section that is never closed")
  }

  /// Reads a value between quotes [10]; each literal white space character becomes a space.
  ///
  /// - Throws: ``BodyFault`` for a value without quotes, `<`, a forbidden character, or a bad reference.
  @inline(__always)
  mutating func attributeValue(_ builder: inout XMLBuilder) throws(BodyFault) {
    guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw fault("an attribute's value must stand between quotes")
    }
    let odd = Self.oddInValue
    let start = index + 1
    index = start
    while index < bytes.count, !odd.contains(bytes[index]), bytes[index] != 0xEF { index += 1 }
    if index < bytes.count, bytes[index] == quote {
      builder.addValue(start..<index, isPlain: true)
      index += 1
    } else {
      try oddValue(from: start, quote, &builder)
    }
  }

  /// Reads the rest of a value that contains bytes other than plain ones.
  @inline(never)
  private mutating func oddValue(from open: Int, _ quote: UInt8, _ builder: inout XMLBuilder) throws(BodyFault) {
    var start = open
    while let byte = next {
      switch byte {
      case quote:
        builder.addValue(start..<index)
        index += 1
        return
      case UInt8(ascii: "<"):
        throw fault("< cannot stand in an attribute's value; it is written &lt;")
      case UInt8(ascii: "&"):
        builder.addValue(start..<index)
        try builder.addValue(reference())
        start = index
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        builder.addValue(start..<index)
        builder.addValue(" ")
        index += byte == UInt8(ascii: "\r") && second == UInt8(ascii: "\n") ? 2 : 1
        start = index
      default:
        try passCharacter(byte)
      }
    }
    index = open - 1
    throw fault("a quote that is never closed")
  }

  /// Reads a reference: `&amp;`, `&#65;` or `&#x41;` [66] [68].
  private mutating func reference() throws(BodyFault) -> Unicode.Scalar {
    let open = index
    // No valid reference is longer; without a limit the search for the end of each & could run to the last byte.
    let limit = min(bytes.count, index + Self.longestReference)
    guard let end = bytes[index..<limit].firstIndex(of: UInt8(ascii: ";")) else {
      throw fault("an & that begins no reference; it is written &amp;")
    }
    let content = bytes[(open + 1)..<end]
    let scalar: Unicode.Scalar?
    if content.starts(with: "#x".utf8) {
      scalar = Self.scalar(content.dropFirst(2), radix: 16)
    } else if content.first == UInt8(ascii: "#") {
      scalar = Self.scalar(content.dropFirst(), radix: 10)
    } else {
      let name = text((open + 1)..<end)
      guard let entity = Self.entities[name] else {
        throw fault(
          name.utf8.allSatisfy { $0.isXMLNameByte || $0 >= 0x80 } && !name.isEmpty
            ? "the entity &\(name.printable(limit: 60)); is none of XML's five (lt gt amp apos quot)"
            : "an & that begins no reference; it is written &amp;")
      }
      scalar = entity
    }
    guard let scalar else { throw fault("&\(text((open + 1)..<end).printable(limit: 40)); is no character of XML") }
    index = end + 1
    return scalar
  }

  private static let longestReference = 80

  private static let entities: [String: Unicode.Scalar] = ["lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": "\""]

  /// Returns the character of a number; nil for one that XML does not allow [2].
  private static func scalar(_ digits: Slice<UnsafeBufferPointer<UInt8>>, radix: Int) -> Unicode.Scalar? {
    guard !digits.isEmpty else { return nil }
    var value: UInt32 = 0
    for byte in digits {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80, digit < radix else { return nil }
      value = value * UInt32(radix) + UInt32(digit)
      guard value <= 0x10FFFF else { return nil }
    }
    guard let scalar = Unicode.Scalar(value), scalar.isXMLCharacter else { return nil }
    return scalar
  }
}

// MARK: Kinds of characters

extension UInt8 {
  var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }

  var isASCIIDigit: Bool { self &- 0x30 <= 9 }

  /// Whether it may occur in a name [4a], of the ASCII characters: letters, digits, `:`, `_`, `-` and `.`.
  @inline(__always)
  var isXMLNameByte: Bool {
    (self | 0x20) &- 0x61 <= 25 || self &- 0x30 <= 10 || self == 0x5F || self == 0x2D || self == 0x2E
  }

  /// Whether it may begin a name [4], of the ASCII characters.
  @inline(__always)
  var isXMLNameStart: Bool { isXMLNameByte && !(self &- 0x30 <= 9) && self != 0x2D && self != 0x2E }

  /// The code point in four digits, as after `U+`.
  var hexadecimal: String { (self < 0x10 ? "000" : "00") + String(self, radix: 16, uppercase: true) }
}

extension Unicode.Scalar {
  /// Whether it is allowed in a document [2].
  fileprivate var isXMLCharacter: Bool {
    switch value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// Whether it may begin a name [4].
  var isXMLNameStart: Bool {
    switch value {
    case 0..<0x80: UInt8(truncatingIfNeeded: value).isXMLNameStart
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
      0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
      true
    default: false
    }
  }

  /// Whether it may occur in a name after the first character [4a].
  var isXMLNamePart: Bool {
    switch value {
    case 0..<0x80: UInt8(truncatingIfNeeded: value).isXMLNameByte
    case 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: isXMLNameStart
    }
  }
}

extension String.UnicodeScalarView {
  /// Creates the characters of bytes that are known to be UTF-8.
  init(decodingUTF8 bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    self = String(decoding: bytes, as: UTF8.self).unicodeScalars
  }
}
