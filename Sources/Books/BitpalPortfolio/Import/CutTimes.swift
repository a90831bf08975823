package import BitpalModel
import FoundationEssentials

/// The meaning of transactions that are recorded in the same minute with other seconds.
package enum SameMinute: String, CaseIterable, Sendable {
  /// They are the same, and are not recorded again.
  case skip

  /// They are others.
  case add
}

/// The transactions that two files state with and without seconds, or with and without a time of day, because trackers cut or
/// round times to the minute or to the day.
package enum CutTimes {
  /// A row of a file, and the transaction that is probably the same.
  package typealias Twin = (row: ImportedTransaction, stored: Transaction)

  /// Coins of one kind that came or went in one minute.
  private struct Minute: Hashable {
    let coinId: String
    let type: TransactionType
    var minute: Int64

    init(_ transaction: Transaction) {
      (coinId, type) = (transaction.coinId, transaction.type)
      minute = transaction.date.secondsRoundedDown / 60
    }

    /// Returns a later minute, or an earlier one.
    func adding(_ minutes: Int64) -> Minute {
      var other = self
      other.minute += minutes
      return other
    }
  }

  /// Coins of one kind that came or went on one day.
  private struct Day: Hashable {
    let coinId: String
    let type: TransactionType
    let amount: Decimal
    let day: Date

    init(_ transaction: Transaction, _ zone: ClockZone) {
      (coinId, type, amount) = (transaction.coinId, transaction.type, transaction.amount)
      day = zone.ofDay(transaction.date).day(at: transaction.date)
    }
  }

  /// Returns the new rows of a file that are probably recorded already: either the row or what is recorded has no seconds,
  /// they are less than a minute apart, and the amount is the same, or the sum of the minute; or they are of one second, and the
  /// amount of one is that of the other with fewer digits; or one of both is a day without a time, and the other is of that day
  /// in the zone.
  package static func twins(
    of rows: [ImportedTransaction], in recorded: [Transaction], zone: ClockZone = .utc
  ) -> [Twin] {
    if recorded.isEmpty { return [] }
    let stated = Set(rows.map(\.transaction.id))
    let others = recorded.filter { !stated.contains($0.id) }
    if others.isEmpty { return [] }
    var stored = Dictionary(grouping: others.filter { !isDay($0) }, by: Minute.init)
    var days = Dictionary(grouping: others) { Day($0, zone) }
    var twins: [Twin] = []
    var rest: [ImportedTransaction] = []
    for row in TransactionStore.new(rows, beside: recorded, Set(recorded.map(\.id))) where !row.hasOwnID {
      let day = Day(row.transaction, zone)
      if let index = days[day]?.firstIndex(where: { isDay($0) != isDay(row.transaction) }),
        let other = days[day]?.remove(at: index)
      {
        twins.append((row, other))
        continue
      }
      if isDay(row.transaction) { continue }
      let place = [0, -1, 1].lazy.map { Minute(row.transaction).adding($0) }.compactMap { minute in
        stored[minute]?.firstIndex { isSame($0, row.transaction) }.map { (minute, $0) }
      }.first
      if let place, let other = stored[place.0]?.remove(at: place.1) {
        twins.append((row, other))
      } else {
        rest.append(row)
      }
    }
    return (twins + sums(of: rest, stored)).sorted { $0.row.line < $1.row.line }
  }

  /// Returns the rows that are the sum of what is recorded in a minute, and those whose sum is recorded.
  private static func sums(of rows: [ImportedTransaction], _ stored: [Minute: [Transaction]]) -> [Twin] {
    var twins: [Twin] = []
    for row in rows where isWhole(row.transaction) {
      let minute = Minute(row.transaction)
      let fills = [minute, minute.adding(-1)].lazy.map { (stored[$0] ?? []).filter { !isWhole($0) } }
        .first { !$0.isEmpty && sum($0) == row.transaction.amount }
      if let fill = fills?.first { twins.append((row, fill)) }
    }
    for (minute, fills) in Dictionary(
      grouping: rows.filter { !isWhole($0.transaction) }, by: { Minute($0.transaction) })
    {
      let amount = sum(fills.map(\.transaction))
      let whole = [minute, minute.adding(1)].lazy.flatMap { stored[$0] ?? [] }
        .first { isWhole($0) && $0.amount == amount }
      if let whole { twins += fills.map { ($0, whole) } }
    }
    return twins
  }

  private static func isSame(_ one: Transaction, _ other: Transaction) -> Bool {
    let isAtOnce = one.date.secondsRoundedDown == other.date.secondsRoundedDown
    return (isAtOnce || isCut(one, other)) && (one.amount == other.amount || hasOtherDigits(one, other))
  }

  /// Returns whether the amount of one of two transactions is that of the other with fewer digits, of which there are four
  /// at least.
  package static func hasOtherDigits(_ one: Transaction, _ other: Transaction) -> Bool {
    guard
      let (left, right) = DecimalParts(one.amount).flatMap({ left in
        DecimalParts(other.amount).map { (left.folded, $0.folded) }
      }),
      left.exponent != right.exponent
    else { return false }
    let short = left.exponent > right.exponent ? left : right
    return short.digitCount >= 4
      && abs(one.amount - other.amount) < Decimal(sign: .plus, exponent: short.exponent, significand: 1)
  }

  private static func sum(_ transactions: [Transaction]) -> Decimal { transactions.map(\.amount).reduce(0, +) }

  /// Returns whether one of two transactions less than a minute apart has no seconds, and the other has.
  private static func isCut(_ one: Transaction, _ other: Transaction) -> Bool {
    isWhole(one) != isWhole(other) && abs(one.date.secondsRoundedDown - other.date.secondsRoundedDown) < 60
  }

  /// Returns whether a transaction has a day without a time.
  package static func isDay(_ transaction: Transaction) -> Bool { transaction.isOfDay }

  /// Returns whether the time of a transaction has no seconds.
  private static func isWhole(_ transaction: Transaction) -> Bool { transaction.date.secondsRoundedDown % 60 == 0 }
}
