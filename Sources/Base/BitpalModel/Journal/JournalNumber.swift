package import FoundationEssentials

/// A number in the notations of journals: `96,000.00`, `96.000,00`, `96 000,5`, `1,00,000.00`.
///
/// A text that hledger 1.25 and ledger 3.3 read as different numbers is an error.
package struct JournalNumber {
  /// A decimal mark, which stands before the decimals.
  package enum DecimalMark: Character, Sendable {
    case point = "."
    case comma = ","

    /// Creates the mark that an example declares, as in `commodity 1.000,00 EUR`.
    ///
    /// It is nil for an example without a mark, and for `1,000`, which declares a comma in hledger and a point in
    /// ledger.
    init?(example: String) {
      let marks = example.filter { !$0.isDigit }
      guard let last = marks.last, let mark = DecimalMark(rawValue: last) else { return nil }
      if marks.filter({ $0 == last }).count > 1 {
        self = mark.other
      } else if marks.count == 1, mark == .comma, JournalNumber.endsInThrees(example, after: last) {
        return nil
      } else {
        self = mark
      }
    }

    var other: DecimalMark { self == .point ? .comma : .point }
  }

  package let value: Decimal

  /// Creates a journal number.
  ///
  /// - Parameters:
  ///   - marks: The mark of each program that may read the file; nil for one that infers it from the number. All of
  ///     them must give the same value.
  ///   - usesCommas: Whether other numbers of the file have a decimal comma, so that `96.000` may be a whole number.
  /// - Throws: ``JournalNumberFault`` for a text that is not a number, or is ambiguous.
  init(_ text: String, decimalMarks marks: [DecimalMark?], usesCommas: Bool) throws(JournalNumberFault) {
    let written = text.filter { !$0.isDigit }
    guard text.count > written.count else { throw JournalNumberFault("the number is missing") }
    // In a number with both marks, every program takes the later one as the decimal mark and ignores declarations.
    let isPlain = written.contains(".") && written.contains(",")
    if isPlain, text.last?.isDigit == false {
      throw JournalNumberFault("\"\(text.printable(limit: 40))\" is not a number")
    }
    var values: Set<Decimal> = []
    for mark in isPlain ? [nil] : marks {
      if mark == nil { try Self.refuseAmbiguous(text, written, usesCommas: usesCommas) }
      values.insert(try Self.value(of: text, written, mark))
    }
    guard let value = values.first, values.count == 1 else {
      let readings = values.map(\.plainText).sorted().joined(separator: " or ")
      throw JournalNumberFault(
        "\"\(text.printable(limit: 40))\" is \(readings) by the directives above; declare \"decimal-mark .\" or \"decimal-mark ,\""
      )
    }
    self.value = value
  }

  private static func value(
    of text: String, _ marks: String, _ mark: DecimalMark?
  ) throws(JournalNumberFault) -> Decimal {
    let decimal = mark ?? inferredMark(marks)
    var (whole, fraction) = (text, "")
    if let decimal, let place = text.lastIndex(of: decimal.rawValue) {
      whole = String(text[..<place])
      fraction = String(text[text.index(after: place)...])
    }
    guard fraction.allSatisfy(\.isDigit), isGrouped(whole), !whole.isEmpty || decimal == .point,
      decimal.map({ !whole.contains($0.rawValue) }) ?? true
    else {
      let rule = mark.map { ", where \"\($0.rawValue)\" stands before decimals" } ?? ""
      throw JournalNumberFault("\"\(text.printable(limit: 40))\" is not a number\(rule)")
    }
    let digits = String(whole.filter(\.isDigit).drop { $0 == "0" })
    do throws(DecimalError) {
      return try Decimal(strict: (digits.isEmpty ? "0" : digits) + (fraction.isEmpty ? "" : "." + fraction))
    } catch {
      throw JournalNumberFault("\(error)")
    }
  }

  /// Returns whether the digits are in groups of three after the first, or in Indian groups, with one mark between all groups.
  private static func isGrouped(_ whole: String) -> Bool {
    let widths = whole.split(omittingEmptySubsequences: false) { !$0.isDigit }.map(\.count)
    guard widths.count > 1 else { return true }
    let inner = Set(widths.dropFirst().dropLast())
    return widths[0] > 0 && widths.last == 3 && Set(whole.filter { !$0.isDigit }).count == 1
      && (inner.isSubset(of: [3]) || inner == [2] && widths[0] <= 2)
  }

  /// Returns the mark before the decimals, as hledger infers it.
  ///
  /// With both marks it is the later one. A single mark is the decimal mark, and a repeated one separates groups.
  private static func inferredMark(_ marks: String) -> DecimalMark? {
    let kinds = marks.compactMap { DecimalMark(rawValue: $0) }
    guard let last = kinds.last else { return nil }
    return kinds.contains(last.other) || kinds.count == 1 ? last : nil
  }

  /// Throws for a number that ledger and hledger read differently.
  ///
  /// - Throws: ``JournalNumberFault`` for a lone comma before three digits, because ledger reads `1,000` as a thousand
  ///   and hledger as one. Also for a lone point before three digits where the file uses decimal commas, because ledger
  ///   reads `1.000` as a thousand after the first of them.
  private static func refuseAmbiguous(
    _ text: String, _ marks: String, usesCommas: Bool
  ) throws(JournalNumberFault) {
    guard marks == "," || marks == "." && usesCommas, let mark = marks.first, endsInThrees(text, after: mark) else {
      return
    }
    let number = text.printable(limit: 40)
    let (whole, decimal) = (number.replacing(marks, with: ""), number.replacing(marks, with: "."))
    throw JournalNumberFault(
      marks == ","
        ? "\"\(number)\" is \(whole) to ledger and \(decimal) to hledger; write it without the comma, with decimals "
          + "(\(number).00), or declare \"decimal-mark .\" above"
        : "\"\(number)\" may be \(whole) or \(decimal), since the file uses decimal commas; declare \"decimal-mark ,\" or "
          + "\"decimal-mark .\" above")
  }

  /// Returns whether the number of digits after the last mark is a multiple of three, and not 0.
  static func endsInThrees(_ text: String, after mark: Character) -> Bool {
    let decimals = text.reversed().prefix { $0 != mark }.count
    return decimals > 0 && decimals % 3 == 0
  }
}

/// An error that says, in a clause, why a text is not a number of a journal.
package struct JournalNumberFault: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

extension Character {
  /// Whether the character is one of `0…9`.
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
