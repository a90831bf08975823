import BitpalModel
import FoundationEssentials

/// The meaning of transactions that are recorded in the same minute with other seconds.
package enum SameMinute: String, CaseIterable, Sendable {
  /// They are the same, and are not recorded again.
  case skip

  /// They are others.
  case add
}

/// The transactions that two files state with and without seconds, because trackers cut or round times to the minute.
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

  /// Returns the new rows of a file that are probably recorded already: either the row or what is recorded has no seconds,
  /// they are less than a minute apart, and the amount is the same, or the sum of the minute.
  package static func twins(of rows: [ImportedTransaction], in recorded: [Transaction]) -> [Twin] {
    let stated = Set(rows.map(\.transaction.id))
    let others = recorded.filter { !stated.contains($0.id) && !isDay($0) }
    if others.isEmpty { return [] }
    var stored = Dictionary(grouping: others, by: Minute.init)
    var twins: [Twin] = []
    var rest: [ImportedTransaction] = []
    for row in TransactionStore.new(rows, beside: recorded, Set(recorded.map(\.id))) where !row.hasOwnID {
      if isDay(row.transaction) { continue }
      let place = [0, -1, 1].lazy.map { Minute(row.transaction).adding($0) }.compactMap { minute in
        stored[minute]?.firstIndex { isCut($0, row.transaction) && $0.amount == row.transaction.amount }.map {
          (minute, $0)
        }
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

  private static func sum(_ transactions: [Transaction]) -> Decimal { transactions.map(\.amount).reduce(0, +) }

  /// Returns whether one of two transactions less than a minute apart has no seconds, and the other has.
  private static func isCut(_ one: Transaction, _ other: Transaction) -> Bool {
    isWhole(one) != isWhole(other) && abs(one.date.secondsRoundedDown - other.date.secondsRoundedDown) < 60
  }

  private static func isDay(_ transaction: Transaction) -> Bool { transaction.date == transaction.date.startOfDay }

  /// Returns whether the time of a transaction has no seconds.
  private static func isWhole(_ transaction: Transaction) -> Bool { transaction.date.secondsRoundedDown % 60 == 0 }
}

/// The transactions of a file that are stored already with other times, as after an import in another time zone.
package struct ShiftedImport: Sendable {
  /// The number of transactions of the file.
  package let count: Int

  /// The seconds by which the first of them is later than the stored one; below zero for earlier.
  package let seconds: Int

  /// The content of a coin's transaction that does not depend on its time, as the close of its day does.
  private struct Content: Hashable {
    let type: TransactionType
    let amount: Decimal
  }

  /// The offsets of time zones in seconds, but for that of UTC.
  private static let offsets = (-56...56).filter { $0 != 0 }.map { $0 * 900 }

  /// Compares the transactions of a file with those that are stored; nil unless each is stored with another time.
  ///
  /// The offsets are those of one zone: quarters of an hour, within an hour of each other because of summer time. A
  /// single transaction and a file of rewards alone are never taken for it, because equal ones may follow each other.
  ///
  /// - Parameter stored: Returns the stored transactions of a coin; it is called once for a coin, and for no more after the first
  ///   transaction that is not stored.
  package init?(
    _ rows: [ImportedTransaction], stored: (_ coin: String) throws -> [Transaction]
  ) rethrows {
    guard rows.count > 1, rows.contains(where: { $0.transaction.type.isForMoney }) else { return nil }
    var times: [String: [Content: Set<Int>]] = [:]
    var offsets: [[Int]] = []
    for transaction in rows.lazy.map(\.transaction) {
      let coin = transaction.coinId
      if times[coin] == nil {
        times[coin] = Dictionary(grouping: try stored(coin), by: Self.content)
          .mapValues { Set($0.map { Self.seconds($0.date) }) }
      }
      let (known, time) = (times[coin]?[Self.content(transaction)] ?? [], Self.seconds(transaction.date))
      let possible = Self.offsets.filter { known.contains(time - $0) }
      guard !possible.isEmpty, !known.contains(time) else { return nil }
      offsets.append(possible)
    }
    let common = offsets[0].first { first in
      offsets.allSatisfy { $0.contains { abs($0 - first) <= 3600 && ($0 < 0) == (first < 0) } }
    }
    guard let common else { return nil }
    (count, seconds) = (rows.count, common)
  }

  /// The refusal of the file, as a reason behind its name.
  package var reason: String {
    let (hours, minutes) = (abs(seconds) / 3600, abs(seconds) % 3600 / 60)
    let offset = [(hours, "h"), (minutes, "min")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    return
      "its \(count) transactions are there already, \(offset) \(seconds < 0 ? "later" : "earlier"), as after an import "
      + "with another time zone; \"bitpal portfolio undo\" takes that one back; nothing was imported"
  }

  private static func content(_ transaction: Transaction) -> Content {
    Content(type: transaction.type, amount: transaction.amount)
  }

  private static func seconds(_ date: Date) -> Int { Int(date.secondsRoundedDown) }
}
