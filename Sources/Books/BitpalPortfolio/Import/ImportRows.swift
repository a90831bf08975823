import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The entries made from the rows of a SELECT.
///
/// A row has one of two forms: a transaction (`type`, `coin`, `amount`), or what was sent and what was received.
struct ImportRows {
  private(set) var entries: [ImportEntry] = []

  /// The number of rows that are not transactions of coins, by reason.
  private(set) var skippedRows: [(reason: String, rows: Int)] = []

  /// The lines of the rows that the SELECT leaves out, with a reason.
  private(set) var skippedLines = LineSet()

  /// The portfolio's currency, or the first that the file names.
  private(set) var options: ImportOptions
  private let isFixed: Bool

  /// Fees in money that have rows of their own, until ``joinFees(_:)`` adds them to their transactions.
  private var fees: [(group: String, fee: Decimal, code: String, line: Int)] = []
  private var count = 0

  /// The sums of what was moved by rows that are left out and whose other sides are in the file, by reason and coin.
  private var passed: [String: [String: Decimal]] = [:]

  /// The reasons of those rows whose coins may still be where they went.
  private var lasting: Set<String> = []

  /// The changes of rows that are not transactions.
  private var leftOut: [ImportProof.Movement] = []

  /// Creates rows without an entry.
  ///
  /// - Parameters:
  ///   - options: The user's choices.
  ///   - money: The codes that mean money at the exchange although a coin has them as its ticker.
  ///   - most: The number of rows, of which nearly all become an entry: the list is not copied as it grows.
  init(options: ImportOptions, money: Set<String>, most: Int) {
    entries.reserveCapacity(most)
    self.options = options
    self.options.money.formUnion(money)
    isFixed = options.currency != nil
  }

  mutating func add(
    _ result: SandboxRow, _ columns: [ImportReader.Column?], _ dates: ImportDates, hasMarks: Bool,
    _ faults: inout ImportFaults
  ) {
    count += 1
    var row: ImportRow
    switch ImportRow.read(result, count, columns, dates, hasMarks: hasMarks, &faults) {
    case .row(let read): row = read
    case .skippedRows(let reason, let line, let moved, let otherSide):
      leaveOut(reason)
      skippedLines.insert(line)
      for leg in moved {
        note(leg.amount, leg.coin, line)
        if otherSide == .elsewhere { lasting.insert(reason) }
        if otherSide != nil { passed[reason, default: [:]][leg.coin.uppercased(), default: 0] += leg.amount }
      }
      return
    case .faulty: return
    }
    let before = faults.count
    let first = entries.count
    if let type = row[.type] {
      let isForeign = columns.contains(.sent) && row[.coin] == nil && row[.amount] == nil
      addTransaction(isForeign ? "?\(type)" : type, row, &faults)
    } else {
      addLegs(&row, &faults)
    }
    guard faults.count == before else { return }
    addFee(&row, first, isNamed: columns.contains(.feeCoin), &faults)
  }

  // MARK: One transaction

  /// Adds a transaction.
  ///
  /// - Parameter word: Its type, or a word of the file behind a `?`, which the import does not know and may be the name of a type.
  private mutating func addTransaction(_ word: String, _ row: ImportRow, _ faults: inout ImportFaults) {
    let line = row.line
    guard let type = TransactionType(rawValue: word.lowercased()) else {
      let word = String(word.drop { $0 == "?" })
      return faults.add(
        "type: \"\(word.printable(limit: 60))\" is not known to this import", line: line, near: .text(word),
        cause: "type \(word)")
    }
    if let label = row.label, !type.labels.contains(label) {
      return faults.add(
        PortfolioError.invalidLabel(label.rawValue, type: type).message, line: line, near: .text(row[.label]))
    }
    guard let coin = row[.coin] else { return faults.add("coin: it is empty", line: line) }
    guard let amount = row.number(.amount), amount.isPositive else {
      return faults.add("amount: it must be above zero", line: line, near: .text(row[.amount]))
    }
    var entry = row.entry(type, ImportRow.Leg(amount: amount, coin: coin))
    let worth = row.number(.price).map(ImportEntry.Value.price) ?? row.number(.total).map(ImportEntry.Value.total)
    entry.worth = worth ?? (type == .send ? .none : .missing)
    if worth != nil || row.number(.fee)?.isPositive == true && row[.feeCoin] == nil {
      guard let currency = row[.currency] else { return entries.append(entry) }
      entry.money = currency.lowercased()
      guard isOurs(currency, &faults, line) else { return }
    }
    entries.append(entry)
  }

  // MARK: What was sent and what was received

  private mutating func addLegs(_ row: inout ImportRow, _ faults: inout ImportFaults) {
    let before = faults.count
    let sent = row.leg(.sent, .sentCoin, &faults)
    let received = row.leg(.received, .receivedCoin, &faults)
    ask(row, sent, received, &faults)
    guard faults.count == before else { return }
    switch (sent, received) {
    case (let sent?, let received?):
      switch (options.isMoney(sent.coin), options.isMoney(received.coin)) {
      case (true, true): leaveOut("money for money", row.line, sent: sent, received: received)
      case (true, false): addTrade(.buy, received, for: sent, row, &faults)
      case (false, true): addTrade(.sell, sent, for: received, row, &faults)
      case (false, false): addSwap(sent, received, &row, &faults)
      }
    case (nil, let received?):
      if options.isMoney(received.coin) {
        return leaveOut("deposits and withdrawals of money", row.line, received: received)
      }
      var entry = row.entry(.receive, received)
      setValue(of: &entry, row, &faults)
      if row.isForNothing(received, .sent, .sentCoin) { entry.worth = .price(0) }
      if faults.count == before { add(entry, row, &faults) }
    case (let sent?, nil):
      if options.isMoney(sent.coin) { return leaveOut("deposits and withdrawals of money", row.line, sent: sent) }
      // A sale needs a price above zero; coins that were sent at the value zero are disposed of without proceeds.
      var entry = row.entry(.send, sent)
      if row.isForNothing(sent, .received, .receivedCoin) { entry.worth = .price(0) }
      add(entry, row, &faults)
    case (nil, nil):
      if row.number(.fee)?.isPositive != true {
        faults.add("the row says neither what was sent nor what was received", line: row.line)
      }
    }
  }

  private mutating func add(_ entry: ImportEntry, _ row: ImportRow, _ faults: inout ImportFaults) {
    guard let label = entry.label, !entry.type.labels.contains(label) else { return entries.append(entry) }
    faults.add(
      PortfolioError.invalidLabel(label.rawValue, type: entry.type).message, line: row.line,
      near: .text(row[.label]))
  }

  private mutating func addTrade(
    _ type: TransactionType, _ coins: ImportRow.Leg, for money: ImportRow.Leg, _ row: ImportRow,
    _ faults: inout ImportFaults
  ) {
    guard isOurs(money.coin, &faults, row.line) else { return }
    var entry = row.entry(type, coins)
    entry.worth = .total(money.amount)
    entry.money = money.coin.lowercased()
    entry.label = nil
    entries.append(entry)
  }

  private mutating func addSwap(
    _ sent: ImportRow.Leg, _ received: ImportRow.Leg, _ row: inout ImportRow, _ faults: inout ImportFaults
  ) {
    guard sent.coin.lowercased() != received.coin.lowercased() else {
      return addOwnTransfer(sent, received, row, &faults)
    }
    row.makeGroup()
    if row.label == .rename {
      entries.append(row.entry(.send, sent))
      var other = row.entry(.receive, received)
      other.worth = .price(0)
      return entries.append(other)
    }
    var sale = row.entry(.sell, sent)
    let before = faults.count
    setValue(of: &sale, row, &faults)
    guard faults.count == before else { return }
    sale.label = .swap
    entries.append(sale)
    var purchase = row.entry(.buy, received)
    purchase.label = .swap
    purchase.worth = .sale(entries.count - 1)
    purchase.money = sale.money
    entries.append(purchase)
  }

  /// Leaves out coins that became the same coins, as by a transfer between own wallets, but for the difference: less is a
  /// fee that was taken on the way, more is something that came in.
  private mutating func addOwnTransfer(
    _ sent: ImportRow.Leg, _ received: ImportRow.Leg, _ row: ImportRow, _ faults: inout ImportFaults
  ) {
    leaveOut("a coin for itself")
    let difference = received.amount - sent.amount
    if difference < 0 {
      var fee = row.entry(.send, ImportRow.Leg(amount: -difference, coin: sent.coin))
      fee.label = .fee
      entries.append(fee)
    } else if difference > 0 {
      var entry = row.entry(.receive, ImportRow.Leg(amount: difference, coin: sent.coin))
      entry.worth = .missing
      add(entry, row, &faults)
    }
  }

  /// Sets the value that the file states; a value of zero counts as missing.
  private mutating func setValue(of entry: inout ImportEntry, _ row: ImportRow, _ faults: inout ImportFaults) {
    entry.worth = .missing
    guard let value = row.number(.value), value.isPositive else { return }
    if let currency = row[.currency] {
      // A value in another currency is not converted, so the rule for missing values applies.
      if options.value != nil, options.currency != nil, currency.lowercased() != options.currency { return }
      guard isOurs(currency, &faults, entry.line) else { return }
      entry.money = currency.lowercased()
    }
    entry.worth = .total(value)
  }

  // MARK: Fees

  /// Adds a fee in money to the row's first entry, or a fee in coin as an entry of its own.
  ///
  /// - Parameter isNamed: Whether the import says what fees are in, so that an empty text does not mean money.
  private mutating func addFee(
    _ row: inout ImportRow, _ first: Int, isNamed: @autoclosure () -> Bool, _ faults: inout ImportFaults
  ) {
    guard let fee = row.number(.fee), fee.isPositive else { return }
    let line = row.line
    if row[.feeCoin] == nil, isNamed() {
      return faults.add(
        "fee: of which coin or currency it is, the row does not say", line: line, near: .text(row[.fee]), cause: "fee")
    }
    guard let code = row[.feeCoin], !options.isMoney(code) else {
      if first < entries.count {
        if let code = row[.feeCoin], !isOurs(code, &faults, line) { return }
        entries[first].fee = fee
        if let code = row[.feeCoin] { entries[first].money = code.lowercased() }
      } else if let group = row.group {
        fees.append((group, fee, row[.feeCoin] ?? "", line))
      } else {
        leaveOut("fees without a transaction", line, fee: fee, row[.feeCoin])
      }
      return
    }
    if first < entries.count, row.group == nil {
      row.makeGroup()
      for index in first..<entries.count { entries[index].group = row.group }
    }
    var entry = row.entry(.send, ImportRow.Leg(amount: fee, coin: code))
    entry.label = .fee
    entries.append(entry)
  }

  /// Adds each fee in money from a row of its own to the first entry of its group.
  mutating func joinFees(_ faults: inout ImportFaults) {
    guard !fees.isEmpty else { return }
    var places: [String: Int] = [:]
    for (index, entry) in entries.enumerated() where entry.label != .fee {
      if let group = entry.group, places[group] == nil { places[group] = index }
    }
    for fee in fees {
      if let place = places[fee.group] {
        guard fee.code.isEmpty || isOurs(fee.code, &faults, fee.line) else { continue }
        entries[place].fee += fee.fee
        if !fee.code.isEmpty { entries[place].money = fee.code.lowercased() }
      } else {
        leaveOut("fees without a transaction", fee.line, fee: fee.fee, fee.code.isEmpty ? nil : fee.code)
      }
    }
  }

  /// Hands over the entries, which then can be changed without a copy.
  mutating func takeEntries() -> [ImportEntry] {
    defer { entries = [] }
    return entries
  }

  // MARK: Conservation

  /// The coins that were left out as moved within an exchange and did not come back, or came back as more; in sentences.
  var unreturned: [String] {
    passed.sorted { $0.key < $1.key }.flatMap { reason, sums in
      let open = sums.filter { $0.value != 0 && !options.isMoney($0.key) }.sorted { $0.key < $1.key }
      func list(_ coins: [(key: String, value: Decimal)]) -> String {
        coins.prefix(10).map { "\(abs($0.value).plainText) \($0.key.printable(limit: 40))" }.joined(separator: ", ")
      }
      let went = lasting.contains(reason) ? [] : open.filter { $0.value < 0 }
      let came = open.filter { $0.value > 0 }
      return
        (went.isEmpty
        ? []
        : [
          "\(reason.printable(limit: 80)): \(list(went)) went and did not come back in this file, and still counts as held; what was lost or "
            + "spent there is recorded by \"bitpal send\" with --label lost"
        ])
        + (came.isEmpty
          ? []
          : [
            "\(reason.printable(limit: 80)): \(list(came)) more came back in this file than went, and does not count as held"
              + (lasting.contains(reason) ? ", except for what went in an earlier file" : "")
              + "; what was gained there is recorded by \"bitpal receive\""
          ])
    }
  }

  /// The unit of money in a row that does not name its currency.
  var money: String { (options.currency ?? "").uppercased() }

  /// The changes of rows that are not transactions, and of those that are.
  var changes: RecordedChanges { RecordedChanges(self, leftOut: leftOut) }

  /// Calls `use` with the changes that an entry records: of its coin, of the money for it, and of the money for its fee.
  fileprivate func forEachChange(of entry: ImportEntry, _ use: (ImportProof.Movement) -> Void) {
    func add(_ change: DecimalParts?, _ unit: String, isOut: Bool) {
      guard let change, !change.isZero else { return }
      use(ImportProof.Movement(line: entry.line, unit: unit.uppercased(), change: isOut ? change.negated : change))
    }
    add(DecimalParts(entry.amount), entry.coin, isOut: !entry.type.isIncoming)
    let unit = entry.money ?? money
    if entry.type.isForMoney { add(worth(of: entry), unit, isOut: entry.type.isIncoming) }
    add(DecimalParts(entry.fee), unit, isOut: true)
  }

  private func worth(of entry: ImportEntry) -> DecimalParts? {
    switch entry.worth {
    case .price(let price): DecimalParts(price).flatMap { DecimalParts(entry.amount)?.valued(at: $0) }
    case .total(let total): DecimalParts(total)
    case .sale(let place): worth(of: entries[place])
    case .missing, .none: nil
    }
  }

  private mutating func note(_ amount: Decimal, _ coin: String?, _ line: Int) {
    guard let change = DecimalParts(amount) else { return }
    leftOut.append(ImportProof.Movement(line: line, unit: coin?.uppercased() ?? money, change: change))
  }

  private mutating func leaveOut(
    _ reason: String, _ line: Int, sent: ImportRow.Leg? = nil, received: ImportRow.Leg? = nil, fee: Decimal = 0,
    _ feeCoin: String? = nil
  ) {
    leaveOut(reason)
    if let sent { note(-sent.amount, sent.coin, line) }
    if let received { note(received.amount, received.coin, line) }
    if fee > 0 { note(-fee, feeCoin, line) }
  }

  // MARK: Both forms

  /// Counts rows that are left out.
  mutating func leaveOut(_ reason: String, count: Int = 1) {
    if let index = skippedRows.firstIndex(where: { $0.reason == reason }) {
      skippedRows[index].rows += count
    } else if count > 0 {
      skippedRows.append((reason, count))
    }
  }

  /// Adds a fault for each code that is both a currency's and the ticker of a coin.
  private func ask(
    _ row: ImportRow, _ sent: ImportRow.Leg?, _ received: ImportRow.Leg?, _ faults: inout ImportFaults
  ) {
    let fee = row.number(.fee)?.isPositive == true ? row[.feeCoin] : nil
    for code in [sent?.coin, received?.coin, fee] {
      guard let code, options.isUnclear(code) else { continue }
      let name = code.uppercased()
      let coin = (CurrencyCoin.coinsOfCodes[code.lowercased()] ?? nil) ?? "ID"
      faults.add(
        "\"\(name)\" is the ticker of a coin and the code of a currency, whose rows are left out as money; say which: "
          + "--map \(name)=\(coin), or --map \(name)=\(CurrencyCoin.id(of: code)) where "
          + "it is money", line: row.line, near: .text(code), cause: "unclear \(name)")
    }
  }

  /// Returns whether money is in the portfolio's currency; a portfolio without one takes the first that the file names.
  private mutating func isOurs(_ code: String, _ faults: inout ImportFaults, _ line: Int) -> Bool {
    if let problem = MinorUnit.problem(of: code) {
      faults.add("currency: \(problem)", line: line, near: .text(code), cause: "unit \(code)")
      return false
    }
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
}

/// The changes that an import records and leaves out, by the line of the file; they are made when asked for.
struct RecordedChanges {
  private let rows: ImportRows

  /// The places of the entries, by their lines.
  private let places: [UInt32]
  private let leftOut: [ImportProof.Movement]

  fileprivate init(_ rows: ImportRows, leftOut: [ImportProof.Movement]) {
    self.rows = rows
    self.leftOut = Self.sorted(leftOut, by: \.line)
    places = Self.sorted(rows.entries.indices.map { UInt32(clamping: $0) }) { rows.entries[Int($0)].line }
  }

  /// Returns elements by their lines, those of one line in their order.
  private static func sorted<Element>(_ elements: [Element], by line: (Element) -> Int) -> [Element] {
    let isSorted = zip(elements, elements.dropFirst()).allSatisfy { line($0) <= line($1) }
    return isSorted ? elements : elements.sorted { line($0) < line($1) }
  }

  /// Calls `use` with the changes on a line.
  func on(_ line: Int, _ use: (ImportProof.Movement) -> Void) {
    Self.part(of: leftOut, on: line) { $0.line }.forEach(use)
    for place in Self.part(of: places, on: line, { rows.entries[Int($0)].line }) {
      rows.forEachChange(of: rows.entries[Int(place)], use)
    }
  }

  /// Calls `use` with every change.
  func forEach(_ use: (ImportProof.Movement) -> Void) {
    leftOut.forEach(use)
    for entry in rows.entries { rows.forEachChange(of: entry, use) }
  }

  /// Returns the elements on a line, by bisection.
  private static func part<Element>(
    of elements: [Element], on wanted: Int, _ line: (Element) -> Int
  ) -> ArraySlice<Element> {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if line(elements[middle]) < wanted { low = middle + 1 } else { high = middle }
    }
    return elements[low...].prefix { line($0) == wanted }
  }
}
