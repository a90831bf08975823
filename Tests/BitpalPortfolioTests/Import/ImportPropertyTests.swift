import BitpalModel
import BitpalPortfolio
import Foundation
import TestSupport
import Testing

@Suite struct `A file that is imported twice adds its transactions once` {
  /// Rows of purchases, rewards and exchanges in the columns of the tests' own import.
  private func rows(_ generator: inout Sequence64, _ count: Int) -> [String] {
    (0..<count).map { _ in
      let day = 1 + generator.next() % 28
      let amount = "0.\(1 + generator.next() % 9)\(generator.next() % 3)"
      let coin = ["BTC", "ETH", "DOGE"][Int(generator.next() % 3)]
      let date = "2025-01-\(day < 10 ? "0" : "")\(day)"
      return switch generator.next() % 3 {
      case 0: "\(date),\(1 + generator.next() % 3)00,USD,\(amount),\(coin),,,,,,,"
      case 1: "\(date),,,\(amount),\(coin),,,\(1 + generator.next() % 5),USD,reward,,"
      default: "\(date),\(1 + generator.next() % 3)00,USD,\(amount),\(coin),0.5,USD,,,,a note,"
      }
    }
  }

  /// The same numbers in every run (SplitMix64).
  private struct Sequence64 {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }

  private func read(_ rows: [String]) throws -> [ImportedTransaction] {
    let bytes = Array(([Reading.header] + rows).joined(separator: "\n").utf8)
    let sheet = try Reading.sheet(bytes, by: Reading.specification(), Reading.options())
    return try sheet.transactions(ids: Dictionary(uniqueKeysWithValues: sheet.coins.map { ($0, $0.lowercased()) }))
  }

  @Test(arguments: 1...20)
  func `A longer export adds what is new, and an export of ours nothing`(seed: Int) throws {
    var generator = Sequence64(state: UInt64(seed))
    let folder = try TemporaryFolder()
    let store = TransactionStore(file: UserDataFile(path: folder.path + "/bitpal.db"))
    func add(_ rows: [ImportedTransaction]) throws -> (added: Int, known: Int) {
      let result = try store.add(rows, currency: "usd", now: Reading.now)
      return (result.added.count, result.known)
    }
    // Few days and amounts, so that many rows are alike in everything.
    let early = rows(&generator, 40)
    let late = rows(&generator, 30)
    #expect(try add(try read(early)) == (40, 0))
    #expect(try add(try read(early)) == (0, 40))
    #expect(try add(try read(early + late)) == (30, 40))
    #expect(try add(try read(late + early)) == (0, 70))
    let export = TransactionCSV.text(try store.transactions(), currency: "usd")
    let ours = try TransactionCSV.transactions(Array(export.utf8), file: "t.csv", now: Reading.now, currency: "usd")
    #expect(try add(ours) == (0, 70))
    #expect(try store.transactions().count == 70)
  }
}
