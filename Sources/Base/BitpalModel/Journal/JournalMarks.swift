package import FoundationEssentials

/// The decimal marks that a journal has declared so far, with `decimal-mark`, `commodity`, `format` and `D`.
///
/// Written after hledger's manual ("Decimal marks", "D directive") and ledger's ("Command Directives").
package struct JournalMarks: Sendable {
  package typealias Mark = JournalNumber.DecimalMark

  /// Whether some number of the journal has a comma that can only be a decimal mark.
  package var usesCommas: Bool
  private var ofFile: Mark?
  private var ofCommodity: [String: Mark] = [:]

  /// The mark of the last `D`, which hledger uses for every commodity without its own mark.
  private var ofDefault: Mark?

  /// The marks of the commodities that a `D` names, which ledger uses for these commodities alone.
  private var ofDefaultCommodity: [String: Mark] = [:]

  /// Whether an indented line belongs to a `commodity` directive.
  private var isInCommodity = false

  /// Creates the marks before the first line.
  package init(usesCommas: Bool) {
    self.usesCommas = usesCommas
  }

  /// Returns the decimal mark of a commodity in each program; nil for a program that infers it from the number.
  package func marks(of commodity: String) -> [Mark?] {
    if let ofFile { return [ofFile] }
    let named = ofDefaultCommodity[commodity]
    if let own = ofCommodity[commodity] { return named.map { $0 == own } ?? true ? [own] : [own, named] }
    guard let ofDefault else { return [nil] }
    if named == ofDefault || ofDefault == .point && named == nil {
      return usesCommas && ofDefault == .point ? [.point, nil] : [ofDefault]
    }
    return [ofDefault, named == .comma ? .comma : nil]
  }

  /// Reads a line, and keeps the mark that it declares, if any.
  package mutating func read(_ line: Substring.UTF8View) {
    guard let first = line.first else { return }
    var cursor = JournalCursor(line)
    if first.isBlank {
      guard isInCommodity else { return }
      cursor.skipBlanks()
      if cursor.word() == "format", let (mark, commodity) = Self.declaration(&cursor) { ofCommodity[commodity] = mark }
      return
    }
    isInCommodity = false
    switch first {
    case UInt8(ascii: "c"):
      guard cursor.word() == "commodity" else { return }
      isInCommodity = true
      if let (mark, commodity) = Self.declaration(&cursor) { ofCommodity[commodity] = mark }
    case UInt8(ascii: "D"):
      guard cursor.word() == "D", let (mark, commodity) = Self.declaration(&cursor) else { return }
      ofDefaultCommodity[commodity] = mark
      ofDefault = mark
    case UInt8(ascii: "d"):
      guard cursor.word() == "decimal-mark" else { return }
      cursor.skipBlanks()
      ofFile = cursor.current.flatMap { Mark(rawValue: Character(Unicode.Scalar($0))) }
    default: break
    }
  }

  /// Returns the mark of an example such as `1.000,00 EUR`, and its commodity.
  private static func declaration(_ cursor: inout JournalCursor) -> (Mark, String)? {
    cursor.skipBlanks()
    guard let amount = try? JournalAmount(&cursor), let mark = Mark(example: amount.number) else { return nil }
    return (mark, amount.commodity)
  }

  /// Returns whether a number of a journal has a comma that can only be a decimal mark: `0,5`, `1.000,00`.
  package static func usesCommas(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: ",")) else { return false }
    return text.utf8.split(separator: UInt8(ascii: "\n")).contains { line in
      guard let first = line.first, first.isBlank || "PDc".utf8.contains(first),
        line.contains(UInt8(ascii: ","))
      else { return false }
      return line.prefix { $0 != UInt8(ascii: ";") }.split { !$0.isDigit && !",.".utf8.contains($0) }
        .contains(where: hasDecimalComma)
    }
  }

  private static func hasDecimalComma(_ number: Substring.UTF8View) -> Bool {
    guard number.first?.isDigit == true, let comma = number.firstIndex(of: UInt8(ascii: ",")) else { return false }
    let decimals = number[comma...].dropFirst()
    let isLast = !decimals.isEmpty && decimals.allSatisfy(\.isDigit)
    return isLast && (number[..<comma].contains(UInt8(ascii: ".")) || decimals.count % 3 != 0)
  }
}

/// A number with its commodity before or after it, as it is written in a journal.
package struct JournalAmount {
  /// The digits and marks of the number, as written.
  let number: String

  /// The index of the number's first byte in the line.
  let place: Int
  let isNegative: Bool

  /// The commodity; empty where the line names none.
  let commodity: String

  /// Creates a journal amount.
  ///
  /// - Throws: ``JournalCursor/Fault`` for a quote that is never closed.
  package init(_ cursor: inout JournalCursor) throws(JournalCursor.Fault) {
    var isNegative = cursor.skip("-")
    var commodity = ""
    if let first = cursor.current, !first.isDigit, !".,".utf8.contains(first) {
      commodity = try cursor.name { $0.isDigit || $0.isBlank || "-\"".utf8.contains($0) }
      cursor.skipBlanks()
      isNegative = cursor.skip("-") || isNegative
    }
    place = cursor.index
    number = cursor.numberText()
    cursor.skipBlanks()
    if commodity.isEmpty, !number.isEmpty {
      commodity = try cursor.name { $0.isBlank || $0 == UInt8(ascii: ";") }
    }
    self.isNegative = isNegative
    self.commodity = commodity
  }
}

extension JournalAmount {
  /// Returns a price above zero with its currency before or after it, at the end of the line or before a comment.
  ///
  /// - Parameters:
  ///   - cursor: The cursor before the amount.
  ///   - marks: The declared decimal marks; nil for Beancount, in which a comma always separates groups.
  /// - Throws: ``JournalCursor/Fault`` for any other rest of the line.
  package static func price(
    _ cursor: inout JournalCursor, _ marks: JournalMarks?
  ) throws(JournalCursor.Fault) -> (price: Decimal, currency: String) {
    cursor.skipBlanks()
    let start = cursor.index
    let isNumberFirst = cursor.current?.isDigit == true
    let amount = try JournalAmount(&cursor)
    let isBeancount =
      isNumberFirst && !amount.number.contains(" ") && !amount.isNegative
      && hasBeancountGroups(amount.number)
    guard marks != nil || isBeancount else {
      throw cursor.fault("Beancount writes a price as a number and a currency: 96000.50 USD", at: start)
    }
    let number: JournalNumber
    do throws(JournalNumberFault) {
      number = try JournalNumber(
        amount.number, decimalMarks: marks?.marks(of: amount.commodity) ?? [.point],
        usesCommas: marks?.usesCommas ?? false)
    } catch {
      throw cursor.fault(error.message, at: amount.place)
    }
    guard !amount.commodity.isEmpty else { throw cursor.fault("the price has no currency") }
    guard cursor.isAtEnd() else { throw cursor.fault("unexpected text after the price") }
    guard number.value > 0, !amount.isNegative else { throw cursor.fault("a price must be above zero", at: start) }
    return (number.value, amount.commodity)
  }

  /// Returns whether commas separate groups of three digits, the first of which has one to three.
  private static func hasBeancountGroups(_ number: String) -> Bool {
    let groups = number.prefix { $0 != "." }.split(separator: ",", omittingEmptySubsequences: false).map(\.count)
    guard number.drop(while: { $0 != "." }).dropFirst().utf8.allSatisfy(\.isDigit) else { return false }
    return groups.count == 1 || (1...3).contains(groups[0]) && groups.dropFirst().allSatisfy { $0 == 3 }
  }
}
