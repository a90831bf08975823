/// A formatter that indents JSON text and minifies it again, without changing a number or string.
///
/// It works on tokens, so `42992.0`, `1e-05` and `\u00e9` stay as they are. It does not check that the text is JSON:
/// other text gives nil, or bytes that cannot be restored, and is then stored raw.
package enum JSONLayout {
  /// The deepest nesting that is indented; a deeper body is stored raw.
  private static let depthLimit = 512

  /// Removes the white space between tokens.
  package static func minified(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isInString {
        result.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if !byte.isJSONSpace {
        result.append(byte)
        isInString = byte == UInt8(ascii: "\"")
      }
    }
    return result
  }

  /// Returns minified JSON with an indent of two spaces, one element per line, and arrays of scalars on one line.
  ///
  /// - Returns: Nil unless minifying the result restores `bytes`.
  package static func pretty(_ bytes: [UInt8]) -> [UInt8]? {
    var printer = Printer(bytes: bytes)
    guard printer.value(depth: 0), printer.index == bytes.count else { return nil }
    printer.output.append(UInt8(ascii: "\n"))
    return minified(printer.output) == bytes ? printer.output : nil
  }

  private struct Printer {
    let bytes: [UInt8]
    var index = 0
    var output: [UInt8] = []

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func value(depth: Int) -> Bool {
      switch next {
      case UInt8(ascii: "{"): container(close: UInt8(ascii: "}"), isObject: true, depth: depth)
      case UInt8(ascii: "["): container(close: UInt8(ascii: "]"), isObject: false, depth: depth)
      default: scalar()
      }
    }

    private mutating func container(close: UInt8, isObject: Bool, depth: Int) -> Bool {
      guard depth < JSONLayout.depthLimit else { return false }
      let isFlat = !isObject && holdsOnlyScalars()
      copy()
      if next == close {
        copy()
        return true
      }
      while true {
        if !isFlat { newLine(depth + 1) }
        if isObject {
          guard next == UInt8(ascii: "\""), scalar(), next == UInt8(ascii: ":") else { return false }
          copy()
          output.append(UInt8(ascii: " "))
        }
        guard value(depth: depth + 1) else { return false }
        if next == close { break }
        guard next == UInt8(ascii: ",") else { return false }
        copy()
        if isFlat { output.append(UInt8(ascii: " ")) }
      }
      if !isFlat { newLine(depth) }
      copy()
      return true
    }

    /// Returns whether the array that begins here contains no array or object.
    private func holdsOnlyScalars() -> Bool {
      var position = index + 1
      var isInString = false
      while position < bytes.count {
        let byte = bytes[position]
        if isInString {
          if byte == UInt8(ascii: "\\") { position += 1 }
          if byte == UInt8(ascii: "\"") { isInString = false }
        } else {
          switch byte {
          case UInt8(ascii: "\""): isInString = true
          case UInt8(ascii: "]"): return true
          case UInt8(ascii: "["), UInt8(ascii: "{"): return false
          default: break
          }
        }
        position += 1
      }
      return false
    }

    /// Copies a string, a number or a word.
    private mutating func scalar() -> Bool {
      let start = index
      if next == UInt8(ascii: "\"") {
        copy()
        while let byte = next {
          copy()
          if byte == UInt8(ascii: "\"") { return true }
          if byte == UInt8(ascii: "\\") {
            guard next != nil else { return false }
            copy()
          }
        }
        return false
      }
      while let byte = next, !byte.isJSONSpace, !Array(",:[]{}\"".utf8).contains(byte) { copy() }
      return index > start
    }

    private mutating func copy() {
      output.append(bytes[index])
      index += 1
    }

    private mutating func newLine(_ depth: Int) {
      output.append(UInt8(ascii: "\n"))
      output += [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth)
    }
  }
}

extension UInt8 {
  /// The white space of RFC 8259, section 2.
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
