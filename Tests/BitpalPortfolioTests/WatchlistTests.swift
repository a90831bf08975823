import BitpalModel
import BitpalPortfolio
import Foundation
import TestSupport
import Testing

@Suite struct `The watchlist` {
  private let folder: TemporaryFolder
  private let store: WatchlistStore

  init() throws {
    folder = try TemporaryFolder()
    store = WatchlistStore(file: UserDataFile(path: folder.path + "/bitpal.db"))
  }

  private func names() throws -> [String] { try store.items().map(\.coinId) }

  @Test func `Coins come back in the order in which they were added, with the time`() throws {
    #expect(try store.items() == [])
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/bitpal.db"))
    try store.add(["solana", "bitcoin"], now: Make.now)
    try store.add(["aave"], now: Make.now)
    #expect(try store.items() == ["solana", "bitcoin", "aave"].map { WatchlistItem(coinId: $0, dateAdded: Make.now) })
  }

  @Test func `A coin is in it once, and several are added together or not at all`() throws {
    try store.add(["bitcoin"], now: Make.now)
    for coins in [["solana", "bitcoin"], ["solana", ""]] {
      #expect(throws: WatchlistError.self) { try store.add(coins, now: Make.now) }
    }
    #expect(try names() == ["bitcoin"])
    #expect("\(WatchlistError.coinAlreadyExists("bitcoin"))" == "bitcoin is in the watchlist already")
    #expect("\(WatchlistError.invalidCoinId)" == "the coin is missing")
  }

  @Test func `A group and a note are kept, also by a move, and changed without adding the coin again`() throws {
    try store.add(["a", "b"], group: "core", note: "from \"May\",\n日本", now: Make.now)
    try store.add(["c"], now: Make.now)
    try store.move("b", to: 3)
    #expect(try store.items().map(\.group) == ["core", nil, "core"])
    #expect(try store.items().map(\.note) == ["from \"May\",\n日本", nil, "from \"May\",\n日本"])
    #expect(try store.add(["a", "d"], group: "fun", now: Make.day(1)).map(\.coinId) == ["a", "d"])
    try store.add(["b"], group: "", note: "", now: Make.day(1))
    #expect(try names() == ["a", "c", "b", "d"])
    #expect(try store.items().map(\.group) == ["fun", nil, nil, "fun"])
    #expect(try store.items().map(\.note) == ["from \"May\",\n日本", nil, nil, nil])
    #expect(try store.items().first?.dateAdded == Make.now)
    #expect(try store.items().inGroup("FUN").map(\.coinId) == ["a", "d"])
    #expect(try store.items().inGroup(nil).count == 4)
    let error = #expect(throws: BitpalError.self) { try store.items().inGroup("core") }
    #expect(error?.description.contains("there are fun") == true)
    #expect(try store.add(["a", "e", "e"], note: "x", now: Make.now).map(\.coinId) == ["a", "e"])
  }

  @Test func `Several are removed together or not at all`() throws {
    #expect(throws: WatchlistError.coinNotFound("x", suggestion: nil)) { try store.remove(["x"]) }
    try store.add(["a", "b", "bitcoin"], now: Make.now)
    #expect {
      try store.remove(["a", "bitcion"])
    } throws: { error in
      "\(error)" == "bitcion is not in the watchlist; did you mean \"bitcoin\"?"
    }
    #expect(try names() == ["a", "b", "bitcoin"])
    #expect(try store.remove(["a", "bitcoin", "a"]).map(\.coinId) == ["a", "bitcoin"])
    #expect(try names() == ["b"])
  }

  @Test(arguments: [(1, "c a b d"), (2, "a c b d"), (4, "a b d c"), (99, "a b d c"), (-3, "c a b d")])
  func `A coin can be moved, and what is added later comes after all`(place: Int, expected: String) throws {
    try store.add(["a", "b", "c", "d"], now: Make.now)
    try store.move("c", to: place)
    try store.add(["e", "f"], now: Make.day(1))
    #expect(try names().joined(separator: " ") == expected + " e f")
    #expect(try store.items().map(\.sortOrder) == [1, 2, 3, 4, 5, 6])
    #expect(throws: WatchlistError.self) { try store.move("x", to: 1) }
  }
}
