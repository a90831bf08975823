import BitpalCache
import BitpalModel
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Searching the cached coin list` {
  private let folder: TemporaryFolder
  private let cache: PriceCache

  init() throws {
    folder = try TemporaryFolder()
    cache = PriceCache(path: folder.path + "/c.db", memoryLimit: 1 << 20, diskLimit: 1 << 20) { Issue.record("\($0)") }
  }

  private func store(_ items: [CoinListItem], provider: String = "p") {
    cache.storeCoinList(items, provider: provider, source: "s", fetchedAt: Date(milliseconds: 0))
  }

  @Test func `The file answers exactly as the rules do`() throws {
    let parts = ["bit", "Bít", "BITCOIN", "coin", "co in", "ｂit", "é", "%", "_", "🚀", "orbit", "''", "\"", "درهم"]
    var items: [CoinListItem] = []
    for (index, first) in parts.enumerated() {
      for second in parts {
        items.append(try CoinListItem(validating: "\(first)-\(index)\(second)", symbol: second, name: second + first))
      }
    }
    store(items)
    for text in parts + ["bit-", "-1", "B", "nothing", "bit c", "it%"] {
      let search = try #require(CoinSearch(text))
      for limit in [0, 3, 1000] {
        let found = cache.search(search, limit: limit, provider: "p").map(\.id)
        #expect(found == search.matches(in: items, limit: limit).map(\.id), "\(text) \(limit)")
      }
    }
  }

  @Test func `Each provider has a list of its own, and a new one replaces the old`() throws {
    let search = try #require(CoinSearch("coin"))
    store([try CoinListItem(validating: "coin-a", symbol: "a", name: "A")])
    store([try CoinListItem(validating: "coin-b", symbol: "b", name: "B")], provider: "q")
    #expect(cache.search(search, limit: 9, provider: "p").map(\.id) == ["coin-a"])
    store([try CoinListItem(validating: "coin-c", symbol: "c", name: "C")])
    #expect(cache.search(search, limit: 9, provider: "p").map(\.id) == ["coin-c"])
    #expect(cache.search(search, limit: 9, provider: "q").map(\.id) == ["coin-b"])
    #expect(cache.search(search, limit: 9, provider: "r").isEmpty)
  }
}
