import BitpalJSON
import BitpalModel
import BitpalPortfolio
import FoundationEssentials

/// Makes entries of the rows that a SELECT gives, in either of two forms: a transaction (`type`, `coin`, `amount`), or what
/// was sent and what was received for it.
struct ImportRows {
  private(set) var entries: [ImportEntry] = []

  /// Rows that are no transactions of coins, by why.
  private(set) var leftOut: [(reason: String, rows: Int)] = []

  /// The portfolio's currency, or the first that the file names.
  private(set) var options: ImportOptions
  private let isFixed: Bool

  /// Fees in money that stand in rows of their own.
  private var fees: [(group: String, fee: Decimal, code: String, line: Int)] = []
  private var row = 0

  private static let numbers: [ImportReader.Column] = [.amount, .price, .total, .fee, .sent, .received, .value]

  init(options: ImportOptions) {
    self.options = options
    isFixed = options.currency != nil
  }

  /// What a row has, by column; an array, since a file may have a hundred thousand rows.
  private struct Columns<Value> {
    private var values = [Value?](repeating: nil, count: ImportReader.Column.allCases.count)

    subscript(column: ImportReader.Column) -> Value? {
      get { values[column.rawValue] }
      set { values[column.rawValue] = newValue }
    }
  }

  private typealias Values = Columns<String>
  private typealias Numbers = Columns<Decimal>

  /// A coin or money, and how much of it.
  private struct Leg {
    let amount: Decimal
    let coin: String
  }

  /// What is common to what a row becomes.
  private struct Frame {
    let line: Int
    let date: ImportDate
    let label: TransactionLabel?
    let labelText: String?
    let notes: String?
    var group: String?
  }

  mutating func add(
    _ row: SandboxRow, _ columns: [ImportReader.Column?], _ dates: ImportDates, hasMarks: Bool,
    _ faults: inout ImportFaults
  ) {
    self.row += 1
    var values = Values()
    var line = 1
    let before = faults.count
    for (index, column) in columns.enumerated() {
      guard let column else { continue }
      do throws(ColumnProblem) {
        if column == .line {
          line = try row.whole(index)
        } else if let text = try row.plain(index) {
          values[column] = text
        }
      } catch {
        faults.add("\(column.name): \(error)", line: line)
      }
    }
    if values[.type] == "skip" { return leaveOut(values[.notes] ?? "left out") }
    let date = readDate(values[.date], dates, line, &faults)
    var numbers = Numbers()
    for column in Self.numbers {
      guard let text = values[column] else { continue }
      do throws(DecimalError) {
        let number = try Decimal(strict: text)
        numbers[column] = number
        if number < 0 {
          faults.add("\(column.name): it must be zero or above, not \(text)", line: line, near: .text(text))
        }
      } catch {
        let hint = !hasMarks && text.contains(",") ? "; say what its comma is: --decimal comma or --decimal point" : ""
        faults.add("\(column.name): \(error)\(hint)", line: line, near: .text(text))
      }
    }
    let label = values[.label].flatMap { TransactionLabel(rawValue: $0.lowercased()) }
    if let text = values[.label], label == nil {
      faults.add("label: \"\(text.printable(limit: 40))\" is none", line: line, near: .text(text))
    }
    guard faults.count == before, let date else { return }
    var frame = Frame(
      line: line, date: date, label: label, labelText: values[.label], notes: values[.notes], group: values[.group])
    let first = entries.count
    if let type = values[.type] {
      addTransaction(type, values, numbers, frame, &faults)
    } else {
      addLegs(values, numbers, &frame, &faults)
    }
    guard faults.count == before else { return }
    addFee(numbers[.fee], values, &frame, first, &faults)
  }

  // MARK: One transaction

  private mutating func addTransaction(
    _ word: String, _ values: Values, _ numbers: Numbers, _ frame: Frame,
    _ faults: inout ImportFaults
  ) {
    let line = frame.line
    guard let type = TransactionType(rawValue: word.lowercased()) else {
      return faults.add(
        "type: \"\(word.printable(limit: 60))\" is not known to this import", line: line, near: .text(word))
    }
    if let label = frame.label, !type.labels.contains(label) {
      return faults.add(
        PortfolioError.invalidLabel(label.rawValue, type: type).message, line: line, near: .text(frame.labelText))
    }
    guard let coin = values[.coin] else { return faults.add("coin: it is empty", line: line) }
    guard let amount = numbers[.amount], amount > 0 else {
      return faults.add("amount: it must be above zero", line: line, near: .text(values[.amount]))
    }
    var entry = entry(type, Leg(amount: amount, coin: coin), frame)
    let worth = numbers[.price].map(ImportEntry.Worth.price) ?? numbers[.total].map(ImportEntry.Worth.total)
    entry.worth = worth ?? (type == .send ? .none : .unsaid)
    if worth != nil || (numbers[.fee] ?? 0) > 0 && values[.feeCoin] == nil {
      guard let currency = values[.currency] else { return entries.append(entry) }
      entry.money = currency.lowercased()
      guard isOurs(currency, &faults, line) else { return }
    }
    entries.append(entry)
  }

  // MARK: What was sent and what was received

  private mutating func addLegs(
    _ values: Values, _ numbers: Numbers, _ frame: inout Frame, _ faults: inout ImportFaults
  ) {
    let before = faults.count
    let sent = leg(.sent, .sentCoin, values, numbers, frame, &faults)
    let received = leg(.received, .receivedCoin, values, numbers, frame, &faults)
    guard faults.count == before else { return }
    switch (sent, received) {
    case (let sent?, let received?):
      switch (options.isMoney(sent.coin), options.isMoney(received.coin)) {
      case (true, true): leaveOut("money for money")
      case (true, false): addTrade(.buy, received, for: sent, frame, &faults)
      case (false, true): addTrade(.sell, sent, for: received, frame, &faults)
      case (false, false): addSwap(sent, received, values, numbers, &frame, &faults)
      }
    case (nil, let received?):
      if options.isMoney(received.coin) { return leaveOut("money in and out") }
      var entry = entry(.receive, received, frame)
      setValue(of: &entry, values, numbers, &faults)
      if faults.count == before { add(entry, frame, &faults) }
    case (let sent?, nil):
      if options.isMoney(sent.coin) { return leaveOut("money in and out") }
      add(entry(.send, sent, frame), frame, &faults)
    case (nil, nil):
      if numbers[.fee].map({ $0 > 0 }) != true {
        faults.add("the row says neither what was sent nor what was received", line: frame.line)
      }
    }
  }

  private func leg(
    _ amount: ImportReader.Column, _ coin: ImportReader.Column, _ values: Values,
    _ numbers: Numbers, _ frame: Frame, _ faults: inout ImportFaults
  ) -> Leg? {
    guard let number = numbers[amount], number > 0 else { return nil }
    guard let name = values[coin] else {
      faults.add("\(coin.name): it is empty", line: frame.line, near: .text(values[amount]))
      return nil
    }
    return Leg(amount: number, coin: name)
  }

  private func entry(_ type: TransactionType, _ leg: Leg, _ frame: Frame) -> ImportEntry {
    ImportEntry(
      line: frame.line, row: row, date: frame.date, type: type, coin: leg.coin, amount: leg.amount,
      label: frame.label, notes: frame.notes, group: frame.group)
  }

  private mutating func add(_ entry: ImportEntry, _ frame: Frame, _ faults: inout ImportFaults) {
    guard let label = entry.label, !entry.type.labels.contains(label) else { return entries.append(entry) }
    faults.add(
      PortfolioError.invalidLabel(label.rawValue, type: entry.type).message, line: frame.line,
      near: .text(frame.labelText))
  }

  private mutating func addTrade(
    _ type: TransactionType, _ coins: Leg, for money: Leg, _ frame: Frame, _ faults: inout ImportFaults
  ) {
    guard isOurs(money.coin, &faults, frame.line) else { return }
    var entry = entry(type, coins, frame)
    entry.worth = .total(money.amount)
    entry.money = money.coin.lowercased()
    entry.label = nil
    entries.append(entry)
  }

  private mutating func addSwap(
    _ sent: Leg, _ received: Leg, _ values: Values, _ numbers: Numbers, _ frame: inout Frame,
    _ faults: inout ImportFaults
  ) {
    guard sent.coin != received.coin else { return leaveOut("a coin for itself") }
    frame.group = frame.group ?? "\u{0}\(row)"
    var sale = entry(.sell, sent, frame)
    let before = faults.count
    setValue(of: &sale, values, numbers, &faults)
    guard faults.count == before else { return }
    sale.label = .swap
    entries.append(sale)
    var purchase = entry(.buy, received, frame)
    purchase.label = .swap
    purchase.worth = .sale(entries.count - 1)
    purchase.money = sale.money
    entries.append(purchase)
  }

  /// What the file says that it was worth; a value of zero is none.
  private mutating func setValue(
    of entry: inout ImportEntry, _ values: Values, _ numbers: Numbers,
    _ faults: inout ImportFaults
  ) {
    entry.worth = .unsaid
    guard let value = numbers[.value], value > 0 else { return }
    if let currency = values[.currency] {
      // What is worth so much in another currency is worth something that the file does not say.
      if options.value != nil, options.currency != nil, currency.lowercased() != options.currency { return }
      guard isOurs(currency, &faults, entry.line) else { return }
      entry.money = currency.lowercased()
    }
    entry.worth = .total(value)
  }

  // MARK: Fees

  /// A fee in money belongs to the transaction, one in coin is a transaction of its own.
  private mutating func addFee(
    _ fee: Decimal?, _ values: Values, _ frame: inout Frame, _ first: Int, _ faults: inout ImportFaults
  ) {
    guard let fee, fee > 0 else { return }
    let line = frame.line
    guard let code = values[.feeCoin], !options.isMoney(code) else {
      if let code = values[.feeCoin], !isOurs(code, &faults, line) { return }
      if first < entries.count {
        entries[first].fee = fee
        if let code = values[.feeCoin] { entries[first].money = code.lowercased() }
      } else if let group = frame.group {
        fees.append((group, fee, values[.feeCoin] ?? "", line))
      } else {
        leaveOut("fees without a transaction")
      }
      return
    }
    if first < entries.count, frame.group == nil {
      frame.group = "\u{0}\(row)"
      for index in first..<entries.count { entries[index].group = frame.group }
    }
    var entry = entry(.send, Leg(amount: fee, coin: code), frame)
    entry.label = .fee
    entries.append(entry)
  }

  /// Adds the fees in money of rows of their own to what they were for.
  mutating func joinFees(_ faults: inout ImportFaults) {
    guard !fees.isEmpty else { return }
    var places: [String: Int] = [:]
    for (index, entry) in entries.enumerated() where entry.label != .fee {
      if let group = entry.group, places[group] == nil { places[group] = index }
    }
    for fee in fees {
      if let place = places[fee.group] {
        entries[place].fee += fee.fee
        if !fee.code.isEmpty { entries[place].money = fee.code.lowercased() }
      } else {
        leaveOut("fees without a transaction")
      }
    }
  }

  // MARK: What all have

  private mutating func leaveOut(_ reason: String) {
    if let index = leftOut.firstIndex(where: { $0.reason == reason }) {
      leftOut[index].rows += 1
    } else {
      leftOut.append((reason, 1))
    }
  }

  /// Whether money is in the portfolio's currency; the first that a file names is that of a portfolio without one.
  private mutating func isOurs(_ code: String, _ faults: inout ImportFaults, _ line: Int) -> Bool {
    let asked = code.lowercased()
    let own = options.currency ?? asked
    options.currency = own
    if asked == own { return true }
    faults.add(
      "currency: the row is in \(asked.printable(limit: 20)), "
        + (isFixed
          ? "the portfolio in \(own); another one can have it: --portfolio NAME --create --currency \(asked)"
          : "those before it in \(own)"),
      line: line, near: .text(code))
    return false
  }

  private func readDate(
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
      date = bytes.withUTF8 { bytes in patterns.lazy.compactMap { $0.instant(bytes) }.first.map(ImportDate.instant) }
      example = patterns.map(\.text).joined(separator: " or ")
    }
    if date == nil {
      faults.add("date: \"\(text.printable(limit: 40))\" is no date like \(example)", line: line, near: .text(text))
    }
    return date
  }
}
