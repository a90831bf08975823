import BitpalModel

/// A CSV file of the user's from its header on; rows are identified by their lines.
///
/// Lines before the header, such as a title or the account's owner, are skipped.
package struct CSVSheet: Sendable {
  /// A line that may be a header.
  package struct Header: Hashable, Sendable {
    /// The names, without surrounding spaces and tabs; a repeated name gets a number (`Cur. 2`), an empty one its
    /// position (`c3`).
    package let names: [String]

    /// The line, counted from 1.
    package let line: Int

    /// The number of lines above it, without a line `sep=;` at the top.
    package let above: Int

    /// The delimiter of the fields.
    package let delimiter: UInt8

    /// The byte at which the first row begins, and the line of that byte.
    fileprivate let end: Int
    fileprivate let endLine: Int

    /// Returns whether the file names the column at an index.
    package func isNamed(_ index: Int) -> Bool { names[index] != "c\(index)" }

    /// The indices of the columns by their names in lower case, with and without the zone of their times in parentheses.
    private let indices: [String: Int]

    fileprivate init(names: [String], line: Int, above: Int, delimiter: UInt8, end: Int, endLine: Int) {
      (self.names, self.line, self.above, self.delimiter) = (names, line, above, delimiter)
      (self.end, self.endLine) = (end, endLine)
      let own = names.enumerated().map { ($1.lowercased(), $0) }
      let bare = own.lazy.filter { $0.0.hasSuffix(")") }
        .map {
          ($0.0.replacing(/\s*\((?:utc|gmt)(?:\/(?:utc|gmt))?\s*(?:[+−-]\s*\d{1,2}(?::?\d{2})?)?\)$/, with: ""), $0.1)
        }
      indices = Dictionary(own + bare) { first, _ in first }
    }

    /// Returns the index of a column by its name in any letter case, or else by its name without the zone of its times, as
    /// `Filled Time` is that of `Filled Time(UTC+02:00)`; nil where the file has neither.
    package func index(of column: String) -> Int? { indices[column.lowercased()] }

    /// Returns the names of the columns that are none of some, as ``index(of:)`` finds them.
    package func names(without columns: some Sequence<String>) -> [String] {
      let left = Set(columns.compactMap(index))
      return names.indices.filter { !left.contains($0) }.map { names[$0] }
    }
  }

  /// The bytes of the whole file.
  package let bytes: [UInt8]

  /// The header of the table.
  package let header: Header

  package init(_ bytes: [UInt8], header: Header) {
    self.bytes = bytes
    self.header = header
  }

  /// Returns the first lines as possible headers, by each delimiter that splits them into several fields.
  ///
  /// - Throws: ``BodyFault`` for bytes that are not UTF-8 text.
  package static func headers(
    in bytes: [UInt8], within lines: Int, delimiters: [UInt8]
  ) throws(BodyFault) -> [Header] {
    let result = bytes.withUnsafeBufferPointer { bytes -> Result<[Header], BodyFault> in
      do throws(BodyFault) {
        let start = try BodyFault.checkUTF8(bytes)
        if let place = bytes.firstIndex(of: 0) { throw BodyFault("a NUL; is this UTF-16?", at: place, of: bytes) }
        return .success(delimiters.flatMap { headers(in: bytes, from: start, within: lines, $0) })
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func headers(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, within lines: Int, _ delimiter: UInt8
  ) -> [Header] {
    var headers: [Header] = []
    var scanner = CSVScanner(bytes, delimiter: delimiter, fromTop: start)
    guard scanner.delimiter == delimiter else { return [] }
    let first = scanner.index == start ? 1 : 2
    for line in first..<first + max(1, lines) where !scanner.isAtEnd {
      let begin = scanner.index
      // A line before the header need not be valid CSV.
      if let fields = try? scanner.record(), (2...columnsAtMost).contains(fields.count) {
        let names = distinct(fields.map(\.text))
        let ends = lineEnds(in: bytes, begin..<scanner.index)
        headers.append(
          Header(
            names: names, line: line, above: line - first, delimiter: delimiter, end: scanner.index,
            endLine: line + max(1, ends)))
      }
      scanner.index = begin
      scanner.skipLine()
    }
    return headers
  }

  /// The most columns of a header, more than any export has: making names distinct takes time for each of them.
  private static let columnsAtMost = 1000

  /// Returns the names made distinct without regard to case, as SQLite compares column names.
  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.enumerated().map { index, text in
      let name = text.trimmedOfSpaces.isEmpty ? "c\(index)" : text.trimmedOfSpaces
      var unique = name
      var number = 2
      while !seen.insert(unique.lowercased()).inserted {
        unique = "\(name) \(number)"
        number += 1
      }
      return unique
    }
  }

  /// Returns the number of line ends in a range; CR and LF together count as one.
  fileprivate static func lineEnds(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
    var count = 0
    for index in range {
      if bytes[index] == UInt8(ascii: "\n") {
        count += 1
      } else if bytes[index] == UInt8(ascii: "\r"), index + 1 >= bytes.count || bytes[index + 1] != UInt8(ascii: "\n") {
        count += 1
      }
    }
    return count
  }

  /// A row with its fields unread.
  struct Row {
    /// The line on which it begins, counted from 1.
    let line: Int

    /// The contents of its fields, from which the scanner makes texts.
    let fields: [CSVScanner.Content]
    let scanner: CSVScanner
  }

  /// Calls `use` with each row that has as many fields as the header, and `report` with the fault of each other row.
  ///
  /// A row that ends early is read as if the rest were empty where it is empty in every whole row, as spreadsheets write it; the last
  /// line must have an end, without which a download may have stopped within a number.
  /// Rows of empty fields alone, which spreadsheets leave behind, do not count, nor does the header between the rows of files
  /// that were joined.
  func forEachRow(_ use: (Row) -> Void, report: (BodyFault) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var scanner = CSVScanner(bytes, delimiter: header.delimiter, from: header.end)
      var line = header.endLine
      var fields: [CSVScanner.Content] = []
      fields.reserveCapacity(header.names.count)
      var filled: Int?
      while !scanner.isAtEnd {
        if scanner.skipEmptyLine(isRow: false) {
          line += 1
          continue
        }
        let begin = scanner.index
        fields.removeAll(keepingCapacity: true)
        do throws(BodyFault) {
          repeat { fields.append(try scanner.content()) } while scanner.skipDelimiter()
          scanner.skipLineEnd()
        } catch {
          report(error)
          guard !error.isOpenEnded else { return }
          scanner.skipLine()
          line += Self.lineEnds(in: bytes, begin..<scanner.index)
          continue
        }
        while fields.count > header.names.count, fields.last?.range.isEmpty == true { fields.removeLast() }
        if fields.count < header.names.count { pad(&fields, endingAt: scanner.index, of: bytes, &filled) }
        if fields.allSatisfy({ scanner.trimmed($0).isEmpty }) {
          // Nothing is in it.
        } else if isHeader(fields, scanner) {
          // Another file begins.
        } else if fields.count == header.names.count {
          use(Row(line: line, fields: fields, scanner: scanner))
        } else {
          let count = fields.count
          report(
            BodyFault(
              "\(count) \(count == 1 ? "field" : "fields") where the header has \(header.names.count)", line: line))
        }
        line += Self.lineEnds(in: bytes, begin..<scanner.index)
      }
    }
  }

  /// Adds the fields that a row lacks at its end, where its line has an end and no whole row has anything in them.
  private func pad(
    _ fields: inout [CSVScanner.Content], endingAt end: Int, of bytes: UnsafeBufferPointer<UInt8>, _ filled: inout Int?
  ) {
    guard [0x0A, 0x0D].contains(bytes[end - 1]) else { return }
    let least = filled ?? columnsFilled(in: bytes)
    filled = least
    guard fields.count >= least else { return }
    fields += repeatElement(
      CSVScanner.Content(range: end..<end, isPlain: true), count: header.names.count - fields.count)
  }

  /// Returns the number of columns up to the last one that is filled in some whole row.
  ///
  /// Without a whole row, the last column with a name counts, because a header may end in a delimiter.
  private func columnsFilled(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var scanner = CSVScanner(bytes, delimiter: header.delimiter, from: header.end)
    var filled: Int?
    while !scanner.isAtEnd {
      guard let fields = try? scanner.record() else {
        scanner.skipLine()
        continue
      }
      if fields.count >= header.names.count {
        filled = max(filled ?? 0, (fields.lastIndex { !$0.text.trimmedOfSpaces.isEmpty } ?? -1) + 1)
      }
    }
    return filled ?? (header.names.indices.last(where: header.isNamed) ?? -1) + 1
  }

  /// The fault of the first row that is not valid; nil for none.
  package var firstFault: BodyFault? {
    var first: BodyFault?
    forEachRow({ _ in }, report: { first = first ?? $0 })
    return first
  }

  private func isHeader(_ fields: [CSVScanner.Content], _ scanner: CSVScanner) -> Bool {
    // The first name, as bytes, decides of nearly every row.
    guard fields.count == header.names.count, let first = fields.first, let name = header.names.first,
      first.hasDoubledQuotes || scanner.bytes[scanner.trimmed(first)].elementsEqual(name.utf8)
    else { return false }
    return Self.distinct(fields.map { scanner.text(of: $0) }) == header.names
  }

  /// The lines above the header.
  package var linesAbove: [String] { (1..<header.line).map(text(ofLine:)) }

  /// Returns the first rows as texts, without those that are not valid CSV.
  package func first(_ most: Int) -> [[String]] {
    var rows: [[String]] = []
    forEachRow(
      { row in if rows.count < most { rows.append(row.fields.map { row.scanner.text(of: $0) }) } }, report: { _ in })
    return rows
  }

  /// Returns the fields of the row that begins on a line, each with its column in characters, counted from 1.
  package func fields(ofLine line: Int) -> [(text: String, column: Int)] {
    bytes.withUnsafeBufferPointer { bytes in
      guard let start = start(ofLine: line, in: bytes) else { return [] }
      var scanner = CSVScanner(bytes, delimiter: header.delimiter, from: start)
      let fields = (try? scanner.record()) ?? []
      return fields.map { field in
        (field.text, bytes[start..<field.start].reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 })
      }
    }
  }

  /// Returns the text of a line, to be shown above a caret.
  package func text(ofLine line: Int) -> String {
    bytes.withUnsafeBufferPointer { bytes in
      guard let start = start(ofLine: line, in: bytes) else { return "" }
      let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.count
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
  }

  private func start(ofLine wanted: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var line = header.endLine
    var index = header.end
    if wanted < line {
      line = 1
      index = bytes.starts(with: BodyFault.byteOrderMark) ? BodyFault.byteOrderMark.count : 0
    }
    while line < wanted, index < bytes.count {
      guard let end = bytes[index...].firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
        return nil
      }
      index = end + 1
      if bytes[end] == UInt8(ascii: "\r"), index < bytes.count, bytes[index] == UInt8(ascii: "\n") { index += 1 }
      line += 1
    }
    return line == wanted ? index : nil
  }
}

extension String {
  /// The text without the spaces and tabs around it.
  fileprivate var trimmedOfSpaces: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let rest = drop(while: isSpace)
    return String(rest.reversed().drop(while: isSpace).reversed())
  }
}
