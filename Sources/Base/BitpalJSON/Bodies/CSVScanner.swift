/// A scanner that reads CSV field by field.
struct CSVScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  var index: Int
  let delimiter: UInt8

  /// Whether a field may contain NUL, as a note in a file that bitpal wrote may.
  private let allowsNUL: Bool

  /// The bytes that end a field without quotes, are forbidden in it, or need an escape in JSON.
  private let special: ASCIISet

  private static let quote = UInt8(ascii: "\"")
  private static let feed = UInt8(ascii: "\n")
  private static let carriage = UInt8(ascii: "\r")

  init(_ bytes: UnsafeBufferPointer<UInt8>, delimiter: UInt8, from start: Int, allowsNUL: Bool = false) {
    self.bytes = bytes
    self.allowsNUL = allowsNUL
    self.delimiter = delimiter
    index = start
    var special = ASCIISet("\"\\").union(.controls)
    special.insert(delimiter)
    self.special = special
  }

  /// Creates a scanner of a whole table; a first line `sep=;` sets the delimiter, as in spreadsheets.
  init(_ bytes: UnsafeBufferPointer<UInt8>, delimiter: UInt8, fromTop start: Int) {
    let mark = Array("sep=".utf8)
    let line = bytes[start...].prefix { $0 != Self.feed && $0 != Self.carriage }
    guard line.count == mark.count + 1, line.starts(with: mark), let separator = line.last, separator < 0x80 else {
      self.init(bytes, delimiter: delimiter, from: start)
      return
    }
    self.init(bytes, delimiter: separator, from: line.endIndex)
    skipLineEnd()
  }

  var isAtEnd: Bool { index >= bytes.count }

  /// Skips the rest of a line as it is, whatever stands in it.
  mutating func skipLine() {
    index = bytes[index...].firstIndex { $0 == Self.feed || $0 == Self.carriage } ?? bytes.count
    skipLineEnd()
  }

  /// Skips an empty line, unless it is a row: an empty field in a table of a single column.
  @inline(__always)
  mutating func skipEmptyLine(isRow: Bool) -> Bool {
    guard !isRow, index < bytes.count, bytes[index] == Self.feed || bytes[index] == Self.carriage else { return false }
    skipLineEnd()
    return true
  }

  /// Skips a delimiter; returns false when there is none.
  @inline(__always)
  mutating func skipDelimiter() -> Bool {
    guard index < bytes.count, bytes[index] == delimiter else { return false }
    index += 1
    return true
  }

  /// Skips a line end of any kind.
  @inline(__always)
  mutating func skipLineEnd() {
    if index < bytes.count, bytes[index] == Self.carriage { index += 1 }
    if index < bytes.count, bytes[index] == Self.feed { index += 1 }
  }

  /// Returns the fields of a whole record, each with its offset.
  ///
  /// - Throws: ``BodyFault`` for quotes or a NUL that RFC 4180 does not allow.
  mutating func record() throws(BodyFault) -> [(text: String, start: Int)] {
    var fields: [(text: String, start: Int)] = []
    repeat {
      let start = index
      fields.append((text(of: try content()), start))
    } while skipDelimiter()
    skipLineEnd()
    return fields
  }

  /// Returns the text of a field, its doubled quotes resolved.
  func text(of content: Content) -> String {
    let text = UnsafeBufferPointer(rebasing: bytes[content.range])
    guard content.hasDoubledQuotes else { return String(decoding: text, as: UTF8.self) }
    // By bytes: a quote and a combining mark after it are one character.
    var plain: [UInt8] = []
    var isSecond = false
    for byte in text {
      isSecond = byte == Self.quote && !isSecond
      if byte != Self.quote || isSecond { plain.append(byte) }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  /// Returns the part of a field without the spaces and tabs around it.
  func trimmed(_ content: Content) -> Range<Int> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var range = content.range
    while let first = range.first, isSpace(bytes[first]) { range.removeFirst() }
    while let last = range.last, isSpace(bytes[last]) { range.removeLast() }
    return range
  }

  /// Skips a field.
  ///
  /// - Throws: ``BodyFault`` for quotes or a NUL that RFC 4180 does not allow.
  @inline(__always)
  mutating func skipField() throws(BodyFault) {
    _ = try content()
  }

  /// Appends a field to the JSON string that `output` is writing.
  ///
  /// - Throws: ``BodyFault`` for quotes or a NUL that RFC 4180 does not allow.
  @inline(__always)
  mutating func field(into output: inout JSONOutput) throws(BodyFault) {
    let content = try content()
    let text = UnsafeBufferPointer(rebasing: bytes[content.range])
    if content.isPlain { output.append(text) } else { Self.append(text, content.hasDoubledQuotes, to: &output) }
  }

  private static func append(
    _ text: UnsafeBufferPointer<UInt8>, _ hasDoubledQuotes: Bool, to output: inout JSONOutput
  ) {
    guard hasDoubledQuotes else { return output.appendEscaped(text) }
    var rest = text
    while let end = rest.firstIndex(of: quote) {
      output.appendEscaped(UnsafeBufferPointer(rebasing: rest[...end]))
      rest = UnsafeBufferPointer(rebasing: rest[min(end + 2, rest.count)...])
    }
    output.appendEscaped(rest)
  }

  /// The content of a field, without its outer quotes.
  struct Content {
    let range: Range<Int>
    var hasDoubledQuotes = false

    /// Whether a JSON string can hold it without escapes.
    var isPlain = false
  }

  /// Reads the content of a field, and moves to its end.
  ///
  /// - Throws: ``BodyFault`` for quotes or a NUL that RFC 4180 does not allow.
  @inline(__always)
  mutating func content() throws(BodyFault) -> Content {
    let start = index
    while index < bytes.count, !special.contains(bytes[index]) { index += 1 }
    if index == bytes.count || bytes[index] == delimiter || bytes[index] == Self.feed || bytes[index] == Self.carriage {
      return Content(range: start..<index, isPlain: true)
    }
    return try oddContent(from: start)
  }

  /// Reads a field with quotes, or with bytes that JSON escapes.
  @inline(never)
  private mutating func oddContent(from start: Int) throws(BodyFault) -> Content {
    if bytes[start] == Self.quote { return try quoted(from: start) }
    while index < bytes.count {
      switch bytes[index] {
      case delimiter, Self.feed, Self.carriage: return Content(range: start..<index)
      case Self.quote:
        throw fault("a quote inside a field that does not begin with one; it must be \"like \"\"this\"\"\"")
      case 0 where !allowsNUL: throw fault("a NUL; is this UTF-16?")
      default: index += 1
      }
    }
    return Content(range: start..<index)
  }

  private mutating func quoted(from open: Int) throws(BodyFault) -> Content {
    index = open + 1
    var hasDoubledQuotes = false
    while index < bytes.count {
      let byte = bytes[index]
      guard byte != 0 || allowsNUL else { throw fault("a NUL; is this UTF-16?") }
      index += 1
      guard byte == Self.quote else { continue }
      if index < bytes.count, bytes[index] == Self.quote {
        hasDoubledQuotes = true
        index += 1
        continue
      }
      guard index == bytes.count || [delimiter, Self.feed, Self.carriage].contains(bytes[index]) else {
        throw fault("text after the closing quote of a field")
      }
      return Content(range: (open + 1)..<(index - 1), hasDoubledQuotes: hasDoubledQuotes)
    }
    index = open
    throw BodyFault("a quote that is never closed", at: index, of: bytes, isOpenEnded: true)
  }

  private func fault(_ message: String) -> BodyFault { BodyFault(message, at: index, of: bytes) }
}
