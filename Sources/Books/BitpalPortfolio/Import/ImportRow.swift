import BitpalJSON
import BitpalModel
import FoundationEssentials

/// One row of a SELECT with its texts and numbers, the line on which it begins, its date and its label.
struct ImportRow {
  /// The result of reading a row.
  enum Reading {
    /// A row from which entries can be made.
    case row(ImportRow)

    /// A row that the SELECT leaves out with the type `skip`, and what it would have moved; the reason is in its notes, and its label
    /// says where its other side is.
    case skippedRows(reason: String, line: Int, moved: [Leg], otherSide: OtherSide?)

    /// A row with faults, which have been added to the list.
    case faulty
  }

  /// The label of a row that is left out and has another side.
  enum OtherSide: String {
    /// The other side is in the file: what does not come back, or comes back as more, is not known.
    case file = "transfer"

    /// The coins may still be where they went, as those of staking are: only what comes back as more is not known.
    case elsewhere = "locked"
  }

  /// The values of a row, by column; an array, not a dictionary, because a file may have a hundred thousand rows.
  private struct Columns<Value> {
    private var values = [Value?](repeating: nil, count: ImportReader.Column.allCases.count)

    subscript(column: ImportReader.Column) -> Value? {
      get { values[column.rawValue] }
      set { values[column.rawValue] = newValue }
    }
  }

  /// An amount of a coin or of money.
  struct Leg {
    let amount: Decimal
    let coin: String
  }

  /// The number of the row in the result, counted from 1.
  let place: Int

  /// The line of the file on which it begins.
  let line: Int
  let date: ImportDate
  let label: TransactionLabel?

  /// The text that connects rows that belong together; generated where one row becomes several entries.
  private(set) var group: String?
  private let texts: Columns<String>
  private let numbers: Columns<Decimal>

  private static let numeric: [ImportReader.Column] = [.amount, .price, .total, .fee, .sent, .received, .value]

  /// The text of a column; nil when it is empty.
  subscript(column: ImportReader.Column) -> String? { texts[column] }

  /// Returns the number of a column, zero or above; nil when it is empty.
  func number(_ column: ImportReader.Column) -> Decimal? { numbers[column] }

  /// Reads a row of the result.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - place: The row's number, counted from 1.
  ///   - columns: The meaning of the values of the row, in their order.
  ///   - hasMarks: Whether the decimal mark is known.
  ///   - dates: The forms of dates that the import accepts.
  ///   - faults: The list to which every fault of the row is added.
  static func read(
    _ row: SandboxRow, _ place: Int, _ columns: [ImportReader.Column?], _ dates: ImportDates, hasMarks: Bool,
    _ faults: inout ImportFaults
  ) -> Reading {
    var texts = Columns<String>()
    var line = 1
    let before = faults.count
    for (index, column) in columns.enumerated() {
      guard let column else { continue }
      do throws(ColumnProblem) {
        if column == .line {
          line = try row.whole(index)
        } else if let text = try row.plain(index) {
          texts[column] = text
        }
      } catch {
        faults.add("\(column.name): \(error)", line: line)
      }
    }
    if texts[.type] == "skip" {
      return .skippedRows(
        reason: texts[.notes] ?? "left out", line: line, moved: moved(texts),
        otherSide: texts[.label].flatMap(OtherSide.init))
    }
    let open = ImportReader.Column.allCases.filter { texts[$0] == Outline.toDo }
    for column in open {
      faults.add(
        "\(column.name): the import file says TODO; fill it in there, see docs/imports.md", line: line,
        cause: "TODO \(column.name)")
    }
    guard open.isEmpty else { return .faulty }
    if let fault = texts[.fault] {
      faults.add(fault, line: line, cause: fault)
      return .faulty
    }
    let date = date(texts[.date], dates, line, &faults)
    let numbers = numbers(texts, line, hasMarks: hasMarks, &faults)
    let label = label(texts[.label], line, &faults)
    guard faults.count == before, let date else { return .faulty }
    return .row(
      ImportRow(
        place: place, line: line, date: date, label: label, group: texts[.group], texts: texts, numbers: numbers))
  }

  private static func label(_ text: String?, _ line: Int, _ faults: inout ImportFaults) -> TransactionLabel? {
    guard let text else { return nil }
    if let label = TransactionLabel(rawValue: text.lowercased()) { return label }
    faults.add(
      "label: \"\(text.printable(limit: 40))\" is not one of "
        + TransactionLabel.allCases.map(\.rawValue).joined(separator: ", "), line: line, near: .text(text),
      cause: "label \(text)")
    return nil
  }

  /// Returns what a row moved that is left out; numbers that cannot be read have no effect.
  private static func moved(_ texts: Columns<String>) -> [Leg] {
    let legs: [(ImportReader.Column, ImportReader.Column, Decimal)] = [
      (.sent, .sentCoin, -1), (.received, .receivedCoin, 1), (.fee, .feeCoin, -1),
    ]
    return legs.compactMap { amount, coin, sign in
      guard let number = texts[amount].flatMap({ try? Decimal(strict: $0) }), let coin = texts[coin] else { return nil }
      return Leg(amount: number * sign, coin: coin)
    }
  }

  private static func numbers(
    _ texts: Columns<String>, _ line: Int, hasMarks: Bool, _ faults: inout ImportFaults
  ) -> Columns<Decimal> {
    var numbers = Columns<Decimal>()
    for column in numeric {
      guard let text = texts[column] else { continue }
      do throws(DecimalError) {
        let number = try Decimal(strict: text)
        numbers[column] = number
        if number.isSignMinus {
          faults.add("\(column.name): it must be zero or above, not \(text)", line: line, near: .text(text))
        }
      } catch {
        let hint = !hasMarks && text.contains(",") ? "; say what its comma is: --decimal comma or --decimal point" : ""
        faults.add("\(column.name): \(error)\(hint)", line: line, near: .text(text))
      }
    }
    return numbers
  }

  private static func date(
    _ text: String?, _ dates: ImportDates, _ line: Int, _ faults: inout ImportFaults
  ) -> ImportDate? {
    guard let text else {
      faults.add("date: it is empty", line: line)
      return nil
    }
    let date: ImportDate?
    let example: String
    switch dates {
    case .numbers:
      date = ImportDate(text)
      example = "2025-01-15 10:30:00"
    case .patterns(let patterns):
      var bytes = text
      date = bytes.withUTF8 { bytes in patterns.lazy.compactMap { $0.importDate(bytes) }.first }
      example = patterns.map(\.text).joined(separator: " or ")
    }
    if date == nil {
      faults.add(
        "date: \"\(text.printable(limit: 40))\" is not a date like \(example)", line: line, near: .text(text),
        cause: "date")
    }
    return date
  }

  /// Returns the amount that was sent or received; nil for none.
  ///
  /// An amount without its coin, or a coin without its amount, is a fault: the other side of a trade alone would be a
  /// transfer.
  func leg(_ amount: ImportReader.Column, _ coin: ImportReader.Column, _ faults: inout ImportFaults) -> Leg? {
    guard let number = number(amount) else {
      if let name = self[coin] {
        faults.add(
          "\(amount.name): it is empty, and how much \(name.printable(limit: 40)) it was is not known", line: line)
      }
      return nil
    }
    guard number.isPositive else { return nil }
    guard let name = self[coin] else {
      faults.add("\(coin.name): it is empty", line: line, near: .text(self[amount]))
      return nil
    }
    return Leg(amount: number, coin: name)
  }

  /// Returns whether the row says that nothing was given for coins, or nothing received: zero of something else, beside neither a
  /// label nor a value.
  func isForNothing(_ leg: Leg, _ amount: ImportReader.Column, _ coin: ImportReader.Column) -> Bool {
    guard number(amount) == 0, let other = self[coin], label == nil else { return false }
    return other.uppercased() != leg.coin.uppercased() && number(.value)?.isPositive != true
  }

  /// Returns an entry of the row, still without a value.
  func entry(_ type: TransactionType, _ leg: Leg) -> ImportEntry {
    ImportEntry(
      line: line, date: date, type: type, coin: leg.coin, amount: leg.amount, label: label,
      notes: self[.notes], group: group)
  }

  /// Gives the row a group of its own unless it has one; the leading NUL keeps it apart from groups of the file.
  mutating func makeGroup() { group = group ?? "\u{0}\(place)" }
}
