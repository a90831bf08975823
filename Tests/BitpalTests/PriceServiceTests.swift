import Bitpal
import BitpalCache
import BitpalModel
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `The price service` {
  private let time = ManualTime()
  private let folder: TemporaryFolder
  private let down = BitpalError.network(host: "h", reason: "down")

  init() throws {
    folder = try TemporaryFolder()
  }

  private func service(_ providers: ScriptedProvider..., aliases: [String: String] = [:], trace: Trace = .silent)
    -> PriceService
  {
    PriceService(
      providers: providers,
      cache: PriceCache(path: folder.path + "/c.db", memoryLimit: 1 << 20, diskLimit: 1 << 20) {
        Issue.record("\($0)")
      },
      settings: ServiceSettings(maxStale: .seconds(3600), aliases: aliases), time: time, trace: trace)
  }

  private func shown(_ answer: QuotesAnswer) -> [String] {
    answer.quotes.map { quote in
      let stale = if case .stale(let age, _) = quote.freshness { " stale \(age.shortText)" } else { "" }
      return "\(quote.value.id) \(quote.value.currentPrice) \(quote.source)\(stale)"
    } + answer.failures.map { "\($0.coin): \($0.error.code.rawValue)" }
  }

  @Test func `An untrusted alias is not followed, with one warning where it would have mattered`() async throws {
    let provider = ScriptedProvider(
      prices: ["bitcoin": 1, "evil": 2, "b": 3], list: [("bitcoin", "btc"), ("evil", "evl"), ("b", "b")])
    let warnings = Notes<String>()
    let service = PriceService(
      providers: [provider], cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in },
      settings: ServiceSettings(withheldAliases: ["bitcoin": "evil", "btc": "bitcoin", "x": "evil"]), time: time
    ) { warnings.add($0) }
    #expect(
      shown(try await service.quotes(["Bitcoin", "btc", "x", "b"], currency: "usd")).prefix(2) == [
        "bitcoin 1 p", "b 3 p",
      ])
    #expect(try await service.resolve("btc") == "bitcoin")
    await #expect(throws: BitpalError.self) { try await service.resolve("x") }
    #expect(
      warnings.all
        == ["Bitcoin", "x"].map {
          "\($0) is an alias for evil in settings that are not trusted; \"bitpal trust\" if they are yours"
        })
  }

  @Test func `Cached coins are not asked for again, missing ones all at once`() async throws {
    let provider = ScriptedProvider(prices: ["a": 1, "b": 2, "c": 3])
    _ = try await service(provider).quotes(["a"], currency: "usd")
    let answer = try await service(provider).quotes(["c", "a", "b", "c"], currency: "usd")
    #expect(shown(answer) == ["c 3 p", "a 1 p", "b 2 p"])
    #expect(provider.asked.all == ["quotes a", "quotes c,b"])
  }

  @Test func `A quote past its time to live is fetched again, and served stale when that fails`() async throws {
    let provider = ScriptedProvider(prices: ["a": 1])
    let service = service(provider)
    _ = try await service.quotes(["a"], currency: "usd")
    time.advance(by: .seconds(60))
    #expect(shown(try await service.quotes(["a"], currency: "usd")) == ["a 1 p"])
    time.advance(by: .seconds(1))
    provider.change { $0.prices["a"] = 2 }
    #expect(shown(try await service.quotes(["a"], currency: "usd")) == ["a 2 p"])
    time.advance(by: .seconds(90))
    let down = down
    provider.change { $0.failure = down }
    let stale = try await service.quotes(["a"], currency: "usd")
    #expect(shown(stale) == ["a 2 p stale 1m 30s"])
    #expect(stale.quotes.first?.freshness == .stale(age: .seconds(90), because: .sourceFailed("cannot reach h: down")))
    time.advance(by: .seconds(3600))
    #expect(shown(try await service.quotes(["a"], currency: "usd")) == ["a: network"])
  }

  @Test func `Offline serves cached answers, fresh or stale, without a request`() async throws {
    let provider = ScriptedProvider(prices: ["a": 1])
    let service = service(provider)
    _ = try await service.quotes(["a"], currency: "usd")
    #expect(shown(try await service.quotes(["a", "b"], currency: "usd", policy: .offline)) == ["a 1 p", "b: offline"])
    time.advance(by: .seconds(120))
    #expect(shown(try await service.quotes(["a"], currency: "usd", policy: .offline)) == ["a 1 p stale 2m"])
    await #expect(throws: BitpalError.offline(question: "the detail of a in usd")) {
      try await service.detail("a", currency: "usd", policy: .offline)
    }
    #expect(provider.asked.all == ["quotes a"])
  }

  @Test func `Refresh always asks, and what is cached stands in when that fails`() async throws {
    let provider = ScriptedProvider(prices: ["a": 1])
    let service = service(provider)
    _ = try await service.quotes(["a"], currency: "usd")
    _ = try await service.quotes(["a"], currency: "usd", policy: .refresh)
    let down = down
    provider.change { $0.failure = .rateLimited(provider: "p", wait: .seconds(9), reason: "full") }
    let limited = try await service.quotes(["a"], currency: "usd", policy: .refresh)
    #expect(shown(limited) == ["a 1 p"])
    #expect(
      limited.quotes.first?.warnings.map(\.description)
        == ["not refreshed: p allows no more requests now: full (free again in 9s)"])
    provider.change { $0.failure = down }
    #expect(shown(try await service.quotes(["a"], currency: "usd", policy: .refresh)) == ["a 1 p stale 0s"])
    #expect(provider.asked.all == ["quotes a", "quotes a", "quotes a", "quotes a"])
  }

  @Test func `A coin that the source lacks is not asked for again for a minute`() async throws {
    let provider = ScriptedProvider(prices: ["a": 1], list: [("a", "s"), ("gone", "g")])
    let service = service(provider)
    for _ in 1...2 { #expect(shown(try await service.quotes(["gone"], currency: "usd")) == ["gone: not_found"]) }
    time.advance(by: .seconds(61))
    _ = try await service.quotes(["gone"], currency: "usd")
    #expect(provider.asked.all == ["quotes gone", "list", "quotes gone"])
  }

  @Test func `A name is an alias, else a well-known ticker, else an id, else a symbol that only one coin has`()
    async throws
  {
    let provider = ScriptedProvider(
      prices: ["bitcoin": 1, "btc": 2, "dogecoin": 3, "eth": 4, "frog": 5],
      list: [
        ("bitcoin", "btc"), ("btc", "zzz"), ("dogecoin", "doge"), ("two", "zz"), ("one", "zz"), ("eth", "x"),
        ("frog", "fro"),
      ])
    let service = service(provider, aliases: ["btc": "bitcoin"])
    let names = ["BTC", "doge", "zz", "ETH", "fro", "id:btc", "dogecon"]
    let answer = try await service.quotes(names, currency: "usd")
    #expect(
      shown(answer) == [
        "bitcoin 1 p", "dogecoin 3 p", "frog 5 p", "btc 2 p", "zz: ambiguous", "ETH: not_found", "dogecon: not_found",
      ])
    let candidates = try ["one", "two"].map { try CoinListItem(validating: $0, symbol: "zz", name: $0) }
    #expect(answer.failures.first?.error == .ambiguous(symbol: "zz", candidates: candidates))
    #expect(answer.failures.last?.error == .notFound(coin: "dogecon", provider: "p", suggestion: "dogecoin"))
    #expect(try await service.resolve("DOGE") == "dogecoin")
    #expect(
      provider.asked.all == ["quotes bitcoin,dogecoin,zz,ethereum,fro,btc,dogecon", "list", "quotes frog"])
  }

  @Test func `A well-known ticker that hides another coin's id says so once, and id: leads to that`() async throws {
    let provider = ScriptedProvider(
      prices: ["uniswap": 1, "uni": 2], list: [("uniswap", "uni"), ("uni", "unicorn")])
    let warnings = Notes<String>()
    let service = PriceService(
      providers: [provider], cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in }, time: time
    ) { warnings.add($0) }
    #expect(try await service.resolve("uni") == "uniswap")
    #expect(provider.asked.all.isEmpty && warnings.all.isEmpty)
    _ = try await service.coinList()
    for _ in 1...2 { #expect(try await service.resolve("uni") == "uniswap") }
    #expect(warnings.all == ["uni is Uniswap (uniswap); the coin whose id is uni is id:uni"])
    #expect(shown(try await service.quotes(["id:uni"], currency: "usd")) == ["uni 2 p"])
  }

  @Test func `With a coin list at hand a typo costs no request`() async throws {
    let provider = ScriptedProvider(prices: ["bitcoin": 1], list: [("bitcoin", "btc")])
    let service = service(provider)
    _ = try await service.coinList()
    #expect(
      shown(try await service.quotes(["bitcon", "btc"], currency: "usd")) == ["bitcoin 1 p", "bitcon: not_found"])
    await #expect(throws: BitpalError.notFound(coin: "bitcon", provider: "p", suggestion: "bitcoin")) {
      try await service.detail("bitcon", currency: "usd")
    }
    #expect(provider.asked.all == ["list", "quotes bitcoin"])
  }

  @Test func `The coin list is fetched once in seven days, and an old one is served when that fails`() async throws {
    let provider = ScriptedProvider(list: [("a", "b")])
    let service = service(provider)
    _ = try await service.coinList()
    time.advance(by: .seconds(7 * 86_400))
    #expect(try await service.coinList().freshness == .fresh)
    time.advance(by: .seconds(1))
    let down = down
    provider.change { $0.failure = down }
    let old = try await service.coinList()
    #expect(old.freshness == .stale(age: .seconds(7 * 86_400 + 1), because: .sourceFailed("cannot reach h: down")))
    #expect(old.value.map(\.id) == ["a"])
    #expect(provider.asked.all == ["list", "list"])
  }

  @Test func `A detail by symbol requests the list only if the name is not an id`() async throws {
    let provider = ScriptedProvider(prices: ["dogecoin": 3], list: [("dogecoin", "dog")])
    #expect(try await service(provider).detail("dog", currency: "usd").value.id == "dogecoin")
    #expect(provider.asked.all == ["detail dog", "list", "detail dogecoin"])
  }

  @Test func `A line is cut to the window that ends now, and lives as long as its range says`() async throws {
    let provider = ScriptedProvider()
    let now = time.now
    provider.change {
      $0.points = [
        (now.adding(.seconds(-3600)), 1), (now.adding(.seconds(-60)), 2), (now, 3), (now.adding(.seconds(9)), 4),
        (now.adding(.seconds(900)), 5),
      ]
    }
    let hour = try #require(ChartTimeRange.standard.named("1H"))
    let service = service(provider)
    #expect(try await service.line("a", range: hour, currency: "usd").value.points.map(\.price) == [2, 3, 4])
    time.advance(by: .seconds(60))
    #expect(try await service.line("a", range: hour, currency: "usd").value.points.map(\.price) == [2, 3, 4])
    time.advance(by: .seconds(1))
    _ = try await service.line("a", range: hour, currency: "usd")
    #expect(provider.asked.all == ["line a 1h", "line a 1h"])
    time.advance(by: .seconds(7200))
    await #expect(throws: BitpalError.noData(question: "the line of a in usd over 1h", provider: "p")) {
      try await service.line("a", range: hour, currency: "usd")
    }
  }

  @Test func `A time that is over is asked for once, and cut out of all since then where it cannot be`() async throws {
    let provider = ScriptedProvider()
    let now = time.now
    provider.change {
      $0.points = [(-7200, 1), (-5000, 2), (-4000, 3), (-60, 4)].map { (now.adding(.seconds($0.0)), $0.1) }
    }
    let past = ChartTimeRange.between(
      now.adding(.seconds(-7000)), now.adding(.seconds(-3600)), now: now, name: "an hour")
    let service = service(provider)
    #expect(try await service.line("a", range: past, currency: "usd").value.points.map(\.price) == [2, 3])
    _ = try await service.line("a", range: past, currency: "usd")
    #expect(provider.asked.all == ["line a past 3400s"])
    let limited = ScriptedProvider("q")
    limited.change {
      $0.points = [(-7200, 1), (-5000, 2), (-60, 4)].map { (now.adding(.seconds($0.0)), $0.1) }
      $0.lacksPast = true
    }
    #expect(try await self.service(limited).line("a", range: past, currency: "usd").value.points.map(\.price) == [2])
    #expect(limited.asked.all == ["line a past 3400s", "line a 7000s"])
  }

  @Test func `The next provider is asked for what the first cannot give, and each answer names its own`() async throws {
    let first = ScriptedProvider("first", prices: ["a": 1])
    let second = ScriptedProvider("second", prices: ["a": 7, "b": 8])
    let events = Notes<TraceEvent>()
    let service = service(first, second, trace: Trace { events.add($0) })
    #expect(shown(try await service.quotes(["a", "b"], currency: "usd")) == ["a 1 first", "b 8 second"])
    let down = down
    first.change { $0.failure = down }
    time.advance(by: .seconds(61))
    #expect(shown(try await service.quotes(["a"], currency: "usd")) == ["a 7 second"])
    #expect(try await service.detail("a", currency: "usd").source == "second")
    #expect(events.all.contains(.fellBack(provider: "first", reason: "cannot reach h: down")))
  }

  @Test func `A missing capability or currency is refused before anything is asked`() async throws {
    let provider = ScriptedProvider(prices: ["a": 1], capabilities: [.quotes], currencies: ["usd"])
    let service = service(provider)
    #expect(shown(try await service.quotes(["a"], currency: "eur")) == ["a: unsupported_currency"])
    await #expect(throws: BitpalError.unsupported(.candles, provider: "p", others: [])) {
      try await service.candles("a", range: ChartTimeRange.standard[0], currency: "usd")
    }
    #expect(provider.asked.all.isEmpty)
  }

  @Test func `Two currencies are two answers`() async throws {
    let provider = ScriptedProvider(prices: ["a": 1])
    let service = service(provider)
    _ = try await service.quotes(["a"], currency: "usd")
    _ = try await service.quotes(["a"], currency: "eur")
    #expect(provider.asked.all == ["quotes a", "quotes a"])
  }
}
