/// The records of a CSV file of the user's, after RFC 4180; each field has its place, for messages.
package struct CSVRecords {
  /// A field and the place at which it begins, counted from 1 in lines and characters.
  package struct Field: Equatable, Sendable {
    package let text: String

    /// The line at which it begins, counted from 1.
    package let line: Int
    package let column: Int
  }

  /// Returns all records; empty lines are skipped.
  ///
  /// - Throws: ``BodyFault`` for quotes that CSV does not allow.
  package static func read(_ text: String) throws(BodyFault) -> [[Field]] {
    var records: [[Field]] = []
    try forEach(in: Array(text.utf8)) { records.append($0) }
    return records
  }

  /// Calls `use` with one record after the other; empty lines are skipped.
  ///
  /// - Parameters:
  ///   - bytes: The file, in UTF-8.
  ///   - delimiter: The byte between two fields.
  /// - Throws: ``BodyFault`` for quotes that CSV does not allow; the records before them have been used.
  package static func forEach(
    in bytes: [UInt8], delimiter: UInt8 = UInt8(ascii: ","), _ use: ([Field]) -> Void
  ) throws(BodyFault) {
    let result = bytes.withUnsafeBufferPointer { bytes -> Result<Void, BodyFault> in
      do throws(BodyFault) {
        return .success(try forEach(in: bytes, delimiter, use))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private static func forEach(
    in bytes: UnsafeBufferPointer<UInt8>, _ delimiter: UInt8, _ use: ([Field]) -> Void
  ) throws(BodyFault) {
    // Spreadsheets begin their files with a byte order mark.
    var place = TextPlace(bytes)
    var scanner = CSVScanner(bytes, delimiter: delimiter, from: place.index, allowsNUL: true)
    var record: [Field] = []
    while !scanner.isAtEnd {
      if scanner.skipEmptyLine(isRow: false) { continue }
      record.removeAll(keepingCapacity: true)
      repeat {
        place.move(to: scanner.index)
        let text = scanner.text(of: try scanner.content())
        record.append(Field(text: text, line: place.line, column: place.column))
      } while scanner.skipDelimiter()
      scanner.skipLineEnd()
      // A quoted field without content is an empty line too.
      if record.count > 1 || record.first?.text != "" { use(record) }
    }
  }
}
