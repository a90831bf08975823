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

  /// The changes of each coin and currency that were proven; empty for an import that does not declare them.
  package let sums: [ImportProof.Sum]

  /// The coins that were left out as moved within an exchange and did not come back, or came back as more; in sentences.
  package let unreturned: [String]

  /// The currency of its money, lower case; nil when the file does not state it.
  package let currency: String?

  /// The columns that the import does not read although they say what some rows have cost or that they failed, each in a
  /// sentence.
  package let unread: [String]

  private var dated: DatedEntries
  private let options: ImportOptions
  private var faults: ImportFaults

  init(
    _ rows: consuming ImportRows, count: Int, _ sums: [ImportProof.Sum], zone: ClockZone?,
    _ specification: ImportSpecification, _ options: ImportOptions, _ faults: ImportFaults, unread: UnreadColumns
  ) {
    var faults = faults
    for refusal in unread.refusals { faults.add(refusal.message, line: refusal.line) }
    unreturned = rows.unreturned
    let stated = unread.zone == nil ? zone ?? specification.zone : nil
    dated = DatedEntries(
      rows.takeEntries(), specification.dates, zone: stated ?? options.zone, options, &faults)
    if let other = unread.zone, options.zone == nil || !other.isOnly,
      dated.entries.contains(where: { $0.date.isLocalTime })
    {
      faults.add(other.message, line: other.line)
    }
    importID = specification.id
    self.rows = count
    self.sums = sums
    self.options = options
    self.unread = unread.sentences
    isReadAsUTC = dated.isReadAsUTC && !unread.hasZone
    skippedRows =
      rows.skippedRows.map { SkippedRow(reason: $0.reason, rows: $0.rows) }
      + (dated.ownTransfers > 0
        ? [SkippedRow(reason: "sent and received again, as between your accounts", rows: 2 * dated.ownTransfers)] : [])
    currency = dated.entries.lazy.compactMap(\.money).first
    self.faults = faults
  }

  /// The order of the parts of numeric dates, as found in the file; nil when chosen, declared or not needed.
  package var foundOrder: DateOrder? { dated.foundOrder }

  /// Whether times without an offset are read as UTC because nothing states their zone.
  package let isReadAsUTC: Bool

  /// The times that the clocks of their zone show twice or never; in sentences.
  package var unclearTimes: [String] { dated.unclearTimes }

  /// The names of the coins in the file, sorted; a coin that its ticker no longer means is there by its id.
  package var coins: [String] { dated.lines.keys.sorted() }

  /// The tickers that meant another coin at the time of a row, each with the id of that coin; sorted.
  package var formerTickers: [String] { dated.formerTickers.sorted() }

  /// The balances of coins before the first rows, by the ids of the coins.
  ///
  /// - Parameter ids: The ids of the coins, by their names in the file; other coins are left out.
  package func openings(_ ids: [String: String]) -> [String: Decimal] {
    let named = Dictionary(ids.map { ($0.key.uppercased(), $0.value) }) { first, _ in first }
    var openings: [String: Decimal] = [:]
    for sum in sums where sum.opening > 0 {
      if let id = named[sum.unit] { openings[id, default: 0] += sum.opening }
    }
    return openings
  }

  /// Frees the memory of the entries once they have become transactions; what was decided about them stays.
  package mutating func forgetEntries() { dated.forgetEntries() }

  private var entries: [ImportEntry] { dated.entries }

  private var dates: [Date] { dated.dates }

  // MARK: Values

  /// Returns the coins whose closes are needed, each with its first and last day; sorted by id.
  ///
  /// - Parameter ids: The ids of the coins, by their names in the file; other coins are left out.
  package func closesNeeded(_ ids: [String: String]) -> [(coin: String, days: ClosedRange<Date>)] {
    guard options.value == .close else { return [] }
    let needed = days(ids) { entry, id in
      guard options.price(of: entry.coin, id: id) == nil else { return false }
      if case .sale(let place) = entry.worth { return place < entries.count && entries[place].worth == .missing }
      return entry.worth == .missing
    }
    // What was paid near those days shows whether closes are in the shares of after a split.
    let month = Duration.seconds(31 * 86_400)
    var days = Dictionary(needed.map { ($0.coin, $0.days) }) { first, _ in first }
    let found = days
    for (entry, date) in zip(entries, dates) where entry.worth != .missing && entry.worth != .none {
      guard let id = ids[entry.coin], let near = found[id], let known = days[id],
        near.lowerBound.adding(.seconds(0) - month) <= date, date <= near.upperBound.adding(month)
      else { continue }
      days[id] = min(known.lowerBound, date)...max(known.upperBound, date)
    }
    return days.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
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
    let bought = purchases
    return entries.indices.count { index in
      entries[index].worth == .missing && options.price(of: entries[index].coin, id: ids[entries[index].coin]) == nil
        && bought[index].flatMap { options.statedPrice(of: entries[$0].coin, id: ids[entries[$0].coin]) } == nil
    }
  }

  /// The places of the purchases in exchanges of two coins that the file does not value, by the places of their sales.
  private var purchases: [Int: Int] {
    var places: [Int: Int] = [:]
    for (index, entry) in entries.enumerated() {
      if case .sale(let sale) = entry.worth, sale < entries.count, entries[sale].worth == .missing {
        places[sale] = index
      }
    }
    return places
  }

  private func isStable(_ place: Int, _ ids: [String: String]) -> Bool {
    ids[entries[place].coin].map(WellKnownCoins.isStable) ?? false
  }

  /// Returns what an exchange of two coins was worth that the file does not value; nil where no price of either is at hand.
  ///
  /// It is worth what came in, or its stablecoin where one of the two is one, and the other where that has no price.
  private func exchangeValue(
    _ sale: Int, _ purchase: Int, _ ids: [String: String], _ close: (String, Date) -> Decimal?
  ) -> Decimal? {
    let legs = isStable(sale, ids) && !isStable(purchase, ids) ? [sale, purchase] : [purchase, sale]
    for isStated in options.value == .close && options.price == nil ? [true, false] : [true] {
      for place in legs {
        let (coin, id) = (entries[place].coin, ids[entries[place].coin])
        let price = isStated ? options.statedPrice(of: coin, id: id) : id.flatMap { close($0, dates[place]) }
        if let price, price > 0 { return price.converted(at: entries[place].amount) }
      }
    }
    return nil
  }

  // MARK: Transactions

  /// Returns the transactions in the order of the file, reversed when it begins with the latest.
  ///
  /// Among the transactions of one coin at one instant, fees are last, and incoming ones precede outgoing ones where the order of the
  /// file cannot have happened.
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
    // What the SELECTs needed is gone by now.
    ProcessMemory.giveBack()
    var faults = faults
    reportUnknown(unknown, &faults)
    reportSame(ids, &faults)
    let restated = options.value == .close ? RestatedCloses(entries, dates, ids, close) : nil
    let prices = prices(
      ids, { restated?.reason($0, $1) ?? reasons[$0] }, { restated?.reason($0, $1) == nil ? close($0, $1) : nil },
      &faults)
    if !options.acceptsPrices { check(prices, ids, known, &faults) }
    var numbering = TransactionNumbering()
    var transactions: [ImportedTransaction] = []
    transactions.reserveCapacity(entries.count)
    var groups: [String: (name: String, members: Int)] = [:]
    for entry in entries { if let group = entry.group { groups[group, default: ("", 0)].members += 1 } }
    for (index, entry) in entries.enumerated() {
      guard let coin = ids[entry.coin], prices.isKnown(index, entry) else { continue }
      let draft = TransactionDraft(
        coinId: coin, type: entry.type, amount: entry.amount, pricePerCoin: prices.values[index],
        total: prices.total(of: prices.entries[index]),
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

  /// Compares the prices that the file states, without those of totals that rounding distorts.
  private func check(
    _ prices: Prices, _ ids: [String: String], _ known: (String, Date) -> Decimal?, _ faults: inout ImportFaults
  ) {
    var plausibility = PricePlausibility()
    for index in dates.placesByDate {
      let (entry, date) = (entries[index], dates[index])
      guard entry.worth != .missing, let price = prices.values[index], price.isPositive else { continue }
      if case .sale(let place) = entry.worth, entries[place].worth == .missing { continue }
      guard price.converted(at: entry.amount).map({ $0 >= PricePlausibility.leastTotal }) ?? true else { continue }
      plausibility.add(
        .init(line: entry.line, coin: entry.coin, date: date, price: price),
        close: ids[entry.coin].flatMap { known($0, date) })
    }
    plausibility.report(&faults)
  }

  /// The values of one coin and of all coins of the entries.
  private struct Prices {
    /// The values of one coin, by the index of the entry.
    var values: [Decimal?]

    /// The values of all coins whose price is not stated in the file, for the purchases that they paid, by the index of
    /// the entry.
    var products: [Int: Decimal] = [:]

    /// The entries, whose exchanges have the values that were found for them.
    var entries: [ImportEntry]

    /// Returns the value of all coins, from which the value of one is calculated and rounded; nil where that is exact.
    func total(of entry: ImportEntry) -> Decimal? {
      guard let total = whole(of: entry), total.isPositive else { return nil }
      return total
    }

    /// Returns the value of all coins of an entry for which it is stated, and of the purchase for a sale.
    func whole(of entry: ImportEntry) -> Decimal? {
      switch entry.worth {
      case .total(let whole): whole
      case .sale(let place): products[place] ?? whole(of: entries[place])
      case .price, .missing, .none: nil
      }
    }

    /// Returns whether an entry has a value, or needs none.
    func isKnown(_ index: Int, _ entry: ImportEntry) -> Bool { values[index] != nil || entry.worth == .none }
  }

  /// Values the exchanges of two coins that the file does not value.
  private func valueExchanges(
    _ prices: inout Prices, _ ids: [String: String], _ close: (String, Date) -> Decimal?, _ faults: inout ImportFaults
  ) {
    for (sale, purchase) in purchases.sorted(by: { $0.key < $1.key }) {
      if let value = exchangeValue(sale, purchase, ids, close) {
        prices.entries[sale].worth = .total(value)
      } else if let price = options.price, ids[entries[sale].coin] != ids[entries[purchase].coin] {
        let (from, to) = (entries[sale].coin.printable(limit: 40), entries[purchase].coin.printable(limit: 40))
        faults.add(
          "\(from) was exchanged for \(to), and --value \(price.plainText) does not say which of them costs that; "
            + "--value \(ShellWord("\(isStable(sale, ids) ? from : to)=PRICE")) does",
          line: entries[sale].line, cause: "price of an exchange")
      }
    }
  }

  private func prices(
    _ ids: [String: String], _ reason: (String, Date) -> String?, _ close: (String, Date) -> Decimal?,
    _ faults: inout ImportFaults
  ) -> Prices {
    var prices = Prices(values: [Decimal?](repeating: nil, count: entries.count), entries: entries)
    var missing: (line: Int, rows: Int)?
    valueExchanges(&prices, ids, close, &faults)
    for (index, entry) in prices.entries.enumerated() {
      switch entry.worth {
      case .none, .total, .sale: break
      case .price(let price): prices.values[index] = price
      case .missing:
        let stated = options.price(of: entry.coin, id: ids[entry.coin])
        if stated == nil, options.value == nil {
          missing = (min(missing?.line ?? entry.line, entry.line), (missing?.rows ?? 0) + 1)
        } else if let id = ids[entry.coin], options.value != .skip || stated != nil,
          let price = stated ?? missingPrice(entry, id, dates[index], reason(id, dates[index]), close, &faults)
        {
          prices.values[index] = price
          prices.products[index] = product(price, entry, id, &faults)
        }
      }
    }
    for (index, entry) in prices.entries.enumerated() {
      // A purchase in a swap takes the value of its sale; a missing value is reported for the sale only.
      guard prices.values[index] == nil, let total = prices.whole(of: entry) else { continue }
      do throws(DecimalError) {
        prices.values[index] = try total.divided(by: entry.amount)
      } catch {
        faults.add(PortfolioError.tooManyDigits(coinId: entry.coin, what: "the price").message, line: entry.line)
      }
    }
    if let missing {
      let what =
        missing.rows == 1 ? "this was worth" : "\(missing.rows) transactions were worth, of which this is the first"
      faults.add(
        "the file does not say what \(what); --value close takes the close of the day, --value PRICE or COIN=PRICE the price of "
          + "one, --value zero records them at no cost, --value skip leaves them out", line: missing.line)
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
      guard let (first, count) = dated.lines[coin] else { continue }
      faults.add("coin: \(why)" + (count == 1 ? "" : " (and in \(count - 1) more)"), line: first, near: .text(coin))
    }
  }

  /// Adds a fault for each exchange of a coin for itself under another name, which would be a sale with a gain.
  private func reportSame(_ ids: [String: String], _ faults: inout ImportFaults) {
    for entry in entries {
      guard case .sale(let place) = entry.worth, let id = ids[entry.coin], ids[entries[place].coin] == id else {
        continue
      }
      let (sent, received) = (entries[place].coin.printable(limit: 40), entry.coin.printable(limit: 40))
      faults.add(
        "\(sent) and \(received) are both \(id.printable(limit: 80)), which cannot be exchanged for itself; write one name for both, or say "
          + "with --map which coins they are", line: entry.line, near: .text(entry.coin),
        cause: "same \(sent) \(received)")
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
