/// The reason why a body is not the CSV or XML that it is said to be.
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
    let place = Self.place(of: offset, in: bytes)
    self.init(message, line: place.line, column: place.column, isOpenEnded: isOpenEnded)
  }

  /// Returns the line and column of a byte; a line ends with LF, CR or both.
  static func place(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int) {
    var line = 1
    var start = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    let end = min(offset, bytes.count)
    for index in min(start, end)..<end {
      let isEnd =
        bytes[index] == UInt8(ascii: "\n")
        || bytes[index] == UInt8(ascii: "\r") && (index + 1 >= bytes.count || bytes[index + 1] != UInt8(ascii: "\n"))
      guard isEnd else { continue }
      line += 1
      start = index + 1
    }
    // Continuation bytes do not begin a character.
    let characters = start < end ? bytes[start..<end].reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 } : 0
    return (line, characters + 1)
  }

  /// The byte order mark U+FEFF in UTF-8, which some programs write before the text.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Checks that the bytes are UTF-8.
  ///
  /// - Returns: The offset at which the text begins, after a byte order mark.
  /// - Throws: ``BodyFault`` for empty bytes, for UTF-16 and for invalid UTF-8.
  static func checkUTF8(_ bytes: UnsafeBufferPointer<UInt8>) throws(BodyFault) -> Int {
    guard !bytes.isEmpty else { throw BodyFault("it is empty") }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw BodyFault("it is UTF-16, and only UTF-8 is read")
    }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw BodyFault("this is not UTF-8", at: error.byteOffsets.lowerBound, of: bytes)
    }
    return bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
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
