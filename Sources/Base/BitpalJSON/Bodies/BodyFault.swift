/// The reason why a body is not the CSV or XML that it is declared to be.
package struct BodyFault: Error, Hashable, Sendable {
  /// The description of the fault, without its place.
  package let message: String

  /// The line, counted from 1.
  package let line: Int

  /// The column in characters, counted from 1.
  package let column: Int

  /// Whether it spans the rest of the text, as a quote does that is never closed.
  let isOpenEnded: Bool

  init(_ message: String, line: Int = 1, column: Int = 1, isOpenEnded: Bool = false) {
    self.isOpenEnded = isOpenEnded
    self.message = message
    self.line = line
    self.column = column
  }

  /// Creates a fault at a byte of a body.
  init(_ message: String, at offset: Int, of bytes: UnsafeBufferPointer<UInt8>, isOpenEnded: Bool = false) {
    let place = TextPlace(bytes, at: offset)
    self.init(message, line: place.line, column: place.column, isOpenEnded: isOpenEnded)
  }

  /// The byte order mark U+FEFF in UTF-8, which some programs write before the text.
  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Checks that the bytes are UTF-8.
  ///
  /// - Returns: The offset at which the text begins, after a byte order mark.
  /// - Throws: ``BodyFault`` for empty bytes and for invalid UTF-8.
  static func checkUTF8(_ bytes: UnsafeBufferPointer<UInt8>) throws(BodyFault) -> Int {
    guard !bytes.isEmpty else { throw BodyFault("it is empty") }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw BodyFault("this is not UTF-8", at: error.byteOffsets.lowerBound, of: bytes)
    }
    return bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
  }
}

/// A place in a text that only moves on, so that many places cost one pass; it begins after a byte order mark.
struct TextPlace {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var index: Int

  /// The line, counted from 1; a line ends with LF, CR or both.
  private(set) var line = 1

  /// The column in characters, counted from 1.
  private(set) var column = 1

  init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int = 0) {
    self.bytes = bytes
    index = bytes.starts(with: BodyFault.byteOrderMark) ? BodyFault.byteOrderMark.count : 0
    move(to: offset)
  }

  /// Moves on to a byte, at most to the end of the text.
  mutating func move(to end: Int) {
    while index < min(end, bytes.count) {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r") && (index == bytes.count || bytes[index] != UInt8(ascii: "\n"))
      {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        // Continuation bytes do not begin a character.
        column += 1
      }
    }
  }
}

extension BodyFault: CustomStringConvertible {
  /// The description with its place, as one clause.
  package var description: String { "line \(line), column \(column): \(message)" }
}

/// The rows of a CSV body that were dropped because they have too few or too many fields.
package struct RaggedRows: Hashable, Sendable {
  /// The number of dropped rows.
  package let count: Int

  /// The line on which the first of them begins, counted from 1.
  package let line: Int

  /// The number of fields of the first of them.
  package let fields: Int

  /// The number of fields that a row should have.
  package let columns: Int
}

extension RaggedRows: CustomStringConvertible {
  /// The description of the first row, as one clause.
  package var description: String { "line \(line) has \(fields) \(fields == 1 ? "field" : "fields"), not \(columns)" }
}
