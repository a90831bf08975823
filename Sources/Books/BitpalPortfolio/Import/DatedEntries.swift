import BitpalModel
import FoundationEssentials

/// The entries of a file with their dates, in the order in which they can be booked.
struct DatedEntries {
  /// The entries that have a valid date, those of one coin and instant in an order that can have happened.
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

  /// The number of transfers between accounts of the user that are left out.
  private(set) var ownTransfers = 0

  /// The times that the clocks of the zone show twice or never, of which the file does not say which instant they mean; in sentences.
  private(set) var unclearTimes: [String] = []

  /// Reads the dates of entries.
  ///
  /// - Parameters:
  ///   - rows: The entries in the order of the file.
  ///   - form: The form of their dates, as the import declares it.
  ///   - zone: The zone of times without an offset; nil for UTC.
  ///   - options: The user's choices.
  ///   - faults: The list to which an unclear order, a future date and an unclear ticker are added.
  init(
    _ rows: consuming [ImportEntry], _ form: ImportDates, zone: ClockZone?, _ options: ImportOptions,
    _ faults: inout ImportFaults
  ) {
    var stated = options.dates
    if case .numbers(let declared) = form { stated = stated ?? declared }
    let order = Self.order(of: rows, stated, &faults)
    foundOrder = stated == nil && Self.hasNumbers(rows) ? order : nil
    isReadAsUTC = zone == nil && rows.contains { $0.date.isLocalTime }
    entries = rows
    dates.reserveCapacity(entries.count)
    var undated: Set<Int> = []
    // Where nothing states a zone and no row has another time, midnight is how the file writes a day.
    let hasDays = zone == nil && entries.allSatisfy { $0.date.asDay != nil }
    for index in entries.indices {
      let line = entries[index].line
      let stated = entries[index].date
      if let date = (hasDays ? stated.asDay ?? stated : stated).instant(in: order ?? .ymd, zone: zone ?? .utc) {
        if let coin = coin(of: entries[index], at: date, options, &faults) { entries[index].coin = coin }
        if date.startOfSecond > options.now {
          faults.add(
            "date: \(date.utcText) is in the future; it is \(options.now.utcText) now", line: line, near: .date)
        }
        dates.append(date)
      } else {
        undated.insert(index)
      }
      let known = lines[entries[index].coin]
      lines[entries[index].coin] = (min(known?.first ?? line, line), (known?.count ?? 0) + 1)
    }
    if !undated.isEmpty { entries = entries.indices.filter { !undated.contains($0) }.map { entries[$0] } }
    if let zone, !zone.isUTC { placeRepeatedHours(of: zone, order ?? .ymd) }
    sort()
    if options.skipsOwnTransfers { leaveOutOwnTransfers() }
  }

  /// Frees the memory of the entries and their dates.
  mutating func forgetEntries() { (entries, dates) = ([], []) }

  /// Returns the id of the coin that a ticker meant at the time of an entry; nil for one that means what it means now.
  private mutating func coin(
    of entry: ImportEntry, at date: Date, _ options: ImportOptions, _ faults: inout ImportFaults
  ) -> String? {
    guard !options.coins.contains(entry.coin.uppercased()) else { return nil }
    if CurrencyCoin.partsOfBitcoin[entry.coin] != nil {
      faults.add(
        "coin: \"\(entry.coin)\" are parts of a bitcoin, and the ticker of a coin; write the amount in BTC, or --map "
          + "\(entry.coin)=ID for the coin", line: entry.line, near: .text(entry.coin), cause: entry.coin)
      return nil
    }
    guard let meaning = FormerTickers.meaning(of: entry.coin, at: date) else { return nil }
    switch meaning {
    case .coin(let id):
      formerTickers.insert("\(entry.coin) is \(id)")
      return id
    case .unclear(let ids):
      faults.add(
        "coin: on \(date.dayText) \"\(entry.coin)\" was one of \(ids.joined(separator: ", ")); say which: "
          + "--map \(entry.coin)=\(ids[0])", line: entry.line, near: .text(entry.coin), cause: entry.coin)
      return nil
    case .before(let id, let day):
      faults.add(
        "coin: on \(date.dayText) \"\(entry.coin)\" may have been another coin than \(id), which is there since \(day); say which: "
          + "--map \(entry.coin)=ID", line: entry.line, near: .text(entry.coin), cause: entry.coin)
      return nil
    }
  }

  /// Decides which instant a time means that the clocks of the zone show twice: where a file in the order of time goes back within
  /// such an hour, the rows from there on are of its second half.
  private mutating func placeRepeatedHours(of zone: ClockZone, _ order: DateOrder) {
    var seconds: [Int: Date] = [:]
    var (open, skipped): ([Int], [Int]) = ([], [])
    for (index, entry) in entries.enumerated() where entry.date.isLocalTime {
      guard let local = entry.date.instant(in: order) else { continue }
      let instants = zone.instants(of: CivilTime(local))
      if instants.isEmpty { skipped.append(index) }
      seconds[index] = instants.dropFirst().first
    }
    let places = isBackwards ? dates.indices.reversed() : Array(dates.indices)
    let others = places.filter { seconds[$0] == nil }
    let isInOrder = zip(others, others.dropFirst()).allSatisfy { dates[$0] <= dates[$1] }
    var last = Date.distantPast
    for index in places {
      if let second = seconds[index], isInOrder, dates[index] < last {
        dates[index] = second
        open.removeAll { second.since(dates[$0]) < .seconds(3 * 3600) }
      } else if seconds[index] != nil {
        open.append(index)
      }
      last = max(last, dates[index])
    }
    let twice = "show that time twice, and the order of the rows does not say which is meant"
    for (places, what) in [(open, twice), (skipped, "skip that time")] {
      guard let first = places.min(by: { entries[$0].line < entries[$1].line }) else { continue }
      unclearTimes.append(
        "line \(entries[first].line)\(places.count > 1 ? " and \(places.count - 1) more" : ""): the clocks of \(zone.name) "
          + "\(what); it is read as \(dates[first].utcText)")
    }
  }

  /// Whether the file begins with the latest row; it then has the rows of one instant in reverse order too.
  private var isBackwards: Bool { dates.first.map { $0 > (dates.last ?? $0) } ?? false }

  // MARK: Order

  /// Brings the entries into the order in which they can be booked, with the places to which they refer.
  private mutating func sort() {
    var sequence = Array(entries.indices)
    if isBackwards { sequence.sort { (-entries[$0].line, $0) < (-entries[$1].line, $1) } }
    orderMoments(&sequence)
    if sequence.elementsEqual(sequence.indices) { return }
    renumber(sequence)
    entries.permute(sequence)
    dates.permute(sequence)
  }

  /// Leaves out what went out and came in again; what was lost on the way stays as a fee.
  private mutating func leaveOutOwnTransfers() {
    let places = entries.indices.filter { entries[$0].label == .transfer && entries[$0].fee == 0 }
    let moves = places.map { place in
      OwnTransfer.Move(
        coin: entries[place].coin, date: dates[place], amount: entries[place].amount,
        isIncoming: entries[place].type == .receive)
    }
    let pairs = OwnTransfer.places(of: moves).map { (sent: places[$0.sent], received: places[$0.received]) }
    var left = Set(pairs.map(\.received))
    for (sent, received) in pairs {
      entries[sent].amount -= entries[received].amount
      entries[sent].label = .fee
      if entries[sent].amount == 0 { left.insert(sent) }
    }
    ownTransfers = pairs.count
    let kept = entries.indices.filter { !left.contains($0) }
    renumber(kept)
    entries = kept.map { entries[$0] }
    dates = kept.map { dates[$0] }
  }

  /// Changes the places to which entries refer to those after a new order, which may lack entries to which none refers.
  private mutating func renumber(_ sequence: [Int]) {
    var places = [Int](repeating: 0, count: entries.count)
    for (new, old) in sequence.enumerated() { places[old] = new }
    for index in entries.indices {
      if case .sale(let place) = entries[index].worth, places.indices.contains(place) {
        entries[index].worth = .sale(places[place])
      }
    }
  }

  /// Orders the entries of one coin at one instant so that they can be booked: as in a file that is in the order of time, but for
  /// fees, which come last; where more would go than the file has by then, incoming, then outgoing, then fees.
  private func orderMoments(_ order: inout [Int]) {
    let given = order
    let places = given.map { dates[$0] }.placesByDate
    let isInOrder = places.elementsEqual(given.indices)
    var balances: [String: Decimal] = [:]
    var rest = places[...]
    while let first = rest.first {
      let moment = rest.prefix { dates[given[$0]] == dates[given[first]] }
      rest = rest.dropFirst(moment.count)
      if moment.count == 1 {
        let coin = entries[given[first]].coin
        balances[coin] = max((balances[coin] ?? 0) + change(given[first]), 0)
        continue
      }
      for (coin, places) in Dictionary(grouping: moment, by: { entries[given[$0]].coin }) {
        let own = places.map { given[$0] }
        let stated = own.filter { entries[$0].label != .fee } + own.filter { entries[$0].label == .fee }
        let lowest = lowest(of: stated, from: balances[coin] ?? 0)
        // What is missing was there before the file begins.
        balances[coin] = max(stated.reduce(balances[coin] ?? 0) { $0 + change($1) }, 0)
        let isPossible = isInOrder && lowest >= 0
        let sorted = isPossible ? stated : stated.filter { change($0) > 0 } + stated.filter { change($0) <= 0 }
        for (place, index) in zip(places, sorted) { order[place] = index }
      }
    }
  }

  private func change(_ index: Int) -> Decimal {
    entries[index].type.isIncoming ? entries[index].amount : -entries[index].amount
  }

  /// Returns the lowest balance that entries lead to, one after the other.
  private func lowest(of places: [Int], from balance: Decimal) -> Decimal {
    var (balance, lowest) = (balance, balance)
    for place in places {
      balance += change(place)
      lowest = min(lowest, balance)
    }
    return lowest
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

extension [Date] {
  /// The places of the dates, the earliest first; equal ones keep their order.
  var placesByDate: [Int] {
    let isSorted = zip(self, dropFirst()).allSatisfy { $0 <= $1 }
    return isSorted ? [Int](indices) : indices.sorted { (self[$0], $0) < (self[$1], $1) }
  }
}

extension Array {
  /// Moves the element at each index of a permutation to the place of that index, without a copy of the array.
  fileprivate mutating func permute(_ permutation: [Int]) {
    var sources = permutation
    for start in indices where sources[start] != start {
      let first = self[start]
      var place = start
      while sources[place] != start {
        let source = sources[place]
        self[place] = self[source]
        sources[place] = place
        place = source
      }
      self[place] = first
      sources[place] = place
    }
  }
}
