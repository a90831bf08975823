import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import Bitpal

@Suite struct `A list of sources` {
  private let time = ManualTime()
  private let limited = BitpalError.rateLimited(provider: "first", wait: .seconds(20), reason: "enough")

  private func service(
    _ providers: ScriptedProvider..., warn: @escaping @Sendable (String) -> Void = { _ in }
  ) -> PriceService {
    PriceService(
      providers: providers, cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in }, time: time,
      warn: warn)
  }

  /// A provider of shares, which has no list of them.
  private func shares(_ prices: [String: Int] = ["AAPL": 250]) -> ScriptedProvider {
    let provider = ScriptedProvider("shares", prices: prices, capabilities: [.quotes, .line])
    provider.change { $0.coins = Set(prices.keys) }
    return provider
  }

  private func code(_ name: String, _ service: PriceService, policy: FetchPolicy = .normal) async throws -> ErrorCode? {
    try await service.quotes([name], currency: "usd", policy: policy).failures.first?.error.code
  }

  // MARK: Limits and failures

  @Test(arguments: [false, true])
  func `A limit of one source outranks another's news that it has no such coin`(isLimitedFirst: Bool) async throws {
    let coins = ScriptedProvider(
      "first", prices: ["bitcoin": 1], list: [("bitcoin", "btc"), ("bitcoin-copy", "btc"), ("pepe", "pepe")])
    let service = isLimitedFirst ? service(coins, shares()) : service(shares(), coins)
    _ = try await service.coinList()
    let limited = limited
    coins.change { $0.failure = limited }
    for name in ["bitcoin", "btc", "pepe"] { #expect(try await code(name, service) == .rateLimited) }
    await #expect { try await service.line("pepe", range: .standard[5], currency: "usd") } throws: { error in
      (error as? BitpalError)?.code == .rateLimited
    }
  }

  @Test func `A limited source of shares leaves it open whether it has the share`() async throws {
    let shares = shares()
    let limited = limited
    shares.change { $0.failure = limited }
    let service = service(shares, ScriptedProvider("coins", prices: ["bitcoin": 1], list: [("bitcoin", "btc")]))
    _ = try await service.coinList()
    #expect(try await code("AAPL", service) == .rateLimited)
    await #expect { try await service.resolve("AAPL") } throws: { ($0 as? BitpalError)?.code == .rateLimited }
    #expect(try await service.existing(["AAPL"], currency: "usd").failures.first?.error.code == .rateLimited)
  }

  @Test func `A list that cannot be fetched leaves it open whether a symbol exists`() async throws {
    let coins = ScriptedProvider("coins", prices: ["bitcoin": 1])
    let limited = limited
    coins.change { $0.listFailure = limited }
    #expect(try await code("frog", service(coins)) == .rateLimited)
    // An id needs no list: the source itself has said that it has none of that id.
    #expect(try await code("id:frog", service(coins)) == .notFound)
    #expect(coins.asked.all == ["quotes frog", "list", "quotes frog"])
  }

  @Test func `A list on this machine is looked into while another source is limited`() async throws {
    let web = ScriptedProvider("web", capabilities: [.quotes])
    let limited = limited
    web.change { $0.failure = limited }
    let tape = ScriptedProvider("tape", prices: ["solo-coin": 3], list: [("solo-coin", "solo")], needsNetwork: false)
    #expect(try await service(web, tape).quotes(["solo"], currency: "usd").quotes.map(\.value.id) == ["solo-coin"])
    #expect(try await code("none", service(web, tape)) == .rateLimited)
  }

  @Test func `A pause that a source asks for is not a failure`() async throws {
    let (first, second) = (ScriptedProvider("first", prices: ["a": 1]), ScriptedProvider("second", prices: ["a": 2]))
    let limited = limited
    first.change { $0.failure = limited }
    let service = PriceService(
      providers: [first, second], cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in },
      settings: ServiceSettings(quotesTimeToLive: .zero), time: time)
    for _ in 1...8 {
      time.advance(by: .seconds(1))
      #expect(try await service.quotes(["a"], currency: "usd").quotes.map(\.source) == ["second"])
    }
    #expect(first.asked.all.count == 8)
    first.change { $0.failure = nil }
    time.advance(by: .seconds(1))
    #expect(try await service.quotes(["a"], currency: "usd").quotes.map(\.source) == ["first"])
  }

  // MARK: Names

  @Test func `A built-in ticker is never another coin`() async throws {
    let provider = ScriptedProvider(
      prices: ["beam": 7, "polygon-bridged": 8],
      list: [("beam", "beam"), ("beam-2", "beam"), ("polygon-bridged", "matic")])
    let service = service(provider)
    for isListCached in [false, true] {
      if isListCached { _ = try await service.coinList() }
      for (ticker, id) in [("beam", "beam-2"), ("matic", "matic-network")] {
        let failure = try await service.quotes([ticker], currency: "usd").failures.first?.error
        guard case .notFound(id, "p", _)? = failure else {
          Issue.record("\(ticker): \(String(describing: failure))")
          continue
        }
        #expect(try await service.resolve(ticker) == id)
        await #expect(throws: BitpalError.self) { try await service.detail(ticker, currency: "usd") }
        await #expect(throws: BitpalError.self) {
          try await service.history(
            ticker, from: time.now.adding(.seconds(-200_000)), to: time.now.adding(.seconds(-100_000)), currency: "usd")
        }
      }
    }
    #expect(try await service.quotes(["id:beam"], currency: "usd").quotes.map(\.value.id) == ["beam"])
  }

  @Test func `A coin that was replaced one for one is found by its former id and ticker, and a note says so`()
    async throws
  {
    let notes = Notes<String>()
    let provider = ScriptedProvider(
      prices: ["polygon-ecosystem-token": 8, "other": 1], list: [("polygon-ecosystem-token", "pol"), ("other", "oth")])
    let service = PriceService(
      providers: [provider], cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in },
      time: ManualTime(), warn: { notes.add($0) })
    // The list is fetched when the former id is denied.
    for name in ["matic", "MATIC", "matic-network", "polygon"] {
      let quotes = try await service.quotes([name], currency: "usd").quotes
      #expect(quotes.map(\.value.id) == ["polygon-ecosystem-token"], "\(name)")
    }
    #expect(notes.all.first == "matic-network is polygon-ecosystem-token at p now, exchanged one for one")
    #expect(notes.all.count == 2)
  }

  @Test func `At a source with ids of its own a ticker is that of its one coin, and a note names it`() async throws {
    let notes = Notes<String>()
    let provider = ScriptedProvider(
      prices: ["btc-bitcoin": 1, "dot-one": 2, "dot-two": 3],
      list: [("btc-bitcoin", "btc"), ("dot-one", "dot"), ("dot-two", "dot")], listedIDs: .own)
    let service = service(provider) { notes.add($0) }
    #expect(try await service.resolve("btc") == "btc-bitcoin")
    #expect(try await service.quotes(["btc"], currency: "usd").quotes.map(\.value.id) == ["btc-bitcoin"])
    #expect(notes.all == ["btc is btc-bitcoin at p, which has ids of its own"])
    #expect(try await code("dot", service) == .ambiguous)
    guard case .notFound("ethereum", _, _)? = try await service.quotes(["eth"], currency: "usd").failures.first?.error
    else {
      Issue.record("eth is not refused")
      return
    }
  }

  @Test func `A name is looked up in every list, and its coin asked for where it is`() async throws {
    let first = ScriptedProvider("first", prices: ["one": 1], list: [("one", "o")], listedIDs: .own)
    let second = ScriptedProvider("second", prices: ["render-token": 2], list: [("render-token", "rndr")])
    let service = service(first, second)
    #expect(try await service.quotes(["render-token"], currency: "usd").quotes.map(\.source) == ["second"])
    #expect(try await service.resolve("RNDR") == "render-token")
    #expect(try await code("nothing", service) == .notFound)
  }

  @Test func `A source is not asked for what its own list lacks`() async throws {
    let coins = ScriptedProvider("coins", prices: ["bitcoin": 1], list: [("bitcoin", "btc")])
    let shares = shares()
    let service = service(coins, shares)
    _ = try await service.coinList()
    for policy in [FetchPolicy.normal, .refresh] {
      let answer = try await service.quotes(["AAPL", "bitcoin"], currency: "usd", policy: policy)
      #expect(answer.quotes.map(\.source) == ["shares", "coins"])
    }
    #expect(try await service.existing(["AAPL", "VWCE.DE"], currency: "usd").ids == ["AAPL"])
    #expect(coins.asked.all == ["list", "quotes bitcoin", "quotes bitcoin"])
  }

  @Test func `A coin that had a price within a day is not unknown because an answer lacks it`() async throws {
    let provider = ScriptedProvider(prices: ["bitcoin": 1])
    let service = service(provider)
    #expect(try await service.quotes(["bitcoin"], currency: "usd").quotes.map(\.freshness.isServedStale) == [false])
    provider.change { $0.prices = [:] }
    time.advance(by: .seconds(300))
    #expect(try await service.quotes(["bitcoin"], currency: "usd").quotes.map(\.freshness.isServedStale) == [true])
    #expect(try await code("bitcoin-2", service) == .notFound)
    time.advance(by: .seconds(86_400))
    #expect(try await code("bitcoin", service) == .notFound)
  }

  @Test func `A list older than a day is fetched once before a coin counts as unknown`() async throws {
    let provider = ScriptedProvider(prices: ["bitcoin": 1], list: [("bitcoin", "btc")])
    let service = service(provider)
    _ = try await service.coinList()
    #expect(try await code("new", service) == .notFound)
    #expect(provider.asked.all == ["list"])
    time.advance(by: .seconds(86_401))
    provider.change { script in
      script.prices["new"] = 5
      script.list.append(("new", "n"))
    }
    #expect(try await service.quotes(["new"], currency: "usd").quotes.map(\.value.currentPrice) == [5])
    #expect(try await code("old", service) == .notFound)
    #expect(provider.asked.all == ["list", "list", "quotes new"])
  }

  @Test func `A source that is asked by ticker is asked again once its list is there`() async throws {
    let exchange = ScriptedProvider("exchange", list: [("zebra", "zbr")], listedIDs: .tickers)
    let service = service(exchange)
    #expect(try await code("id:frog", service) == .notFound)
    // The list told the ticker of the coin, which is not missing any more.
    exchange.change { $0.prices["zebra"] = 4 }
    #expect(try await service.quotes(["id:zebra"], currency: "usd").quotes.map(\.value.currentPrice) == [4])
    let limited = limited
    let other = ScriptedProvider("other", listedIDs: .tickers)
    other.change { $0.listFailure = limited }
    #expect(try await code("id:zebra", self.service(other)) == .rateLimited)
  }

  @Test func `The ranking of coins that share a symbol is the source's, after the best known`() async throws {
    let provider = ScriptedProvider(
      prices: ["alpha": 1, "beta": 2], list: [("alpha", "zz"), ("beta", "zz")])
    let service = service(provider)
    _ = try await service.coinList()
    provider.change { $0.ranks = ["alpha": 900, "beta": 30] }
    for coin in ["alpha", "beta"] { _ = try await service.detail(coin, currency: "usd") }
    guard
      case .ambiguous(_, let candidates, _)? = try await service.quotes(["zz"], currency: "usd").failures.first?.error
    else {
      Issue.record("zz is not ambiguous")
      return
    }
    #expect(candidates.map(\.id) == ["beta", "alpha"])
  }

  @Test func `Every printed id, given back, is the same coin`() async throws {
    let ids = ["beam", "beam-2", "link", "uni", "bitcoin", "mine", "sol"]
    let provider = ScriptedProvider(
      prices: Dictionary(uniqueKeysWithValues: zip(ids, 1...)), list: ids.map { ($0, "s") })
    let service = PriceService(
      providers: [provider], cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in },
      settings: ServiceSettings(aliases: ["mine": "bitcoin"]), time: time)
    for id in ids {
      #expect(try await service.resolve(service.name(ofID: id)) == id)
      #expect(try await service.quotes([service.name(ofID: id)], currency: "usd").quotes.map(\.value.id) == [id])
    }
  }

  @Test func `A ticker that is another coin's id is noted without a list`() async throws {
    let notes = Notes<String>()
    let provider = ScriptedProvider(prices: ["dydx-chain": 1, "bitcoin": 2])
    _ = try await service(provider) { notes.add($0) }.quotes(["dydx", "btc"], currency: "usd")
    #expect(notes.all == ["dydx is dYdX (dydx-chain); the coin whose id is dydx is id:dydx"])
  }

  // MARK: The cache alone

  @Test func `The cache alone gives the same answers as the service without a request`() async throws {
    let web = ScriptedProvider("web", prices: ["a": 1], list: [("a", "a")])
    let file = ScriptedProvider("file", prices: ["a": 9, "b": 8], capabilities: [.quotes], needsNetwork: false)
    let service = service(web, file)
    func cached(_ coin: String) async throws -> [String] {
      try await service.quotes([coin], currency: "usd", policy: .cached).quotes.map(\.source)
    }
    #expect(try await cached("a") == [])
    #expect(web.asked.all.isEmpty && file.asked.all.isEmpty)
    _ = try await service.quotes(["a", "b"], currency: "usd")
    #expect(try await cached("a") == ["web"])
    #expect(try await cached("b") == ["file"])
    time.advance(by: .seconds(61))
    for coin in ["a", "b"] { #expect(try await cached(coin) == []) }
  }

  @Test func `A coin's detail has the price that its quote has, without another request`() async throws {
    let provider = ScriptedProvider(prices: ["a": 10])
    let service = service(provider)
    _ = try await service.quotes(["a"], currency: "usd")
    provider.change { $0.prices["a"] = 11 }
    #expect(try await service.detail("a", currency: "usd").value.coin.currentPrice == 10)
    time.advance(by: .seconds(301))
    #expect(try await service.detail("a", currency: "usd").value.coin.currentPrice == 11)
    #expect(try await service.quotes(["a"], currency: "usd").quotes.map(\.value.currentPrice) == [11])
    #expect(provider.asked.all == ["quotes a", "detail a", "detail a"])
  }
}
