import BitpalJSON
package import BitpalModel
package import FoundationEssentials

/// The content of a file whose coins are not yet identified.
package struct ImportedSheet {
  /// The id of the import that read the file.
  package let importID: String

  /// The number of valid CSV rows below the header.
  package let rows: Int

  /// The rows that are not transactions of coins, counted by reason.
  package let skippedRows: [SkippedRow]

  /// The order of the parts of numeric dates, as found in the file; nil when chosen, declared or not needed.
  package let foundOrder: DateOrder?

  /// Whether times without an offset are read as UTC because nothing states their zone.
  package let isReadAsUTC: Bool

  /// The names of the coins in the file, sorted; a coin that its ticker no longer means is there by its id.
  package let coins: [String]

  /// The changes of each coin and currency that were proven; empty for an import that does not declare them.
  package let sums: [ImportProof.Sum]

  /// The currency of its money, lower case; nil when the file does not state it.
  package let currency: String?

  private var entries: [ImportEntry]
  private let dates: [Date]

  /// The first line and the number of entries of each coin, including entries without a valid date.
  private let lines: [String: (first: Int, count: Int)]
  private let options: ImportOptions
  private var faults: ImportFaults

  /// The tickers that meant another coin at the time of a row, each with the id of that coin; sorted.
  package let formerTickers: [String]

  init(
    _ rows: ImportRows, count: Int, _ sums: [ImportProof.Sum], zone: ClockZone?, _ specification: ImportSpecification,
    _ options: ImportOptions, _ faults: ImportFaults
  ) {
    var faults = faults
    importID = specification.id
    self.rows = count
    self.sums = sums
    self.options = options
    skippedRows = rows.skippedRows.map { SkippedRow(reason: $0.reason, rows: $0.rows) }
    currency = rows.entries.lazy.compactMap(\.money).first
    var declared: DateOrder?
    if case .numbers(let order) = specification.dates { declared = order }
    let order = Self.order(of: rows.entries, options.dates ?? declared, &faults)
    foundOrder = options.dates == nil && declared == nil && Self.hasNumbers(rows.entries) ? order : nil
    let zone = zone ?? specification.zone ?? options.zone
    isReadAsUTC = zone == nil && rows.entries.contains { $0.date.isLocalTime }
    var former: Set<String> = []
    let dated = rows.entries.compactMap { entry -> (entry: ImportEntry, date: Date)? in
      guard let date = entry.date.instant(in: order ?? .ymd, zone: zone ?? .utc) else { return nil }
      var entry = entry
      if !options.coins.contains(entry.coin.uppercased()),
        let meaning = FormerTickers.meaning(of: entry.coin, at: date)
      {
        switch meaning {
        case .coin(let id):
          former.insert("\(entry.coin) is \(id)")
          entry.coin = id
        case .unclear(let ids):
          faults.add(
            "coin: on \(date.dayText) \"\(entry.coin)\" was one of \(ids.joined(separator: ", ")); say which: "
              + "--map \(entry.coin)=\(ids[0])", line: entry.line, near: .text(entry.coin), cause: entry.coin)
        }
      }
      if date > options.now {
        faults.add(
          "date: \(date.utcText) is in the future; it is \(options.now.utcText) now", line: entry.line, near: .date)
      }
      return (entry, date)
    }
    // A file that begins with the latest row has the rows of one instant in reverse order too.
    let isBackwards = dated.first.map { $0.date > (dated.last?.date ?? $0.date) } ?? false
    var sequence = Array(dated.indices)
    if isBackwards { sequence.sort { (-dated[$0].entry.line, $0) < (-dated[$1].entry.line, $1) } }
    Self.putIncomingFirst(&sequence, dated)
    var places = [Int](repeating: 0, count: dated.count)
    for (new, old) in sequence.enumerated() { places[old] = new }
    entries = sequence.map { index in
      var entry = dated[index].entry
      if case .sale(let place) = entry.worth, places.indices.contains(place) { entry.worth = .sale(places[place]) }
      return entry
    }
    dates = sequence.map { dated[$0].date }
    self.faults = faults
    formerTickers = former.sorted()
    var lines: [String: (first: Int, count: Int)] = [:]
    let undated = rows.entries.filter { $0.date.instant(in: order ?? .ymd) == nil }
    for entry in dated.map(\.entry) + undated {
      let known = lines[entry.coin]
      lines[entry.coin] = (min(known?.first ?? entry.line, entry.line), (known?.count ?? 0) + 1)
    }
    self.lines = lines
    coins = lines.keys.sorted()
  }

  /// Orders the entries of one coin at one instant so that they can be booked: incoming, then outgoing, then fees.
  private static func putIncomingFirst(_ order: inout [Int], _ dated: [(entry: ImportEntry, date: Date)]) {
    struct Moment: Hashable {
      let date: Date
      let coin: String
    }
    func rank(_ index: Int) -> Int {
      let entry = dated[index].entry
      return entry.type.isIncoming ? 0 : entry.label == .fee ? 2 : 1
    }
    let moments = Dictionary(grouping: order.indices) {
      Moment(date: dated[order[$0]].date, coin: dated[order[$0]].entry.coin)
    }
    for places in moments.values where places.count > 1 {
      let sorted = places.map { order[$0] }.enumerated().sorted {
        (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
      }
      for (place, element) in zip(places, sorted) { order[place] = element.element }
    }
  }

  // MARK: Dates

  private static func hasNumbers(_ entries: [ImportEntry]) -> Bool {
    entries.contains { if case .numbers = $0.date { true } else { false } }
  }

  /// Returns the order in which every date is valid; nil, with a fault, when none or several with different days fit.
  private static func order(
    of entries: [ImportEntry], _ stated: DateOrder?, _ faults: inout ImportFaults
  ) -> DateOrder? {
    var orders = stated.map { [$0] } ?? DateOrder.allCases
    var first: Int?
    for entry in entries {
      guard case .numbers = entry.date else { continue }
      first = first ?? entry.line
      let left = orders.filter { entry.date.instant(in: $0) != nil }
      guard !left.isEmpty else {
        if let stated {
          let others = Self.orders(thatFit: entries)
          faults.add(
            "date: read as \(stated.description) it is not a day"
              + (others.isEmpty ? "" : "; say how: \(Self.choice(of: others))"), line: entry.line, near: .date,
            cause: "order")
          return nil
        }
        faults.add(
          "date: its parts stand in another order than those of line \(first ?? 1)", line: entry.line, near: .date)
        return nil
      }
      orders = left
    }
    guard let first, orders.count > 1 else { return orders.first }
    let isSame = entries.allSatisfy { entry in Set(orders.map { entry.date.instant(in: $0) }).count == 1 }
    if isSame { return orders.first }
    faults.add(
      "date: every date of the file may be read in several ways; say how: \(choice(of: orders))", line: first,
      near: .date)
    return nil
  }

  /// Returns the orders in which every date of the file is a day.
  private static func orders(thatFit entries: [ImportEntry]) -> [DateOrder] {
    DateOrder.allCases.filter { order in entries.allSatisfy { $0.date.instant(in: order) != nil } }
  }

  private static func choice(of orders: [DateOrder]) -> String {
    orders.map { "--dates \($0.rawValue) (\($0.description))" }.joined(separator: " or ")
  }

  // MARK: Values

  /// Returns the coins whose closes are needed, each with its first and last day; sorted by id.
  ///
  /// - Parameter ids: The ids of the coins, by their names in the file; other coins are left out.
  package func closesNeeded(_ ids: [String: String]) -> [(coin: String, days: ClosedRange<Date>)] {
    guard options.value == .close else { return [] }
    return days(ids) { entry, id in entry.worth == .missing && options.price(of: entry.coin, id: id) == nil }
  }

  /// Returns the coins whose prices the file states, each with its first and last day; sorted by id.
  ///
  /// - Parameter ids: The ids of the coins, by their names in the file; other coins are left out.
  package func pricedDays(_ ids: [String: String]) -> [(coin: String, days: ClosedRange<Date>)] {
    options.acceptsPrices ? [] : days(ids) { entry, _ in entry.worth != .missing && entry.worth != .none }
  }

  private func days(
    _ ids: [String: String], where isWanted: (ImportEntry, String) -> Bool
  ) -> [(coin: String, days: ClosedRange<Date>)] {
    var days: [String: ClosedRange<Date>] = [:]
    for (entry, date) in zip(entries, dates) {
      guard let id = ids[entry.coin], isWanted(entry, id) else { continue }
      let known = days[id] ?? date...date
      days[id] = min(known.lowerBound, date)...max(known.upperBound, date)
    }
    return days.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns the number of transactions that the rule `skip` leaves out for lack of a value.
  package func skipped(_ ids: [String: String]) -> Int {
    guard options.value == .skip else { return 0 }
    return entries.count { $0.worth == .missing && options.price(of: $0.coin, id: ids[$0.coin]) == nil }
  }

  // MARK: Transactions

  /// Returns the transactions in the order of the file, reversed when it begins with the latest.
  ///
  /// Among the transactions of one coin at one instant, incoming ones precede outgoing ones, and fees are last.
  ///
  /// - Parameters:
  ///   - ids: The ids of the coins, by their names in the file.
  ///   - unknown: The reasons why the other coins have no id, by their names in the file.
  ///   - reasons: The reasons why a coin lacks closes, as a clause for messages, by the id of the coin.
  ///   - close: The price of one coin at the end of a day; nil where no source has it.
  ///   - known: The close of a coin on a day where it is at hand, by which the prices of the file are judged.
  /// - Throws: ``/BitpalPortfolio/CSVFaults`` with every fault of the file.
  package func transactions(
    ids: [String: String], unknown: [String: String] = [:], reasons: [String: String] = [:],
    close: (_ coin: String, _ date: Date) -> Decimal? = { _, _ in nil },
    known: (_ coin: String, _ date: Date) -> Decimal? = { _, _ in nil }
  ) throws(CSVFaults) -> [ImportedTransaction] {
    var faults = faults
    reportUnknown(unknown, &faults)
    let prices = prices(ids, reasons, close, &faults)
    if !options.acceptsPrices {
      PricePlausibility.check(
        stated(prices), close: { price in ids[price.coin].flatMap { known($0, price.date) } }, &faults)
    }
    var numbering = TransactionNumbering()
    var transactions: [ImportedTransaction] = []
    transactions.reserveCapacity(entries.count)
    var groups: [String: (name: String, members: Int)] = [:]
    for entry in entries { if let group = entry.group { groups[group, default: ("", 0)].members += 1 } }
    for (index, entry) in entries.enumerated() {
      guard let coin = ids[entry.coin], let price = prices[index] else { continue }
      let draft = TransactionDraft(
        coinId: coin, type: entry.type, amount: entry.amount, pricePerCoin: price.value, total: price.total,
        fee: entry.fee, date: dates[index], notes: entry.notes, label: entry.label)
      let id = numbering.next(draft.identity)
      var named = draft
      if let group = entry.group, let joined = groups[group], joined.members > 1 {
        if joined.name.isEmpty { groups[group]?.name = String(id.uuidString.prefix(8)).lowercased() }
        named.group = groups[group]?.name
      }
      do throws(PortfolioError) {
        transactions.append(
          ImportedTransaction(
            transaction: try named.transaction(id: id), line: entry.line, hasOwnID: false, currency: entry.money))
      } catch {
        faults.add(error.description, line: entry.line)
      }
    }
    if let all = faults.faults { throw all }
    return transactions
  }

  /// Returns the prices that the file states, without those of totals that rounding distorts.
  private func stated(_ prices: [Price?]) -> [PricePlausibility.Stated] {
    entries.indices.compactMap { index in
      let entry = entries[index]
      guard entry.worth != .missing, let price = prices[index]?.value, price > 0 else { return nil }
      if case .sale(let place) = entry.worth, entries[place].worth == .missing { return nil }
      let isLarge = price.converted(at: entry.amount).map { $0 >= PricePlausibility.leastTotal } ?? true
      return isLarge ? .init(line: entry.line, coin: entry.coin, date: dates[index], price: price) : nil
    }
  }

  /// The value of one coin.
  private struct Price {
    let value: Decimal?

    /// The value of all coins, from which the value of one is calculated and rounded.
    var total: Decimal?
  }

  private func prices(
    _ ids: [String: String], _ reasons: [String: String], _ close: (String, Date) -> Decimal?,
    _ faults: inout ImportFaults
  ) -> [Price?] {
    var prices = [Price?](repeating: nil, count: entries.count)
    var totals: [Int: Decimal] = [:]
    var missing: (line: Int, rows: Int)?
    for (index, entry) in entries.enumerated() {
      switch entry.worth {
      case .none: prices[index] = Price(value: nil)
      case .price(let price): prices[index] = Price(value: price)
      case .total(let whole): totals[index] = whole
      case .sale: break
      case .missing:
        let stated = options.price(of: entry.coin, id: ids[entry.coin])
        if stated == nil, options.value == nil {
          missing = (min(missing?.line ?? entry.line, entry.line), (missing?.rows ?? 0) + 1)
        } else if let id = ids[entry.coin], options.value != .skip || stated != nil,
          let price = stated ?? missingPrice(entry, id, dates[index], reasons[id], close, &faults)
        {
          prices[index] = Price(value: price)
          totals[index] = product(price, entry, id, &faults)
        }
      }
    }
    for (index, entry) in entries.enumerated() {
      // A purchase in a swap takes the value of its sale; a missing value is reported for the sale only.
      if case .sale(let place) = entry.worth { totals[index] = totals[place] }
      guard prices[index] == nil, let total = totals[index] else { continue }
      do throws(DecimalError) {
        prices[index] = Price(
          value: try total.divided(by: entry.amount), total: total > 0 ? total : nil)
      } catch {
        faults.add(PortfolioError.tooManyDigits(coinId: entry.coin, what: "the price").message, line: entry.line)
      }
    }
    if let missing {
      let what =
        missing.rows == 1 ? "this was worth" : "\(missing.rows) transactions were worth, of which this is the first"
      faults.add(
        "the file does not say what \(what); --value close takes the close of the day, --value PRICE or COIN=PRICE the price of "
          + "one, --value zero has them cost nothing, --value skip leaves them out", line: missing.line)
    }
    return prices
  }

  /// Returns the value of one coin by the rules `close` and `zero` for missing values; nil, with a fault, for none.
  private func missingPrice(
    _ entry: ImportEntry, _ id: String, _ date: Date, _ reason: String?, _ close: (String, Date) -> Decimal?,
    _ faults: inout ImportFaults
  ) -> Decimal? {
    let coin = entry.coin.printable(limit: 40)
    let advice = "--value \(coin)=PRICE says what one was worth, --value skip leaves it out"
    if options.value == .zero {
      if entry.type == .receive { return 0 }
      faults.add("a swap cannot have been worth nothing; \(advice)", line: entry.line)
      return nil
    }
    if let price = close(id, date) { return price }
    faults.add(
      "no source has the close of \(id.printable(limit: 80)) on \(date.dayText)\(reason.map { ": \($0)" } ?? ""); \(advice)",
      line: entry.line, near: .text(entry.coin))
    return nil
  }

  /// Returns the value of all coins of an entry at a price, rounded at 18 digits after the point if it has too many.
  private func product(
    _ price: Decimal, _ entry: ImportEntry, _ id: String, _ faults: inout ImportFaults
  ) -> Decimal? {
    let product = price.converted(at: entry.amount)
    if product == nil, price > 0 {
      faults.add(PortfolioError.tooManyDigits(coinId: id, what: "the value").message, line: entry.line)
    }
    return product
  }

  private func reportUnknown(_ unknown: [String: String], _ faults: inout ImportFaults) {
    for (coin, why) in unknown {
      guard let (first, count) = lines[coin] else { continue }
      faults.add("coin: \(why)" + (count == 1 ? "" : " (and in \(count - 1) more)"), line: first, near: .text(coin))
    }
  }

  /// Returns an issue of a row that a later step found, placed at the field with `text`, whose column it names.
  package func issue(_ message: String, line: Int, near text: String) -> ConfigurationIssue? {
    var found = faults
    found.clear()
    let column = found.columnName(of: text, line: line).map { "\($0.printable(limit: 40)): " } ?? ""
    found.add(column + message, line: line, near: .text(text))
    return found.faults?.issues.first
  }
}
