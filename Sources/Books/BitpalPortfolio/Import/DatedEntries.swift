import BitpalModel
import FoundationEssentials

/// The entries of a file with their dates, in the order in which they can be booked.
struct DatedEntries {
  /// The entries that have a valid date; those of one coin and instant are incoming, then outgoing, then fees.
  private(set) var entries: [ImportEntry] = []

  /// The date of each entry.
  private(set) var dates: [Date] = []

  /// The first line and the number of entries of each coin, including entries without a valid date.
  private(set) var lines: [String: (first: Int, count: Int)] = [:]

  /// The tickers that meant another coin at the time of a row, each with the id of that coin.
  private(set) var formerTickers: Set<String> = []

  /// The order of the parts of numeric dates, as found in the file; nil when chosen, declared or not needed.
  let foundOrder: DateOrder?

  /// Whether times without an offset are read as UTC because nothing states their zone.
  let isReadAsUTC: Bool

  private typealias Dated = (entry: ImportEntry, date: Date)

  /// Reads the dates of entries.
  ///
  /// - Parameters:
  ///   - rows: The entries in the order of the file.
  ///   - form: The form of their dates, as the import declares it.
  ///   - zone: The zone of times without an offset; nil for UTC.
  ///   - options: The user's choices.
  ///   - faults: The list to which an unclear order, a future date and an unclear ticker are added.
  init(
    _ rows: [ImportEntry], _ form: ImportDates, zone: ClockZone?, _ options: ImportOptions,
    _ faults: inout ImportFaults
  ) {
    var stated = options.dates
    if case .numbers(let declared) = form { stated = stated ?? declared }
    let order = Self.order(of: rows, stated, &faults)
    foundOrder = stated == nil && Self.hasNumbers(rows) ? order : nil
    isReadAsUTC = zone == nil && rows.contains { $0.date.isLocalTime }
    var dated: [Dated] = []
    dated.reserveCapacity(rows.count)
    for row in rows {
      var entry = row
      if let date = row.date.instant(in: order ?? .ymd, zone: zone ?? .utc) {
        identify(&entry, at: date, options, &faults)
        if date > options.now {
          faults.add(
            "date: \(date.utcText) is in the future; it is \(options.now.utcText) now", line: row.line, near: .date)
        }
        dated.append((entry, date))
      }
      let known = lines[entry.coin]
      lines[entry.coin] = (min(known?.first ?? entry.line, entry.line), (known?.count ?? 0) + 1)
    }
    put(dated)
  }

  /// Replaces a ticker that meant another coin at the time of an entry by the id of that coin.
  private mutating func identify(
    _ entry: inout ImportEntry, at date: Date, _ options: ImportOptions, _ faults: inout ImportFaults
  ) {
    guard !options.coins.contains(entry.coin.uppercased()),
      let meaning = FormerTickers.meaning(of: entry.coin, at: date)
    else { return }
    switch meaning {
    case .coin(let id):
      formerTickers.insert("\(entry.coin) is \(id)")
      entry.coin = id
    case .unclear(let ids):
      faults.add(
        "coin: on \(date.dayText) \"\(entry.coin)\" was one of \(ids.joined(separator: ", ")); say which: "
          + "--map \(entry.coin)=\(ids[0])", line: entry.line, near: .text(entry.coin), cause: entry.coin)
    }
  }

  // MARK: Order

  /// Stores the entries in the order in which they can be booked, with the places to which they refer.
  private mutating func put(_ dated: [Dated]) {
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
  }

  /// Orders the entries of one coin at one instant so that they can be booked: incoming, then outgoing, then fees.
  private static func putIncomingFirst(_ order: inout [Int], _ dated: [Dated]) {
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
}
