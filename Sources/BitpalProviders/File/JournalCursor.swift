import BitpalModel
import FoundationEssentials

/// Goes through a line of a journal from word to word.
struct JournalCursor {
  /// What is wrong with a line, and where.
  struct Fault: Error {
    let message: String

    /// In characters, counted from 1.
    let column: Int
  }

  private let bytes: [UInt8]

  /// The place of the next byte.
  private(set) var index = 0

  init(_ line: some Collection<UInt8>) {
    bytes = Array(line)
  }

  var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// - Parameter place: The index of a byte; where the cursor stands when nil.
  func fault(_ message: String, at place: Int? = nil) -> Fault {
    Fault(message: message, column: String(decoding: bytes[..<(place ?? index)], as: UTF8.self).count + 1)
  }

  mutating func skipBlanks() {
    while let current, current.isBlank { index += 1 }
  }

  /// Passes over a character, if it is the next one.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// What stands before the next blank or the end.
  mutating func word() -> String { take { !$0.isBlank } }

  /// What stands before the first byte that does not belong to it.
  mutating func take(while belongs: (UInt8) -> Bool) -> String {
    let start = index
    while let current, belongs(current) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// A name, in quotes or up to the first byte that ends one.
  mutating func name(endingAt isEnd: (UInt8) -> Bool) throws(Fault) -> String {
    let start = index
    guard skip("\"") else { return take { !isEnd($0) } }
    let name = take { $0 != UInt8(ascii: "\"") }
    guard skip("\"") else { throw fault("a quote that is never closed", at: start) }
    return name
  }

  /// The digits and marks of a number; a single blank between digits parts groups of them.
  mutating func numberText() -> String {
    let start = index
    while let current {
      let isGroupMark =
        current == UInt8(ascii: " ") && index > start && bytes[index - 1].isDigit && index + 1 < bytes.count
        && bytes[index + 1].isDigit
      guard current.isDigit || current == UInt8(ascii: ".") || current == UInt8(ascii: ",") || isGroupMark else {
        break
      }
      index += 1
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Whether nothing is left, or only a comment.
  mutating func isAtEnd() -> Bool {
    skipBlanks()
    return current == nil || current == UInt8(ascii: ";")
  }
}

extension UInt8 {
  /// Whether it is one of `0…9`.
  var isDigit: Bool { self &- UInt8(ascii: "0") <= 9 }

  /// Whether it is a space or a tab.
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension Character {
  /// Whether it is one of `0…9`.
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

/// A number as journals write it: `96,000.00`, `96.000,00`, `96 000,5`, `1,00,000.00`.
struct JournalNumber {
  /// Which of the two marks stands before the decimals, where the file says it.
  enum DecimalMark: Character {
    case point = "."
    case comma = ","
  }

  let value: Decimal

  /// - Parameter mark: Nil to tell it by the number, as hledger does.
  /// - Throws: What is wrong, in a clause: a number of which nobody can tell how large it is, too.
  init(_ text: String, decimalMark mark: DecimalMark?) throws(JournalNumberFault) {
    // Nearly all are digits and one point.
    if let plain = Self.plain(text, decimalMark: mark) {
      value = plain
      return
    }
    let marks = text.filter { !$0.isDigit }
    guard text.contains(where: \.isDigit) else { throw JournalNumberFault("there is no number") }
    let decimal = if let mark { mark.rawValue as Character? } else { try Self.decimalMark(of: text, marks) }
    var whole = text
    var fraction = ""
    if let decimal, let place = text.lastIndex(of: decimal) {
      whole = String(text[..<place])
      fraction = String(text[text.index(after: place)...])
    }
    // Every group has digits, and only the whole part has groups.
    let groups = whole.split(omittingEmptySubsequences: false) { !$0.isDigit }
    let isGrouped = groups.count > 1
    guard fraction.allSatisfy(\.isDigit), !isGrouped || groups.allSatisfy({ !$0.isEmpty }),
      decimal.map({ !whole.contains($0) }) ?? true, Set(whole.filter { !$0.isDigit }).count <= 1
    else { throw JournalNumberFault("\"\(text.printable(limit: 40))\" is not a number") }
    let digits = String(whole.filter(\.isDigit).drop { $0 == "0" })
    do throws(DecimalError) {
      value = try Decimal(strict: (digits.isEmpty ? "0" : digits) + (fraction.isEmpty ? "" : "." + fraction))
    } catch {
      throw JournalNumberFault("\(error)")
    }
  }

  private static func plain(_ text: String, decimalMark mark: DecimalMark?) -> Decimal? {
    guard mark != .comma, text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) else { return nil }
    return try? Decimal(strict: text)
  }

  /// Which mark stands before the decimals, as hledger tells it.
  ///
  /// Of both marks the later one; one that comes more than once parts groups; one that comes once is the decimal mark.
  ///
  /// - Throws: For one comma before three digits: ledger reads `1,000` as a thousand, hledger as one.
  private static func decimalMark(of text: String, _ marks: String) throws(JournalNumberFault) -> Character? {
    let kinds = Set(marks).intersection([".", ","])
    if kinds.count == 2 { return marks.last }
    guard let only = kinds.first, marks.filter({ $0 == only }).count == 1 else { return nil }
    let whole = text.prefix { $0 != "," }
    let decimals = text.drop { $0 != "," }.dropFirst()
    if only == ",", decimals.count == 3, (1...3).contains(whole.count) {
      let number = text.printable(limit: 40)
      throw JournalNumberFault(
        "\"\(number)\" is \(number.filter { $0 != "," }) to ledger and \(number.replacing(",", with: ".")) to hledger; "
          + "write it without the comma, with decimals (\(number).00), or declare \"decimal-mark .\" above")
    }
    return only
  }
}

/// Why a text is no number of a journal, in a clause.
struct JournalNumberFault: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}
