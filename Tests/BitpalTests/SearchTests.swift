import Bitpal
import BitpalCache
import BitpalModel
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Searching the coin list` {
  private let time = ManualTime()
  private let folder: TemporaryFolder
  private let provider = ScriptedProvider(
    prices: ["tether": 1],
    list: [("bitcoin", "btc"), ("wrapped-bitcoin", "wbtc"), ("tether", "usdt"), ("copy", "usdt")])

  init() throws {
    folder = try TemporaryFolder()
  }

  private func service(onDisk: Bool = true, time: (any TimeSource)? = nil) -> PriceService {
    PriceService(
      providers: [provider],
      cache: PriceCache(path: onDisk ? folder.path + "/c.db" : nil, memoryLimit: 1 << 20, diskLimit: 1 << 20) {
        Issue.record("\($0)")
      },
      time: time ?? self.time)
  }

  @Test(arguments: [true, false])
  func `The list is fetched once, and searched where it is`(onDisk: Bool) async throws {
    let service = service(onDisk: onDisk)
    #expect(try await service.search("BTC").value.map(\.id) == ["bitcoin", "wrapped-bitcoin"])
    #expect(try await service.search("bitcoin", limit: 1).value.map(\.id) == ["bitcoin"])
    #expect(try await service.search("nothing").value.isEmpty)
    #expect(service.nearestCoin(to: "bitcion") == "bitcoin")
    if onDisk { #expect(provider.asked.all == ["list"]) }
  }

  @Test func `A list past its time to live is fetched again, and the old one is served when that fails`() async throws {
    let service = service()
    _ = try await service.search("btc")
    time.advance(by: .seconds(7 * 86_400 + 1))
    provider.change { $0.failure = .network(host: "h", reason: "down") }
    let old = try await service.search("btc")
    #expect(old.freshness == .stale(age: .seconds(7 * 86_400 + 1), because: .sourceFailed("cannot reach h: down")))
    #expect(old.value.count == 2)
    provider.change { $0.failure = nil }
    time.advance(by: .seconds(5))
    #expect(try await service.search("btc").freshness == .fresh)
    #expect(provider.asked.all == ["list", "list", "list"])
  }

  @Test func `A refresh fetches now, and a failed one leaves the old list in place`() async throws {
    let service = service()
    let down = BitpalError.network(host: "h", reason: "down")
    provider.change { $0.failure = down }
    await #expect(throws: down) { try await service.search("btc", policy: .refresh) }
    provider.change { $0.failure = nil }
    time.advance(by: .seconds(5))
    _ = try await service.search("btc")
    time.advance(by: .seconds(60))
    provider.change { $0.failure = down }
    let old = try await service.search("btc", policy: .refresh)
    #expect(old.freshness == .stale(age: .seconds(60), because: .sourceFailed("cannot reach h: down")))
    #expect(old.value.count == 2)
  }

  @Test func `Offline nothing is fetched`() async throws {
    await #expect(throws: BitpalError.offline(question: "the coin list")) {
      try await service().search("btc", policy: .offline)
    }
    #expect(provider.asked.all.isEmpty)
  }

  @Test func `Nothing to search for is an error`() async throws {
    await #expect(
      throws: BitpalError.usage(
        "there is nothing to search for", hint: "give a part of a coin's id, symbol or name")
    ) { try await service().search("  ") }
  }

  @Test func `Many that want the list at once cost one request`() async throws {
    // The locks are those of the system, and so is the time for which they are waited for.
    let services = (0..<8).map { _ in service(time: SystemTime()) }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for service in services { group.addTask { try await service.search("btc").value.count } }
      for try await count in group { #expect(count == 2) }
    }
    #expect(provider.asked.all == ["list"])
  }

  @Test func `The candidates of a shared symbol have their cached prices`() async throws {
    provider.change {
      $0.list = [("copy", "tth"), ("tether", "tth"), ("a", "zz"), ("b", "zz")]
      $0.prices = ["tether": 1]
    }
    let service = service()
    _ = try await service.coinList()
    _ = try await service.quotes(["tether"], currency: "usd")
    let failures = try await service.quotes(["tth", "zz"], currency: "usd").failures.map(\.error.description)
    // The best known first, and never another to be chosen.
    #expect(
      failures == [
        """
        "tth" is the symbol of 2 coins:
          tether: tether, \(NumberFormat.price(1)) USD
          copy: copy
        use an id, or choose one for good with "bitpal config alias tth tether"
        """,
        """
        "zz" is the symbol of 2 coins:
          a: a
          b: b
        use an id, or choose one for good with "bitpal config alias zz ID"
        """,
      ])
  }

  @Test func `Well-known coins come first, best known before others`() async throws {
    provider.change {
      $0.list = [
        ("bitcoin-cash", "bch"), ("aaa-bit", "x"), ("bit", "y"), ("bitcoin", "btc"), ("arabit", "bit"),
        ("binancecoin", "bnb"),
      ]
    }
    let found = try await service().search("bit", limit: 5).value.map(\.id)
    #expect(found == ["bitcoin", "bitcoin-cash", "arabit", "bit", "aaa-bit"])
  }
}
