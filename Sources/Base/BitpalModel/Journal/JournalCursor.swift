/// A cursor that reads a line of a journal word by word.
package struct JournalCursor {
  /// A problem of a line, and its place.
  package struct Fault: Error {
    package let message: String

    /// The column of the problem in characters, from 1.
    package let column: Int
  }

  private let bytes: [UInt8]

  /// The index of the next byte.
  package private(set) var index = 0

  /// Creates a cursor before the first byte of a line.
  package init(_ line: some Collection<UInt8>) {
    bytes = Array(line)
  }

  package var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Returns a fault at a byte of the line.
  ///
  /// - Parameters:
  ///   - message: The problem.
  ///   - place: The index of the byte; nil for the cursor's own.
  package func fault(_ message: String, at place: Int? = nil) -> Fault {
    Fault(message: message, column: String(decoding: bytes[..<(place ?? index)], as: UTF8.self).count + 1)
  }

  package mutating func skipBlanks() {
    while let current, current.isBlank { index += 1 }
  }

  /// Skips a character if it is the next one, and returns whether it was.
  package mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Reads and returns the text before the next blank or the end of the line.
  package mutating func word() -> String { take { !$0.isBlank } }

  /// Reads and returns the text before the first byte for which `belongs` is false.
  package mutating func take(while belongs: (UInt8) -> Bool) -> String {
    let start = index
    while let current, belongs(current) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Reads and returns a name, in quotes or up to the first byte that ends one.
  ///
  /// - Throws: ``Fault`` for a quote that is never closed.
  package mutating func name(endingAt isEnd: (UInt8) -> Bool) throws(Fault) -> String {
    let start = index
    guard skip("\"") else { return take { !isEnd($0) } }
    let name = take { $0 != UInt8(ascii: "\"") }
    guard skip("\"") else { throw fault("a quote that is never closed", at: start) }
    return name
  }

  /// Reads and returns the digits and marks of a number; a single space between digits separates groups.
  package mutating func numberText() -> String {
    let start = index
    while let current {
      let isGroupMark =
        current == UInt8(ascii: " ") && index > start && bytes[index - 1].isDigit && index + 1 < bytes.count
        && bytes[index + 1].isDigit
      guard current.isDigit || current == UInt8(ascii: ".") || current == UInt8(ascii: ",") || isGroupMark else {
        break
      }
      index += 1
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Returns whether only blanks, or blanks and a comment, are left; the cursor skips the blanks.
  package mutating func isAtEnd() -> Bool {
    skipBlanks()
    return current == nil || current == UInt8(ascii: ";")
  }
}

extension UInt8 {
  /// Whether the byte is one of `0…9`.
  package var isDigit: Bool { self &- UInt8(ascii: "0") <= 9 }

  /// Whether the byte is a space or a tab.
  package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
