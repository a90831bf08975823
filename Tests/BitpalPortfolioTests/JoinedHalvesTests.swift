import BitpalModel
import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalPortfolio

@Suite struct `Halves of splits and renamings` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A data file with half of a split is read, named, and can be corrected`() throws {
    let file = UserDataFile(path: folder.path + "/bitpal.db")
    let store = TransactionStore(file: file)
    _ = try store.add(Make.draft(.buy, "1", "100"), currency: "usd", now: Make.now)
    let half = try Make.transaction(2, .send, "1", nil, date: Make.day(2), label: .split, group: "g")
    try file.write { _ = try TransactionRows($0, .main).insert([half]) }
    #expect(try store.loneHalves() == [.unpairedSplit("bitcoin", date: Make.day(2))])
    #expect(try PortfolioLedger(store.transactions()).positions == [])
    // What was lone before does not stand in the way of other changes.
    _ = try store.add(Make.draft(.buy, "2", "100", coin: "bitcoin", date: Make.day(3)), currency: "usd", now: Make.now)
    #expect(try store.remove(half.id, now: Make.now) == half)
    #expect(try PortfolioLedger(store.transactions()).positions.map(\.totalAmount) == [3])
  }

  @Test func `The halves of a split have one time, and those of a renaming are within a day`() throws {
    func lone(_ label: TransactionLabel, _ out: Date, _ into: Date, groups: [String] = ["g", "g"]) throws -> Int {
      let coins = label == .split ? ["old", "old"] : ["old", "new"]
      return JoinedHalves.lone(among: [
        try Make.transaction(1, .send, "1", nil, coin: coins[0], date: out, label: label, group: groups[0]),
        try Make.transaction(2, .receive, "1", "0", coin: coins[1], date: into, label: label, group: groups[1]),
      ]).count
    }
    #expect(try lone(.split, Make.day(2), Make.day(2)) == 0)
    #expect(try lone(.split, Make.day(2), Make.day(3)) == 2)
    #expect(try lone(.rename, Make.day(2), Make.day(3)) == 0)
    #expect(try lone(.rename, Make.day(2), Make.day(4)) == 2)
    #expect(try lone(.rename, Make.day(3), Make.day(2)) == 2)
    #expect(try lone(.rename, Make.day(2), Make.day(2), groups: ["g", "h"]) == 2)
  }
}
