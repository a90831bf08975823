import BitpalModel

/// A converter of CSV to JSON: an array with one object per row, whose values are texts.
///
/// Strict as RFC 4180: a field is quoted as a whole or not at all, and a quote within is doubled. Lines may end with
/// LF, CR or both; a byte order mark is skipped. It opens no file, and its output is bounded.
package struct CSVReader {
  /// The result of a conversion.
  package struct Rows: Hashable, Sendable {
    /// An array of objects.
    package let json: [UInt8]

    /// The rows that were dropped; nil when there are none.
    package let ragged: RaggedRows?

    /// The names of the columns.
    package let columns: [String]
  }

  /// The largest output in bytes: the names of the columns appear in every row.
  package static let largest = 64 << 20

  private let layout: CSVLayout
  private let wanted: Set<String>?

  /// Creates a converter.
  ///
  /// - Parameter columns: The columns to write, provided that the header has all of them; nil for all columns.
  package init(_ layout: CSVLayout, columns: Set<String>? = nil) {
    self.layout = layout
    wanted = columns
  }

  /// Converts a body.
  ///
  /// - Throws: ``BodyFault`` with line and column.
  package func rows(_ body: [UInt8]) throws(BodyFault) -> Rows {
    let result = body.withUnsafeBufferPointer { bytes -> Result<Rows, BodyFault> in
      do throws(BodyFault) {
        return .success(try rows(in: bytes))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func rows(in bytes: UnsafeBufferPointer<UInt8>) throws(BodyFault) -> Rows {
    var scanner = CSVScanner(
      bytes, delimiter: layout.delimiter, fromTop: try BodyFault.checkUTF8(bytes))
    for _ in 0..<layout.skip where !scanner.isAtEnd { scanner.skipLine() }
    let names = try names(&scanner)
    let columns = CSVColumns(names, wanted: wanted)
    var dropped: (count: Int, start: Int, fields: Int)?
    let header = scanner
    let json = try JSONOutput.array(body: bytes.count, atMost: Self.largest) { output throws(BodyFault) in
      scanner = header
      dropped = nil
      output.append("[")
      while !scanner.isAtEnd {
        if scanner.skipEmptyLine(isRow: columns.count == 1) { continue }
        let (start, rollback) = (scanner.index, output.count)
        output.append(rollback > 1 ? ",{" : "{")
        let column = try columns.append(&scanner, to: &output)
        if column == columns.count {
          output.append(UInt8(ascii: "}"))
        } else {
          output.truncate(to: rollback)
          dropped = ((dropped?.count ?? 0) + 1, dropped?.start ?? start, dropped?.fields ?? column)
        }
        guard !output.isFull else {
          throw BodyFault("its rows become more than \(Self.largest >> 20) MiB", at: start, of: bytes)
        }
      }
      output.append("]")
    }
    let ragged = dropped.map { dropped in
      RaggedRows(
        count: dropped.count, line: TextPlace(bytes, at: dropped.start).line, fields: dropped.fields,
        columns: columns.count)
    }
    return Rows(json: json, ragged: ragged, columns: names)
  }

  /// Returns the names of the columns, and moves the scanner to the first row.
  private func names(_ scanner: inout CSVScanner) throws(BodyFault) -> [String] {
    switch layout.header {
    case .names(let names): return names
    case .none:
      // The first row gives the number of columns, and is read again as a row.
      let start = scanner.index
      let count = try scanner.record().count
      scanner.index = start
      return (0..<count).map { "c\($0)" }
    case .first:
      while scanner.skipEmptyLine(isRow: false) {}
      skipLinesAboveHeader(&scanner)
      var seen: Set<String> = []
      return try scanner.record().enumerated().map { (index, field) throws(BodyFault) in
        // A line that ends with a delimiter has a column without a name.
        let name = field.text.isEmpty ? "c\(index)" : field.text
        guard seen.insert(name).inserted else {
          throw BodyFault(
            "two columns are called \"\(name.printable(limit: 60))\"", at: field.start, of: scanner.bytes)
        }
        return name
      }
    }
  }
}

extension CSVReader {
  /// The most lines above a header that are looked through (50): a title, an owner, a period.
  private static let linesAboveHeader = 50

  /// Moves the scanner to the first line that has all wanted columns; it stays where it is when no line has them, so that
  /// the error lists the names of the first.
  private func skipLinesAboveHeader(_ scanner: inout CSVScanner) {
    guard layout.skip == 0, let wanted, !wanted.isEmpty else { return }
    var line = scanner
    for _ in 0...Self.linesAboveHeader where !line.isAtEnd {
      var record = line
      // A line above the header need not be valid CSV.
      if let fields = try? record.record(), wanted.isSubset(of: fields.map(\.text)) { return scanner = line }
      line.skipLine()
    }
  }
}

/// The JSON before the value of each column in a row.
private struct CSVColumns {
  let count: Int

  /// The keys, one after the other, and the range of each; empty for a column that is not wanted.
  private var text: [UInt8] = []
  private var places: [Range<Int>] = []

  /// Creates the keys.
  ///
  /// - Parameter wanted: The columns to write; all when one of them is missing, so that the error can list the present
  ///   ones.
  init(_ names: [String], wanted: Set<String>?) {
    count = names.count
    let wanted = wanted.flatMap { $0.isSubset(of: names) ? $0 : nil }
    for name in names {
      let start = text.count
      if wanted.map({ $0.contains(name) }) ?? true {
        if start > 0 { text.append(UInt8(ascii: ",")) }
        text += Array("\(JSONValue.string(name).compact(.plain)):\"".utf8)
      }
      places.append(start..<text.count)
    }
  }

  /// Appends the fields of a row that are wanted, moves the scanner to the next one, and returns the number of fields.
  @inline(__always)
  func append(_ scanner: inout CSVScanner, to output: inout JSONOutput) throws(BodyFault) -> Int {
    var column = 0
    repeat {
      if appendKey(column, to: &output) {
        try scanner.field(into: &output)
        output.append(UInt8(ascii: "\""))
      } else {
        try scanner.skipField()
      }
      column += 1
    } while scanner.skipDelimiter()
    scanner.skipLineEnd()
    return column
  }

  /// Begins the value of a column; returns false for a column that is not wanted, or that the header does not have.
  @inline(__always)
  private func appendKey(_ column: Int, to output: inout JSONOutput) -> Bool {
    guard column < count, !places[column].isEmpty else { return false }
    text.withUnsafeBufferPointer { output.append(UnsafeBufferPointer(rebasing: $0[places[column]])) }
    return true
  }
}
