import BitpalModel
import FoundationEssentials

/// A reader of the price directives of a journal: `P` of ledger and hledger, `price` of Beancount.
///
/// Written after hledger's manual ("Market prices", "Decimal marks"), ledger's ("Commodity price directives") and
/// Beancount's language syntax ("Prices").
struct PriceJournal {
  /// The most bytes of a price directive; a longer line is a fault.
  private static let longestLine = 1000

  func read(_ text: String, into content: inout PriceFileContent) {
    let marks = JournalMarks(usesCommas: JournalMarks.usesCommas(text))
    read(Substring(text).utf8, after: 0, marks, BeancountStrings(), into: &content)
  }

  /// Reads a part of a journal.
  ///
  /// - Parameters:
  ///   - text: The text, which begins with a whole line.
  ///   - before: The number of lines before the text.
  ///   - declared: The decimal marks declared before the text.
  ///   - strings: The strings of Beancount; nil to read their content as lines too.
  ///   - content: The content to which prices and faults are added.
  private func read(
    _ text: Substring.UTF8View, after before: Int, _ declared: JournalMarks, _ strings: BeancountStrings?,
    into content: inout PriceFileContent
  ) {
    var (number, state) = (before, State(marks: declared, strings: strings))
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      guard let first = line.first else { continue }
      let isPrice = first == UInt8(ascii: "P") ? line.dropFirst().first?.isBlank == true : Self.isBeancountPrice(line)
      if state.isInComment(line, isPrice) || state.isInString(line, isPrice, number, &content) { continue }
      if Self.isDirective("comment", line) || Self.isDirective("test", line) {
        state.comment = (number, 0)
      } else if isPrice {
        read(line: line.last == 0x0D ? line.dropLast() : line, number, state.marks, into: &content)
      } else if first.isBlank, Self.isIndentedPrice(line) {
        content.report(
          "a price directive begins in the first column", line: number, column: 1, excerpt: String(Substring(line)))
      } else {
        state.read(line, rest: text[line.endIndex...].dropFirst())
      }
    }
    if state.strings?.isOpen == true, let opening = state.opening {
      // A quote that is never closed does not begin a string.
      let rest = opening.text.isEmpty ? 1 : opening.text.count { $0 == UInt8(ascii: "\n") } + 1
      read(opening.text, after: number - rest, opening.marks, nil, into: &content)
    }
    if let comment = state.comment, comment.prices > 0 {
      content.report(
        "the comment that begins here never ends; prices in it: \(comment.prices)", line: comment.line, column: 1,
        excerpt: nil)
    }
  }

  /// The decimal marks, the open comment and the open string at a line, by the lines before it.
  private struct State {
    var marks: JournalMarks

    /// The strings of Beancount; nil to read their content as lines too.
    var strings: BeancountStrings?

    /// The line on which an open comment begins, and the prices in it.
    var comment: (line: Int, prices: Int)?

    /// The text after the line on which a string begins, which is read again if that string never ends.
    var opening: (text: Substring.UTF8View, marks: JournalMarks, prices: [Int])?

    /// Returns whether a line is in a comment, or ends it.
    mutating func isInComment(_ line: Substring.UTF8View, _ isPrice: Bool) -> Bool {
      guard let open = comment else { return false }
      let isEnd = PriceJournal.isDirective("end comment", line) || PriceJournal.isDirective("end test", line)
      comment = isEnd ? nil : (open.line, open.prices + (isPrice ? 1 : 0))
      return true
    }

    /// Returns whether a line begins in a string, whose prices are reported when it ends.
    mutating func isInString(
      _ line: Substring.UTF8View, _ isPrice: Bool, _ number: Int, _ content: inout PriceFileContent
    ) -> Bool {
      guard strings?.isOpen == true else { return false }
      if isPrice { opening?.prices.append(number) }
      strings?.read(line)
      if strings?.isOpen == false, let open = opening {
        for line in open.prices { content.report(PriceJournal.insideString, line: line, column: 1, excerpt: nil) }
      }
      return true
    }

    /// Reads a line that may declare a decimal mark or begin a string; `rest` is the text after it.
    mutating func read(_ line: Substring.UTF8View, rest: Substring.UTF8View) {
      marks.read(line)
      strings?.read(line)
      if strings?.isOpen == true { opening = (rest, marks, []) }
    }
  }

  private static let insideString = "the price stands in a string of Beancount"

  private func read(
    line: Substring.UTF8View, _ number: Int, _ marks: JournalMarks, into content: inout PriceFileContent
  ) {
    guard line.count <= Self.longestLine else {
      return content.report(
        "the line is longer than \(Self.longestLine) bytes", line: number, column: nil, excerpt: nil)
    }
    do throws(JournalCursor.Fault) {
      var cursor = JournalCursor(line)
      if cursor.skip("P") {
        let instant = try Self.instant(&cursor)
        cursor.skipBlanks()
        let start = cursor.index
        let commodity = try cursor.name(endingAt: \.isBlank)
        guard !commodity.isEmpty else { throw cursor.fault("the commodity is missing", at: start) }
        let (price, currency) = try JournalAmount.price(&cursor, marks)
        content.add(
          price, of: PriceFileContent.commodity(commodity), in: currency, at: instant, line: number)
      } else if let (instant, commodity) = try Self.beancountPrice(&cursor) {
        let (price, currency) = try JournalAmount.price(&cursor, nil)
        content.add(price, of: commodity, in: currency, at: instant, line: number)
      }
    } catch {
      content.report(error.message, line: number, column: error.column, excerpt: String(Substring(line)))
    }
  }

  /// Returns whether a line begins with the words of a directive, followed by nothing or a blank.
  private static func isDirective(_ words: StaticString, _ line: Substring.UTF8View) -> Bool {
    guard line.count >= words.utf8CodeUnitCount, line.first == words.utf8Start.pointee else { return false }
    let isBeginning = words.withUTF8Buffer { line.starts(with: $0) }
    let next = line.dropFirst(words.utf8CodeUnitCount).first
    return isBeginning && (next == nil || next == 0x20 || next == 0x09 || next == 0x0D)
  }

  /// Returns whether the second word of a line that begins with a digit is `price`.
  private static func isBeancountPrice(_ line: Substring.UTF8View) -> Bool {
    guard line.first?.isDigit == true, let blank = line.firstIndex(where: \.isBlank) else { return false }
    return line[blank...].drop(while: \.isBlank).starts(with: "price".utf8)
  }

  /// Returns whether a line has `P`, blanks and a digit after optional blanks, as an indented price directive has.
  private static func isIndentedPrice(_ line: Substring.UTF8View) -> Bool {
    let words = line.drop(while: \.isBlank)
    guard words.first == UInt8(ascii: "P"), words.dropFirst().first?.isBlank == true else { return false }
    return words.dropFirst().drop(while: \.isBlank).first?.isDigit == true
  }

  // MARK: Dates

  /// Reads a date with an optional time in UTC: `2025-01-15`, `2025/1/15 12:00:00`, `2025.01.15 12:00`.
  ///
  /// - Throws: ``JournalCursor/Fault`` for a text that is not a date, or a time out of range.
  private static func instant(_ cursor: inout JournalCursor) throws(JournalCursor.Fault) -> Date {
    cursor.skipBlanks()
    let start = cursor.index
    let text = cursor.word()
    let day: Date
    // Nearly all dates have this form, which is parsed faster.
    if text.utf8.count == 10, let plain = Date(utcText: text) {
      day = plain
    } else {
      let parts = text.split(omittingEmptySubsequences: false) { "-/.".contains($0) }
      if parts.count == 2 { throw cursor.fault("the date \"\(text.printable(limit: 40))\" has no year", at: start) }
      guard parts.count == 3, parts[0].count == 4, let time = civilTime(parts) else {
        throw cursor.fault("\"\(text.printable(limit: 40))\" is not a date; write it like 2025-01-15", at: start)
      }
      day = time.instant
    }
    // A word of digits and colons is a time; any other word is the commodity.
    var ahead = cursor
    ahead.skipBlanks()
    let place = ahead.index
    guard ahead.current?.isDigit == true else { return day }
    let clock = ahead.word()
    guard clock.utf8.contains(UInt8(ascii: ":")) else { return day }
    // ledger reads an offset behind the time: 22:00:00-0800.
    let mark = clock.firstIndex { "+-Z".contains($0) } ?? clock.endIndex
    let offset = clock[mark...].isEmpty ? 0 : Self.offset(clock[mark...])
    let fields = clock[..<mark].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard let offset, (2...3).contains(fields.count), let hour = fields[0], (0...23).contains(hour),
      let minute = fields[1], (0...59).contains(minute), let second = fields.count == 3 ? fields[2] : 0,
      (0...59).contains(second)
    else {
      throw cursor.fault("\"\(clock.printable(limit: 40))\" is not a time; write it like 12:00:00", at: place)
    }
    cursor = ahead
    return day.adding(.seconds(hour * 3600 + minute * 60 + second - offset))
  }

  /// Returns the seconds ahead of UTC of `Z`, `+01`, `-0800` or `+05:30`; nil for any other text.
  private static func offset(_ text: Substring) -> Int? {
    if text == "Z" { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let sign = ["+": 1, "-": -1][text.prefix(1)], digits.count == 2 || digits.count == 4,
      digits.utf8.allSatisfy(\.isDigit), let hours = Int(digits.prefix(2)), hours <= 15,
      let minutes = digits.count == 4 ? Int(digits.suffix(2)) : 0, minutes <= 59
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  private static func civilTime(_ parts: [Substring]) -> CivilTime? {
    let numbers = parts.compactMap { part in part.utf8.allSatisfy(\.isDigit) ? Int(part) : nil }
    return numbers.count == 3 ? CivilTime(year: numbers[0], month: numbers[1], day: numbers[2]) : nil
  }

  /// Returns the day and commodity of a price directive of Beancount; nil for any other line.
  ///
  /// Such a line is a transaction whose payee begins with `price`.
  ///
  /// - Throws: ``JournalCursor/Fault`` for a name that is not a commodity of Beancount, with an amount after it.
  private static func beancountPrice(
    _ cursor: inout JournalCursor
  ) throws(JournalCursor.Fault) -> (Date, commodity: String)? {
    let parts = cursor.word().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
    cursor.skipBlanks()
    guard cursor.word() == "price", parts.count == 3, let time = civilTime(parts) else { return nil }
    cursor.skipBlanks()
    let start = cursor.index
    let commodity = cursor.word()
    let isCommodity = commodity.utf8.allSatisfy { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte.isDigit || "'._-/".utf8.contains(byte)
    }
    if isCommodity && !commodity.isEmpty { return (time.instant, commodity) }
    var ahead = cursor
    guard (try? JournalAmount.price(&ahead, nil)) != nil else { return nil }
    throw cursor.fault(
      "\"\(commodity.printable(limit: 40))\" is not a commodity of Beancount; write it in capitals", at: start)
  }
}
