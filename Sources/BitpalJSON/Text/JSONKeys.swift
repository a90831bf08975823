import Glibc

/// A check that the keys of JSON text are strings.
///
/// SQLite 3.40 takes an object or an array before a colon for a key when its last value is a string, and then reads
/// memory that is not its own: `{{"a":["b"]}:1}` ends the process.
enum JSONKeys {
  /// Whether no object or array stands before a colon.
  ///
  /// - Parameter isNested: Whether strings that hold JSON are checked too, because a statement may read them as JSON.
  static func areStrings(_ text: UnsafeBufferPointer<UInt8>, nested isNested: Bool = false) -> Bool {
    // Nearly all text is without what could be wrong, also within strings; to find that out is faster.
    let mayHoldJSON = isNested && contains(text, UInt8(ascii: "\\"))
    return !mayHoldJSON && !hasColonAfterBracket(text) || areStrings(exactly: text, mayHoldJSON)
  }

  /// Whether a statement may read a text as JSON: it is none, or its keys are strings.
  static func areStringsIfJSON(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let trimmed = text.drop(while: \.isJSONSpace)
    guard let first = trimmed.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      trimmed.last(where: { !$0.isJSONSpace }).map(isBracket) == true,
      beginsLikeValue(trimmed.dropFirst().drop(while: \.isJSONSpace))
    else { return true }
    return areStrings(text, nested: true)
  }

  /// Whether a value or the end of a container may begin a text; `note]: {x}` does not begin like one.
  private static func beginsLikeValue(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    text.first.map("\"{[]}-0123456789".utf8.contains) == true
      || ["true", "false", "null"].contains { text.starts(with: $0.utf8) }
  }

  private static func contains(_ text: UnsafeBufferPointer<UInt8>, _ byte: UInt8) -> Bool {
    text.baseAddress.map { memchr($0, CInt(byte), text.count) != nil } ?? false
  }

  private static func hasColonAfterBracket(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var last: UInt8 = 0
    for byte in text where !byte.isJSONSpace {
      if byte == UInt8(ascii: ":"), isBracket(last) { return true }
      last = byte
    }
    return false
  }

  private static func isBracket(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") }

  private static func areStrings(exactly text: UnsafeBufferPointer<UInt8>, _ isNested: Bool) -> Bool {
    var last: UInt8 = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      index += 1
      if byte == UInt8(ascii: "\"") {
        let start = index
        while index < text.count, text[index] != byte { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
        let content = text[start..<min(index, text.count)]
        if isNested, !isSafe(content) { return false }
        index += 1
      } else if byte == UInt8(ascii: ":"), isBracket(last) {
        return false
      }
      if !byte.isJSONSpace { last = byte }
    }
    return true
  }

  /// Whether a statement may read the content of a string as JSON.
  private static func isSafe(_ string: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    // A key of the wrong kind holds a string, whose quotes are escaped in the string around it.
    guard string.contains(UInt8(ascii: "\\")) else { return true }
    return unescaped(string).withUnsafeBufferPointer(areStringsIfJSON)
  }

  /// Returns the content of a string; characters outside of ASCII are left out.
  private static func unescaped(_ string: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    var content: [UInt8] = []
    var rest = string
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
        content.append(byte)
        continue
      }
      switch kind {
      case UInt8(ascii: "u"):
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        if let scalar = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) { content.append(scalar) }
      case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "r"): content.append(UInt8(ascii: " "))
      default: content.append(kind)
      }
    }
    return content
  }
}
