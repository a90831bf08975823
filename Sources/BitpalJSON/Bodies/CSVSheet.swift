import BitpalModel

/// A CSV file of the user's from its header on; rows are told by their lines.
///
/// What stands before the header (a title, the account's owner) is passed over.
package struct CSVSheet: Sendable {
  /// A line that may be a header.
  package struct Header: Hashable, Sendable {
    /// The names, without the white space around them; one that is there again has a number (`Cur. 2`), one that is empty
    /// is `c3` by its place.
    package let names: [String]

    /// The line, counted from 1.
    package let line: Int

    /// What stands between fields.
    package let delimiter: UInt8

    /// The byte at which the first row begins, and the line of that.
    fileprivate let end: Int
    fileprivate let endLine: Int
  }

  /// The whole file.
  package let bytes: [UInt8]

  /// Its header.
  package let header: Header

  package init(_ bytes: [UInt8], header: Header) {
    self.bytes = bytes
    self.header = header
  }

  /// The first lines as headers, by each delimiter that makes several fields of them.
  ///
  /// - Throws: ``BodyFault`` for what is no text.
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
    var scanner = CSVScanner(bytes, delimiter: delimiter, from: start)
    for line in 1...max(1, lines) where !scanner.isAtEnd {
      let begin = scanner.index
      // A line before the header need not be CSV.
      if let fields = try? scanner.record(), (2...columnsAtMost).contains(fields.count) {
        let names = distinct(fields.map(\.text))
        let ends = lineEnds(in: bytes, begin..<scanner.index)
        headers.append(
          Header(names: names, line: line, delimiter: delimiter, end: scanner.index, endLine: line + max(1, ends)))
      }
      scanner.index = bytes[begin...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.count
      scanner.skipLineEnd()
    }
    return headers
  }

  /// No export has so many, and what has more is no header: names that are alike are told apart one by one.
  private static let columnsAtMost = 1000

  /// SQLite knows columns by their letters, small or capital.
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

  /// A row as it is read.
  struct Row {
    /// The line on which it begins, counted from 1.
    let line: Int

    /// Its fields, which the scanner makes texts of.
    let fields: [CSVScanner.Content]
    let scanner: CSVScanner
  }

  /// Calls `use` with each row that has as many fields as the header, and `report` with what is wrong with the others.
  func forEachRow(_ use: (Row) -> Void, report: (BodyFault) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var scanner = CSVScanner(bytes, delimiter: header.delimiter, from: header.end)
      var line = header.endLine
      var fields: [CSVScanner.Content] = []
      fields.reserveCapacity(header.names.count)
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
          // A quote that is open has the rest of the file in it.
          guard error.message != BodyFault.openQuote else { return }
          scanner.index =
            bytes[scanner.index...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.count
          scanner.skipLineEnd()
          line += Self.lineEnds(in: bytes, begin..<scanner.index)
          continue
        }
        while fields.count > header.names.count, fields.last?.range.isEmpty == true { fields.removeLast() }
        if fields.count == header.names.count {
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

  /// The first rows as texts; what is not CSV is none.
  package func first(_ most: Int) -> [[String]] {
    var rows: [[String]] = []
    forEachRow(
      { row in if rows.count < most { rows.append(row.fields.map { row.scanner.text(of: $0) }) } }, report: { _ in })
    return rows
  }

  /// The fields of the row that begins on a line, each with its column, counted from 1 in characters.
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

  /// The text of a line, for a caret.
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

extension BodyFault {
  /// What is said of a quote that has no other.
  static let openQuote = "a quote that is never closed"
}

extension String {
  /// The text without the spaces and tabs around it.
  fileprivate var trimmedOfSpaces: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let rest = drop(while: isSpace)
    return String(rest.reversed().drop(while: isSpace).reversed())
  }
}
