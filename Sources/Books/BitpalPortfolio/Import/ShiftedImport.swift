import BitpalModel
import FoundationEssentials

/// The transactions of a file that are stored already with other times, as after an import in another time zone.
package struct ShiftedImport: Sendable {
  /// The number of transactions of the file that are stored.
  package let count: Int

  /// The number of transactions of the file.
  private let all: Int

  /// The seconds by which the first of them is later than the stored one; below zero for earlier.
  package let seconds: Int

  /// The content of a coin's transaction that does not depend on its time, as the close of its day does.
  private struct Content: Hashable {
    let type: TransactionType
    let amount: Decimal
  }

  /// The seconds at which transactions of one content are stored.
  private struct Times {
    private var seconds: Set<Int> = []
    private var minutes: Set<Int> = []

    /// The minutes of those that have no seconds, as in the files of trackers.
    private var wholeMinutes: Set<Int> = []

    mutating func insert(_ time: Int) {
      seconds.insert(time)
      minutes.insert(time.roundedDown(to: 60))
      if time.isMultiple(of: 60) { wholeMinutes.insert(time) }
    }

    /// Returns whether one is stored at a time; within its minute where either has no seconds.
    func contains(_ time: Int) -> Bool {
      seconds.contains(time) || (time.isMultiple(of: 60) ? minutes : wholeMinutes).contains(time.roundedDown(to: 60))
    }
  }

  /// The stored transactions of a coin.
  private struct Stored {
    var times: [Content: Times] = [:]
    let span: ClosedRange<Int>?

    init(_ transactions: [Transaction]) {
      let all = transactions.map { ShiftedImport.seconds($0.date) }
      span = all.min().flatMap { first in all.max().map { first...$0 } }
      for (transaction, time) in zip(transactions, all) {
        times[ShiftedImport.content(transaction), default: Times()].insert(time)
      }
    }
  }

  /// The offsets of time zones in seconds; the second is that of summer.
  private static let zones = offsets.map { ($0, $0 + 3600) }
  private static let offsets = (-56...56).map { $0 * 900 }

  /// Compares the transactions of a file with those that are stored; nil unless at least three quarters of those that lie within
  /// the time of the stored ones of their coins are stored with another time.
  ///
  /// The offsets are those of one zone, in winter and in summer. A single transaction and a file of rewards alone are never
  /// taken for it, because equal ones may follow each other.
  ///
  /// - Parameter stored: Returns the stored transactions of a coin; it is called once for a coin.
  package init?(
    _ rows: [ImportedTransaction], stored: (_ coin: String) throws -> [Transaction]
  ) rethrows {
    var coins: [String: Stored] = [:]
    var own = 0
    var others: [(time: Int, span: ClosedRange<Int>, offsets: Set<Int>, isForMoney: Bool)] = []
    for transaction in rows.lazy.map(\.transaction) {
      let coin = transaction.coinId
      if coins[coin] == nil { coins[coin] = Stored(try stored(coin)) }
      guard let span = coins[coin]?.span else { continue }
      let (times, time) = (coins[coin]?.times[Self.content(transaction)], Self.seconds(transaction.date))
      if times?.contains(time) == true {
        own += 1
        continue
      }
      let offsets = times.map { times in Set(Self.offsets.filter { times.contains(time - $0) }) } ?? []
      others.append((time, span, offsets, transaction.type.isForMoney))
    }
    func isOf(_ zone: (Int, Int), _ offsets: Set<Int>) -> Bool { offsets.contains(zone.0) || offsets.contains(zone.1) }
    let counts = Self.zones.map { zone in others.count { isOf(zone, $0.offsets) } }
    guard let (zone, found) = zip(Self.zones, counts).max(by: { $0.1 < $1.1 }), found > 1,
      others.contains(where: { isOf(zone, $0.offsets) && $0.isForMoney })
    else { return nil }
    let within = others.count {
      isOf(zone, $0.offsets) || $0.span.contains($0.time - zone.0) || $0.span.contains($0.time - zone.1)
    }
    let agreeing = found + (zone.0 == 0 || zone.1 == 0 ? own : 0)
    guard agreeing * 4 >= (within + own) * 3, let first = others.first(where: { isOf(zone, $0.offsets) }) else {
      return nil
    }
    (count, all, seconds) = (found, rows.count, first.offsets.contains(zone.0) ? zone.0 : zone.1)
  }

  /// Returns the refusal of the file, as a reason behind its name.
  ///
  /// - Parameter add: The option that records the transactions all the same.
  package func reason(add: String) -> String {
    let (hours, minutes) = (abs(seconds) / 3600, abs(seconds) % 3600 / 60)
    let offset = [(hours, "h"), (minutes, "min")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    return
      "\(count == all ? "its \(count)" : "\(count) of its \(all)") transactions are there already, \(offset) \(seconds < 0 ? "later" : "earlier"), as after an import "
      + "with another time zone; \"bitpal portfolio undo\" takes that one back, \(add) records these too if they are others; nothing was imported"
  }

  /// Returns the coin of a file whose transactions are stored under a coin that the file lacks, as after an import with another
  /// `--map`: three quarters of those in the time of that coin have its seconds, types, amounts and, for money, prices.
  package static func otherCoin(
    of rows: [ImportedTransaction], in stored: [Transaction]
  ) -> (coin: String, other: String, count: Int)? {
    struct Same: Hashable {
      let time: Int
      let content: Content
      let price: Decimal?

      init(_ transaction: Transaction) {
        (time, content) = (ShiftedImport.seconds(transaction.date), ShiftedImport.content(transaction))
        price = transaction.type.isForMoney ? transaction.pricePerCoin : nil
      }
    }
    let names = Set(rows.lazy.map(\.transaction.coinId))
    let others = Dictionary(grouping: stored.filter { !names.contains($0.coinId) }, by: \.coinId)
    guard !others.isEmpty else { return nil }
    let coins = Dictionary(grouping: rows.map(\.transaction), by: \.coinId)
    for (other, transactions) in others.sorted(by: { $0.key < $1.key }) {
      let (known, all) = (Set(transactions.map(Same.init)), transactions.map(\.date))
      guard let first = all.min(), let last = all.max() else { continue }
      for (coin, own) in coins.sorted(by: { $0.key < $1.key }) {
        let within = own.filter { first <= $0.date && $0.date <= last }
        let twins = within.filter { known.contains(Same($0)) }
        let isCertain = twins.count > 1 || twins.contains { $0.type.isForMoney && !CutTimes.isDay($0) }
        if isCertain, twins.count * 4 >= within.count * 3 { return (coin, other, twins.count) }
      }
    }
    return nil
  }

  private static func content(_ transaction: Transaction) -> Content {
    Content(type: transaction.type, amount: transaction.amount)
  }

  private static func seconds(_ date: Date) -> Int { Int(date.secondsRoundedDown) }
}

extension Int {
  /// The greatest multiple of a number that is not greater.
  fileprivate func roundedDown(to step: Int) -> Int { self - (self % step + step) % step }
}
