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
    var text = text
    let result = text.withUTF8 { bytes -> Result<[[Field]], BodyFault> in
      do throws(BodyFault) {
        return .success(try records(in: bytes))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func records(in bytes: UnsafeBufferPointer<UInt8>) throws(BodyFault) -> [[Field]] {
    // Spreadsheets begin their files with a byte order mark.
    var place = TextPlace(bytes)
    var scanner = CSVScanner(bytes, delimiter: UInt8(ascii: ","), from: place.index, allowsNUL: true)
    var records: [[Field]] = []
    while !scanner.isAtEnd {
      if scanner.skipEmptyLine(isRow: false) { continue }
      records.append(
        try scanner.record().map { field in
          place.move(to: field.start)
          return Field(text: field.text, line: place.line, column: place.column)
        })
    }
    // A quoted field without content is an empty line too.
    return records.filter { $0.count > 1 || $0.first?.text != "" }
  }
}
