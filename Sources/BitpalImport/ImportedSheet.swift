import BitpalJSON
public import BitpalModel
public import BitpalPortfolio
public import FoundationEssentials

/// What a file says, before the coins that it names are known.
public struct ImportedSheet {
  /// By which import it was read.
  public let importID: String

  /// How many rows it has.
  public let rows: Int

  /// Its rows that are no transactions of coins.
  public let leftOut: [LeftOut]

  /// In which order its dates were found to have their parts, where nobody said it.
  public let foundOrder: DateOrder?

  /// The coins that it names, as it calls them.
  public let coins: [String]

  /// The currency of its money; nil when it does not say.
  public let currency: String?

  private var entries: [ImportEntry]
  private let dates: [Date]

  /// Every coin that is named and the lines of it, also where the rest of the row is wrong.
  private let lines: [String: (first: Int, count: Int)]
  private let options: ImportOptions
  private var faults: ImportFaults

  init(
    _ rows: ImportRows, count: Int, _ specification: ImportSpecification, _ options: ImportOptions,
    _ faults: ImportFaults
  ) {
    var faults = faults
    importID = specification.id
    self.rows = count
    self.options = options
    leftOut = rows.leftOut.map { LeftOut(reason: $0.reason, rows: $0.rows) }
    currency = rows.entries.lazy.compactMap(\.money).first
    var declared: DateOrder?
    if case .numbers(let order) = specification.dates { declared = order }
    let order = Self.order(of: rows.entries, options.dates ?? declared, &faults)
    foundOrder = options.dates == nil && declared == nil && Self.hasNumbers(rows.entries) ? order : nil
    let dated = rows.entries.compactMap { entry -> (entry: ImportEntry, date: Date)? in
      guard let date = entry.date.instant(in: order ?? .ymd) else { return nil }
      if date > options.now {
        faults.add(
          "date: \(date.utcText) is in the future; it is \(options.now.utcText) now", line: entry.line, near: .date)
      }
      return (entry, date)
    }
    // Of a file that begins with the latest, what happened in one instant stands in the wrong order.
    let isBackwards = dated.first.map { $0.date > (dated.last?.date ?? $0.date) } ?? false
    if isBackwards {
      let order = dated.indices.sorted { (-dated[$0].entry.row, $0) < (-dated[$1].entry.row, $1) }
      var places = [Int](repeating: 0, count: dated.count)
      for (new, old) in order.enumerated() { places[old] = new }
      entries = order.map { index in
        var entry = dated[index].entry
        if case .sale(let place) = entry.worth, places.indices.contains(place) { entry.worth = .sale(places[place]) }
        return entry
      }
      dates = order.map { dated[$0].date }
    } else {
      entries = dated.map(\.entry)
      dates = dated.map(\.date)
    }
    self.faults = faults
    var lines: [String: (first: Int, count: Int)] = [:]
    for entry in rows.entries {
      let known = lines[entry.coin]
      lines[entry.coin] = (min(known?.first ?? entry.line, entry.line), (known?.count ?? 0) + 1)
    }
    self.lines = lines
    coins = lines.keys.sorted()
  }

  // MARK: Dates

  private static func hasNumbers(_ entries: [ImportEntry]) -> Bool {
    entries.contains { if case .numbers = $0.date { true } else { false } }
  }

  /// The one order in which every date is a day; where several are, somebody has to say it.
  private static func order(
    of entries: [ImportEntry], _ said: DateOrder?, _ faults: inout ImportFaults
  ) -> DateOrder? {
    var orders = said.map { [$0] } ?? DateOrder.allCases
    var first: Int?
    for entry in entries {
      guard case .numbers = entry.date else { continue }
      first = first ?? entry.line
      let left = orders.filter { entry.date.instant(in: $0) != nil }
      guard !left.isEmpty else {
        if let said {
          faults.add("date: read as \(said.words) it is no day", line: entry.line, near: .date)
          continue
        }
        faults.add(
          "date: its parts stand in another order than those of line \(first ?? 1)", line: entry.line, near: .date)
        return nil
      }
      orders = left
    }
    guard let first, orders.count > 1 else { return orders.first }
    faults.add(
      "date: every date of the file may be read in several ways; say how: "
        + orders.map { "--dates \($0.rawValue) (\($0.words))" }.joined(separator: " or "), line: first, near: .date)
    return nil
  }

  // MARK: Values

  /// The coins whose closes are needed, and from when until when, once it is known which coins they are.
  public func closesNeeded(_ ids: [String: String]) -> [(coin: String, days: ClosedRange<Date>)] {
    guard options.value == .close else { return [] }
    var days: [String: ClosedRange<Date>] = [:]
    for (entry, date) in zip(entries, dates) where entry.worth == .unsaid {
      guard let id = ids[entry.coin] else { continue }
      let known = days[id] ?? date...date
      days[id] = min(known.lowerBound, date)...max(known.upperBound, date)
    }
    return days.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  // MARK: Transactions

  /// The transactions, in the order in which they happened as far as the file shows it.
  ///
  /// - Parameters:
  ///   - ids: The ids of the coins, by what the file calls them.
  ///   - unknown: Why the others have none.
  ///   - close: What one coin cost at the end of a day; nil when nobody knows.
  /// - Throws: ``/BitpalPortfolio/CSVFaults`` with every fault of the file.
  public func transactions(
    ids: [String: String], unknown: [String: String] = [:],
    close: (_ coin: String, _ date: Date) -> Decimal? = { _, _ in nil }
  ) throws(CSVFaults) -> [ImportedTransaction] {
    var faults = faults
    tellUnknown(unknown, &faults)
    let prices = prices(ids, close, &faults)
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
      var identified = draft
      // Which row it is does not depend on what somebody says that the coin was worth.
      if price.isFound { identified.pricePerCoin = nil }
      let id = numbering.next(identified.identity)
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

  /// What one coin was worth, and whether the file says so.
  private struct Price {
    let value: Decimal?

    /// What all coins were worth, of which the value of one is a rounded part.
    var total: Decimal?
    var isFound = false
  }

  private func prices(
    _ ids: [String: String], _ close: (String, Date) -> Decimal?, _ faults: inout ImportFaults
  ) -> [Price?] {
    var prices = [Price?](repeating: nil, count: entries.count)
    var totals: [Int: (total: Decimal, isFound: Bool)] = [:]
    var unsaid: (line: Int, rows: Int)?
    for (index, entry) in entries.enumerated() {
      var total: Decimal?
      var isFound = false
      switch entry.worth {
      case .none:
        prices[index] = Price(value: nil)
        continue
      case .price(let price):
        prices[index] = Price(value: price)
        continue
      case .total(let whole): total = whole
      case .sale(let place):
        // Where the sale has none, that is told of it.
        guard let sale = totals[place] else { continue }
        total = sale.total
        isFound = sale.isFound
      case .unsaid:
        isFound = true
        switch options.value {
        case nil:
          unsaid = (min(unsaid?.line ?? entry.line, entry.line), (unsaid?.rows ?? 0) + 1)
          continue
        case .zero?:
          guard entry.type == .receive else {
            faults.add(
              "a swap cannot have been worth nothing; --value close takes the close of its day", line: entry.line)
            continue
          }
          prices[index] = Price(value: 0, isFound: true)
          continue
        case .close?:
          guard let id = ids[entry.coin] else { continue }
          guard let price = close(id, dates[index]) else {
            faults.add(
              "nobody knows the close of \(id.printable(limit: 80)) on \(dates[index].dayText)", line: entry.line,
              near: .text(entry.coin))
            continue
          }
          guard let whole = price.exactProduct(entry.amount) else {
            faults.add(PortfolioError.tooManyDigits(coinId: id, what: "the value").message, line: entry.line)
            continue
          }
          totals[index] = (whole, true)
          prices[index] = Price(value: price, isFound: true)
          continue
        }
      }
      guard let total else { continue }
      totals[index] = (total, isFound)
      do throws(DecimalError) {
        prices[index] = Price(
          value: try total.divided(by: entry.amount), total: total > 0 ? total : nil, isFound: isFound)
      } catch {
        faults.add(PortfolioError.tooManyDigits(coinId: entry.coin, what: "the price").message, line: entry.line)
      }
    }
    if let unsaid {
      let what =
        unsaid.rows == 1 ? "this was worth" : "\(unsaid.rows) transactions were worth, of which this is the first"
      faults.add(
        "the file does not say what \(what); --value close takes the close of the day, --value zero has them cost nothing",
        line: unsaid.line)
    }
    return prices
  }

  private func tellUnknown(_ unknown: [String: String], _ faults: inout ImportFaults) {
    for (coin, why) in unknown {
      guard let (first, count) = lines[coin] else { continue }
      faults.add("coin: \(why)" + (count == 1 ? "" : " (and in \(count - 1) more)"), line: first, near: .text(coin))
    }
  }

  /// Something that is wrong with a row, for whoever finds it later, with the place of the field that says `text`.
  public func issue(_ message: String, line: Int, near text: String) -> ConfigurationIssue? {
    var found = faults
    found.clear()
    found.add(message, line: line, near: .text(text))
    return found.faults?.issues.first
  }
}
