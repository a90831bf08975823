import BitpalModel
import FoundationEssentials

/// The transactions of a file that are stored already with other times, as after an import in another time zone.
package struct ShiftedImport: Sendable {
  /// The number of transactions of the file that are stored.
  package let count: Int

  /// The number of transactions of the file, of which the latest may be new.
  private let all: Int

  /// The seconds by which the first of them is later than the stored one; below zero for earlier.
  package let seconds: Int

  /// The content of a coin's transaction that does not depend on its time, as the close of its day does.
  private struct Content: Hashable {
    let type: TransactionType
    let amount: Decimal
  }

  /// The offsets of time zones in seconds, but for that of UTC.
  private static let offsets = (-56...56).filter { $0 != 0 }.map { $0 * 900 }

  /// Compares the transactions of a file with those that are stored; nil unless each is stored with another time, but for new
  /// ones after the last of them.
  ///
  /// The offsets are those of one zone: quarters of an hour, within an hour of each other because of summer time. A
  /// single transaction and a file of rewards alone are never taken for it, because equal ones may follow each other.
  ///
  /// - Parameter stored: Returns the stored transactions of a coin; it is called once for a coin, and for no more after the first
  ///   transaction that is stored with its own time.
  package init?(
    _ rows: [ImportedTransaction], stored: (_ coin: String) throws -> [Transaction]
  ) rethrows {
    var times: [String: [Content: Set<Int>]] = [:]
    var offsets: [[Int]] = []
    var (last, new, hasMoney) = (Int.min, Int.max, false)
    for transaction in rows.lazy.map(\.transaction) {
      let coin = transaction.coinId
      if times[coin] == nil {
        times[coin] = Dictionary(grouping: try stored(coin), by: Self.content)
          .mapValues { Set($0.map { Self.seconds($0.date) }) }
      }
      let (known, time) = (times[coin]?[Self.content(transaction)] ?? [], Self.seconds(transaction.date))
      let possible = Self.offsets.filter { known.contains(time - $0) }
      if known.contains(time) { return nil }
      if possible.isEmpty {
        new = min(new, time)
      } else {
        (last, hasMoney) = (max(last, time), hasMoney || transaction.type.isForMoney)
        offsets.append(possible)
      }
    }
    guard offsets.count > 1, hasMoney, last < new else { return nil }
    let common = offsets[0].first { first in
      offsets.allSatisfy { $0.contains { abs($0 - first) <= 3600 && ($0 < 0) == (first < 0) } }
    }
    guard let common else { return nil }
    (count, all, seconds) = (offsets.count, rows.count, common)
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

  private static func content(_ transaction: Transaction) -> Content {
    Content(type: transaction.type, amount: transaction.amount)
  }

  private static func seconds(_ date: Date) -> Int { Int(date.secondsRoundedDown) }
}
