import BitpalModel
import FoundationEssentials

/// Goes through a line of a journal from word to word.
struct JournalCursor {
  /// A problem of a line, and its place.
  struct Fault: Error {
    let message: String

    /// In characters, counted from 1.
    let column: Int
  }

  private let bytes: [UInt8]

  /// The place of the next byte.
  private(set) var index = 0

  init(_ line: some Collection<UInt8>) {
    bytes = Array(line)
  }

  var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// - Parameter place: The index of a byte; where the cursor stands when nil.
  func fault(_ message: String, at place: Int? = nil) -> Fault {
    Fault(message: message, column: String(decoding: bytes[..<(place ?? index)], as: UTF8.self).count + 1)
  }

  mutating func skipBlanks() {
    while let current, current.isBlank { index += 1 }
  }

  /// Passes over a character, if it is the next one.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Takes the text before the next blank or the end.
  mutating func word() -> String { take { !$0.isBlank } }

  /// Takes the text before the first byte that does not belong to it.
  mutating func take(while belongs: (UInt8) -> Bool) -> String {
    let start = index
    while let current, belongs(current) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// A name, in quotes or up to the first byte that ends one.
  mutating func name(endingAt isEnd: (UInt8) -> Bool) throws(Fault) -> String {
    let start = index
    guard skip("\"") else { return take { !isEnd($0) } }
    let name = take { $0 != UInt8(ascii: "\"") }
    guard skip("\"") else { throw fault("a quote that is never closed", at: start) }
    return name
  }

  /// The digits and marks of a number; a single blank between digits parts groups of them.
  mutating func numberText() -> String {
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

  /// Whether nothing is left, or only a comment.
  mutating func isAtEnd() -> Bool {
    skipBlanks()
    return current == nil || current == UInt8(ascii: ";")
  }
}

extension UInt8 {
  /// Whether it is one of `0…9`.
  var isDigit: Bool { self &- UInt8(ascii: "0") <= 9 }

  /// Whether it is a space or a tab.
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
