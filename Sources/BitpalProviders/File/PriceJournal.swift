import BitpalModel
import FoundationEssentials

/// Reads the price directives of a journal: `P` of ledger and hledger, `price` of Beancount.
///
/// Written after hledger's manual ("Market prices", "Decimal marks"), ledger's ("Commodity price directives") and
/// Beancount's language syntax ("Prices").
struct PriceJournal {
  /// Longer lines are no price directives.
  private static let longestLine = 1000

  func read(_ text: String, into content: inout PriceFileContent) {
    var mark: JournalNumber.DecimalMark?
    var isComment = false
    var number = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      guard let first = line.first else { continue }
      guard !isComment else {
        if Self.isDirective("end comment", line) || Self.isDirective("end test", line) { isComment = false }
        continue
      }
      if Self.isDirective("comment", line) || Self.isDirective("test", line) {
        isComment = true
      } else if Self.isDirective("decimal-mark", line) {
        mark = line.dropFirst("decimal-mark".utf8.count).first { !$0.isBlank }
          .flatMap { JournalNumber.DecimalMark(rawValue: Character(Unicode.Scalar($0))) }
      } else if first == UInt8(ascii: "P") ? line.dropFirst().first?.isBlank == true : Self.isBeancountPrice(line) {
        read(line: line.last == 0x0D ? line.dropLast() : line, number, mark, into: &content)
      }
    }
  }

  private func read(
    line: Substring.UTF8View, _ number: Int, _ mark: JournalNumber.DecimalMark?, into content: inout PriceFileContent
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
        guard !commodity.isEmpty else { throw cursor.fault("what is priced is missing", at: start) }
        let (price, currency) = try Self.amount(&cursor, mark)
        content.add(
          price, of: PriceFileContent.commodity(commodity), in: currency, at: instant, line: number)
      } else if let (instant, commodity) = Self.beancountPrice(&cursor) {
        let (price, currency) = try Self.amount(&cursor, .point)
        content.add(price, of: commodity, in: currency, at: instant, line: number)
      }
    } catch {
      content.report(error.message, line: number, column: error.column, excerpt: String(Substring(line)))
    }
  }

  /// Whether a line is that directive: its words, then nothing or a blank.
  private static func isDirective(_ words: StaticString, _ line: Substring.UTF8View) -> Bool {
    guard line.count >= words.utf8CodeUnitCount, line.first == words.utf8Start.pointee else { return false }
    let isBeginning = words.withUTF8Buffer { line.starts(with: $0) }
    let next = line.dropFirst(words.utf8CodeUnitCount).first
    return isBeginning && (next == nil || next == 0x20 || next == 0x09 || next == 0x0D)
  }

  /// Whether the second word of a line that begins with a digit is `price`.
  private static func isBeancountPrice(_ line: Substring.UTF8View) -> Bool {
    guard line.first?.isDigit == true, let blank = line.firstIndex(where: \.isBlank) else { return false }
    return line[blank...].drop(while: \.isBlank).starts(with: "price".utf8)
  }

  // MARK: Dates

  /// The date and, where there is one, the time: `2025-01-15`, `2025/1/15 12:00:00`, `2025.01.15 12:00`; in UTC.
  private static func instant(_ cursor: inout JournalCursor) throws(JournalCursor.Fault) -> Date {
    cursor.skipBlanks()
    let start = cursor.index
    let text = cursor.word()
    let day: Date
    // Nearly all are written so.
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
    // A time is digits and colons; whatever else follows is what is priced.
    var ahead = cursor
    ahead.skipBlanks()
    let place = ahead.index
    guard ahead.current?.isDigit == true else { return day }
    let clock = ahead.word()
    guard clock.utf8.contains(UInt8(ascii: ":")) else { return day }
    let fields = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(fields.count), let hour = fields[0], (0...23).contains(hour), let minute = fields[1],
      (0...59).contains(minute), let second = fields.count == 3 ? fields[2] : 0, (0...59).contains(second)
    else {
      throw cursor.fault("\"\(clock.printable(limit: 40))\" is not a time; write it like 12:00:00", at: place)
    }
    cursor = ahead
    return day.adding(.seconds(hour * 3600 + minute * 60 + second))
  }

  private static func civilTime(_ parts: [Substring]) -> CivilTime? {
    let numbers = parts.compactMap { part in part.utf8.allSatisfy(\.isDigit) ? Int(part) : nil }
    return numbers.count == 3 ? CivilTime(year: numbers[0], month: numbers[1], day: numbers[2]) : nil
  }

  /// The day and commodity of a price directive of Beancount; nil for any other line, as a transaction that day with a payee
  /// whose name begins with `price`.
  private static func beancountPrice(_ cursor: inout JournalCursor) -> (Date, commodity: String)? {
    let parts = cursor.word().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
    cursor.skipBlanks()
    guard cursor.word() == "price", parts.count == 3, let time = civilTime(parts) else { return nil }
    cursor.skipBlanks()
    let commodity = cursor.word()
    let isCommodity = commodity.utf8.allSatisfy { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte.isDigit || "'._-/".utf8.contains(byte)
    }
    return isCommodity && !commodity.isEmpty ? (time.instant, commodity) : nil
  }

  // MARK: Amounts

  /// A number with its currency before or after it, and nothing behind but a comment.
  private static func amount(
    _ cursor: inout JournalCursor, _ mark: JournalNumber.DecimalMark?
  ) throws(JournalCursor.Fault) -> (price: Decimal, currency: String) {
    cursor.skipBlanks()
    let start = cursor.index
    var isNegative = cursor.skip("-")
    var currency = ""
    if let first = cursor.current, !first.isDigit, !".,".utf8.contains(first) {
      currency = try cursor.name { $0.isDigit || $0.isBlank || "-\"".utf8.contains($0) }
      cursor.skipBlanks()
      isNegative = cursor.skip("-") || isNegative
    }
    let place = cursor.index
    let number: JournalNumber
    do throws(JournalNumberFault) {
      number = try JournalNumber(cursor.numberText(), decimalMark: mark)
    } catch {
      throw cursor.fault(error.message, at: place)
    }
    cursor.skipBlanks()
    if currency.isEmpty { currency = try cursor.name { $0.isBlank || $0 == UInt8(ascii: ";") } }
    guard !currency.isEmpty else { throw cursor.fault("the price has no currency") }
    guard cursor.isAtEnd() else { throw cursor.fault("this belongs to no price") }
    guard number.value > 0, !isNegative else { throw cursor.fault("a price must be above zero", at: start) }
    return (number.value, currency)
  }
}
