import Bitpal
import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Answers in a currency that the source lacks` {
  /// 2025-01-15 10:30Z, a Wednesday.
  private let time = ManualTime()

  private func service(_ providers: PairProvider..., rates: PairProvider...) -> PriceService {
    PriceService(
      providers: providers, converters: rates,
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { Issue.record("\($0)") },
      settings: ServiceSettings(aliases: ["btc": "bitcoin"]), time: time)
  }

  private func day(_ day: Int) throws -> Date { try #require(Date(utcText: "2025-01-\(day < 10 ? "0" : "")\(day)")) }

  @Test func `A price is the source's times the rate, exactly, and names both sources and both times`() async throws {
    let market = PairProvider("market", currencies: ["usd"], prices: ["bitcoin/usd": "96841.328675354258"])
    let bank = PairProvider("bank", prices: ["fx:usd/sek": "11.1847"], updated: try day(14))
    let answer = try await service(market, rates: bank).quotes(["bitcoin"], currency: "sek")
    let quote = try #require(answer.quotes.first)
    #expect(quote.value.currentPrice == Decimal(string: "1083141.2088352347694526"))
    #expect(quote.source == "market")
    #expect(
      quote.conversion
        == Conversion(
          from: "usd", price: Decimal(string: "96841.328675354258"), rate: try #require(Decimal(string: "11.1847")),
          rateSource: "bank", rateTime: try day(14)))
    #expect(quote.about.currency == "sek")
    // One percent of the coin's after one of the currency's.
    #expect(quote.value.priceChangePercentage24h == Decimal(string: "2.01"))
  }

  @Test(arguments: [
    ("usd", CurrencyProspect.expected), ("sek", .expected), ("btc", .doubtful(sources: ["market", "bank"])),
    ("nope", .none(sources: ["market", "bank"])),
  ])
  func `The prospect of a currency is known without a request where all sources name theirs`(
    currency: String, prospect: CurrencyProspect
  ) {
    let market = PairProvider("market", currencies: ["usd"], prices: [:])
    let bank = PairProvider("bank", currencies: ["sek"], prices: [:])
    #expect(service(market, rates: bank).prospect(ofPricesIn: currency) == prospect)
    #expect(market.asked.all.isEmpty && bank.asked.all.isEmpty)
  }

  @Test(arguments: [("usd", CurrencyProspect.expected), ("sats", .expected), ("nope", .doubtful(sources: ["open"]))])
  func `A source that names no currencies may have any`(currency: String, prospect: CurrencyProspect) {
    #expect(service(PairProvider("open", prices: [:])).prospect(ofPricesIn: currency) == prospect)
  }

  @Test func `An answer in the source's own currency is not converted, and no rate is requested`() async throws {
    let market = PairProvider("market", currencies: ["usd", "sek"], prices: ["bitcoin/sek": "1000000"])
    let bank = PairProvider("bank", prices: ["fx:usd/sek": "11"])
    let answer = try await service(market, rates: bank).quotes(["bitcoin"], currency: "sek")
    #expect(answer.quotes.first?.conversion == nil)
    #expect(bank.asked.all.isEmpty)
  }

  @Test func `Another source that has the currency goes before a conversion`() async throws {
    let first = PairProvider("first", currencies: ["usd"], prices: ["bitcoin/usd": "1"])
    let second = PairProvider("second", prices: ["bitcoin/sek": "12"])
    let bank = PairProvider("bank", prices: ["fx:usd/sek": "11"])
    let answer = try await service(first, second, rates: bank).quotes(["bitcoin"], currency: "sek")
    #expect(answer.quotes.map(\.source) == ["second"])
  }

  @Test func `Each coin is asked in a currency that its source has`() async throws {
    let shares = PairProvider(
      "shares", prices: ["AAPL/usd": "200", "SAP.DE/eur": "100"], onlyOwnCurrency: true)
    let bank = PairProvider("bank", prices: ["fx:usd/chf": "0.9", "fx:eur/chf": "0.95"])
    let answer = try await service(shares, rates: bank).quotes(["AAPL", "SAP.DE"], currency: "chf")
    #expect(answer.quotes.map { "\($0.value.id) \($0.value.currentPrice)" } == ["AAPL 180", "SAP.DE 95"])
  }

  @Test func `A source that has one currency for each coin is not asked for another once that is known`() async throws {
    let shares = PairProvider(
      "shares", currencies: ["usd", "eur", "chf"], prices: ["AAPL/usd": "200", "SAP.DE/eur": "100"],
      onlyOwnCurrency: true)
    let bank = PairProvider("bank", prices: ["fx:usd/chf": "0.9", "fx:eur/chf": "0.95"])
    let service = service(shares, rates: bank)
    for _ in 0..<2 {
      let answer = try await service.quotes(["AAPL", "SAP.DE"], currency: "chf")
      #expect(answer.quotes.map { "\($0.value.id) \($0.value.currentPrice)" } == ["AAPL 180", "SAP.DE 95"])
    }
    #expect(shares.asked.all == ["quotes AAPL,SAP.DE chf", "quotes SAP.DE eur", "quotes AAPL usd"])
  }

  @Test func `A rate that is only there the other way round is turned round`() async throws {
    let market = PairProvider("market", currencies: ["usd"], prices: ["bitcoin/usd": "100"])
    let bank = PairProvider("bank", prices: ["fx:eur/usd": "1.6"])
    let answer = try await service(market, rates: bank).quotes(["bitcoin"], currency: "eur")
    #expect(answer.quotes.first?.value.currentPrice == Decimal(string: "62.5"))
  }

  @Test func `Without a rate the failure says why of the source and of the bank`() async throws {
    let market = PairProvider("market", currencies: ["usd"], prices: ["bitcoin/usd": "100"])
    let bank = PairProvider("bank", currencies: ["eur"])
    let answer = try await service(market, rates: bank).quotes(["bitcoin"], currency: "xyz")
    #expect(
      answer.failures.first?.error
        == .allFailed([
          ProviderFailure(
            provider: "market", error: .unsupportedCurrency("xyz", provider: "market", supported: ["usd"])),
          ProviderFailure(
            provider: "bank", error: .unsupportedCurrency("xyz", provider: "bank", supported: ["eur"])),
        ]))
  }

  @Test func `Without anybody to convert nothing changes`() async throws {
    let market = PairProvider("market", currencies: ["usd"], prices: ["bitcoin/usd": "100"])
    let answer = try await service(market).quotes(["bitcoin"], currency: "sek")
    #expect(
      answer.failures.first?.error == .unsupportedCurrency("sek", provider: "market", supported: ["usd"]))
  }

  @Test func `A converted price is as stale as the staler of the two`() async throws {
    let market = PairProvider("market", currencies: ["usd"], prices: ["bitcoin/usd": "100"])
    let bank = PairProvider("bank", prices: ["fx:usd/sek": "11"])
    let service = service(market, rates: bank)
    _ = try await service.quotes(["bitcoin"], currency: "sek")
    time.advance(by: .seconds(7200))
    bank.fails.withLock { $0 = .network(host: "bank", reason: "down") }
    let quote = try #require(try await service.quotes(["bitcoin"], currency: "sek").quotes.first)
    #expect(
      quote.freshness == .stale(age: .seconds(7200), because: .sourceFailed("cannot reach bank: down")))
    // The price is of now; it is its rate that is old.
    #expect(quote.fetchedAt == time.now)
    #expect(market.asked.all == ["quotes bitcoin usd", "quotes bitcoin usd"])
  }

  @Test func `A rate keeps for an hour, and a converted price is answered from the cache`() async throws {
    let market = PairProvider("market", currencies: ["usd"], prices: ["bitcoin/usd": "100"])
    let bank = PairProvider("bank", prices: ["fx:usd/sek": "11"])
    let service = service(market, rates: bank)
    for _ in 0..<3 {
      _ = try await service.quotes(["bitcoin"], currency: "sek")
      time.advance(by: .seconds(1200))
    }
    #expect(bank.asked.all == ["quotes fx:usd sek"])
  }

  @Test func `A line is converted point by point, each by the rate of its day, at weekends by Friday's`() async throws {
    let points = try (9...14).map { ChartDataPoint(timestamp: try day($0).adding(.seconds(1)), price: 100) }
    let market = PairProvider("market", currencies: ["usd"], lines: ["bitcoin/usd": points])
    // The 11th and 12th are a weekend.
    let rates = try [(10, 2), (13, 3), (14, 4)].map { ChartDataPoint(timestamp: try day($0.0), price: Decimal($0.1)) }
    let bank = PairProvider("bank", lines: ["fx:usd/sek": rates])
    let range = try #require(ChartTimeRange.standard.named("1W"))
    let line = try await service(market, rates: bank).line("bitcoin", range: range, currency: "sek")
    #expect(line.value.points.map(\.price) == [200, 200, 200, 300, 400])
    #expect(line.warnings == [.withoutRate(count: 1, source: "bank")])
    #expect(line.conversion?.carriedDays == 2)
    #expect(line.conversion?.rate == 4)
    #expect(line.conversion?.price == nil)
  }

  @Test func `A price at midnight is converted by the rate of the day that ends, as its close is`() async throws {
    let points = try (11...14).map { ChartDataPoint(timestamp: try day($0), price: 100) }
    let market = PairProvider("market", currencies: ["usd"], lines: ["bitcoin/usd": points])
    let rates = try (10...14).map { ChartDataPoint(timestamp: try day($0), price: Decimal($0)) }
    let service = service(market, rates: PairProvider("bank", lines: ["fx:usd/sek": rates]))
    let range = try #require(ChartTimeRange.standard.named("1W"))
    let line = try await service.line("bitcoin", range: range, currency: "sek")
    #expect(line.value.points.map(\.price) == [1000, 1100, 1200, 1300])
    let closes = try await service.history("bitcoin", from: try day(10), to: try day(13), currency: "sek")
    #expect(closes.value.map(\.price) == [1000, 1100, 1200, 1300])
  }

  @Test func `A close whose rate is not yet stated is provisional, but not at weekends`() async throws {
    let points = try (9...14).map { ChartDataPoint(timestamp: try day($0).adding(.seconds(1)), price: 100) }
    let market = PairProvider("market", currencies: ["usd"], lines: ["bitcoin/usd": points])
    // The 10th is a Friday.
    for (last, provisional) in [(9, [10, 11, 12, 13]), (10, [13]), (13, [])] {
      let rates = [ChartDataPoint(timestamp: try day(last), price: 2)]
      let service = service(market, rates: PairProvider("bank", lines: ["fx:usd/sek": rates]))
      let closes = try await service.history("bitcoin", from: try day(last), to: try day(13), currency: "sek")
      #expect(try closes.value.filter(\.isProvisional).map(\.day) == provisional.map { try day($0) })
      #expect(closes.warnings.isEmpty == provisional.isEmpty)
    }
  }

  @Test func `Daily closes are converted by the rates of their days`() async throws {
    let points = try (10...15).map { ChartDataPoint(timestamp: try day($0).adding(.seconds(86_100)), price: 100) }
    let market = PairProvider("market", currencies: ["usd"], lines: ["bitcoin/usd": points])
    let rates = try (9...15).map { ChartDataPoint(timestamp: try day($0), price: Decimal($0)) }
    let bank = PairProvider("bank", lines: ["fx:usd/sek": rates])
    let closes = try await service(market, rates: bank)
      .history("bitcoin", from: day(12), to: day(13), currency: "sek")
    #expect(closes.value.map(\.price) == [1200, 1300])
    #expect(closes.about.currency == "sek")
  }

  @Test func `A detail keeps figures that are not money, and names those that were left out`() async throws {
    let market = PairProvider("market", currencies: ["usd"], prices: ["bitcoin/usd": "100"])
    let bank = PairProvider("bank", prices: ["fx:usd/sek": "11"])
    let detail = try await service(market, rates: bank).detail("bitcoin", currency: "sek")
    #expect(detail.value.marketCap == 11_000)
    #expect(detail.value.circulatingSupply == 10)
    #expect(detail.value.changes.week == nil)
    #expect(detail.warnings == [.unconverted("changes and extremes", coin: "bitcoin")])
  }

  @Test func `A currency as a coin is priced by the providers of rates`() async throws {
    let market = PairProvider("market", prices: ["bitcoin/usd": "100"], hasCurrencies: false)
    let bank = PairProvider("bank", prices: ["fx:eur/usd": "1.03"])
    let answer = try await service(market, rates: bank).quotes(["fx:EUR", "bitcoin"], currency: "usd")
    #expect(answer.quotes.map { "\($0.value.id) \($0.source)" } == ["fx:eur bank", "bitcoin market"])
    #expect(market.asked.all == ["quotes bitcoin usd"])
  }

  @Test func `Amounts are converted between coins and currencies`() async throws {
    let market = PairProvider("market", prices: ["bitcoin/usd": "100000", "ethereum/usd": "4000"])
    let bank = PairProvider("bank", prices: ["fx:usd/eur": "0.9"])
    let service = service(market, rates: bank)
    func result(_ amount: Decimal, _ from: String, _ to: String) async throws -> String {
      let answer = try await service.convert(amount, from: from, to: to)
      return "\(answer.from) \(answer.to) \(answer.result.plainText) at \(answer.price.value.currentPrice.plainText)"
    }
    #expect(try await result(2, "eth", "usd") == "ethereum usd 8000 at 4000")
    #expect(try await result(100, "USD", "eur") == "fx:usd eur 90 at 0.9")
    #expect(try await result(100, "usd", "btc") == "fx:usd bitcoin 0.001 at 0.00001")
    #expect(try await result(5, "eth", "btc") == "ethereum bitcoin 0.2 at 0.04")
    await #expect(throws: BitpalError.usage("usd and fx:USD are the same currency")) {
      try await service.convert(1, from: "usd", to: "fx:USD")
    }
  }

  @Test func `A part of a bitcoin is not taken for the coin of its name`() async throws {
    let service = service(PairProvider("market", prices: ["sats-ordinals/usd": "0.000001"]))
    for (from, to) in [("sats", "usd"), ("btc", "SATS"), ("bits", "usd")] {
      await #expect(throws: BitpalError.self) { try await service.convert(1, from: from, to: to) }
    }
    #expect(try await service.convert(1, from: "sats-ordinals", to: "usd").from == "sats-ordinals")
  }

  @Test func `On a Sunday a currency has Friday's rate`() async throws {
    let rates = try [(10, 2), (13, 3)].map { ChartDataPoint(timestamp: try day($0.0), price: Decimal($0.1)) }
    let bank = PairProvider("bank", lines: ["fx:usd/eur": rates])
    let answer = try await service(PairProvider("market"), rates: bank).convert(
      10, from: "usd", to: "eur", on: try day(12))
    #expect(answer.result == 20)
    #expect(answer.price.value.lastUpdated == (try day(10)))
  }
}

@Suite struct `Exchange rates that are too old` {
  /// 2025-01-15 10:30Z, a Wednesday; rates count for five days at this bank.
  private let time = ManualTime()

  private func service(_ providers: PairProvider..., rates: PairProvider...) -> PriceService {
    PriceService(
      providers: providers, converters: rates,
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { Issue.record("\($0)") },
      settings: ServiceSettings(), time: time)
  }

  private func instant(_ day: String) throws -> Date { try #require(Date(utcText: day)) }

  @Test func `A day of the past for which a bank had stopped its rates has none`() async throws {
    let rates = [ChartDataPoint(timestamp: try instant("2008-12-09"), price: 290)]
    let bank = PairProvider("bank", lines: ["fx:eur/isk": rates])
    let error = BitpalError.noData(
      question: "eur in isk on 2017-10-09; its rate before that is of 2008-12-09", provider: "bank")
    await #expect(throws: error) {
      try await service(PairProvider("market"), rates: bank).convert(
        100, from: "eur", to: "isk", on: try instant("2017-10-09"))
    }
  }

  @Test func `Prices of days beyond the age of the last rate are left out and counted`() async throws {
    let days = try (1...12).map {
      ChartDataPoint(timestamp: try instant("2025-01-\($0 < 10 ? "0" : "")\($0)").adding(.seconds(1)), price: 100)
    }
    let market = PairProvider("market", currencies: ["usd"], lines: ["bitcoin/usd": days])
    let rates = [ChartDataPoint(timestamp: try instant("2025-01-03"), price: 2)]
    let bank = PairProvider("bank", lines: ["fx:usd/isk": rates])
    let range = try #require(ChartTimeRange.standard.named("1M"))
    let line = try await service(market, rates: bank).line("bitcoin", range: range, currency: "isk")
    #expect(line.value.points.map(\.timestamp.dayText) == (3...8).map { "2025-01-0\($0)" })
    #expect(line.warnings == [.withoutRate(count: 6, source: "bank")])
  }

  @Test func `A latest rate of long ago converts no price, and the failure names its day`() async throws {
    let market = PairProvider("market", currencies: ["usd"], prices: ["bitcoin/usd": "100"])
    let bank = PairProvider("bank", prices: ["fx:usd/isk": "11"], updated: try instant("2025-01-09"))
    let service = service(market, rates: bank)
    let stale = BitpalError.noData(question: "usd in isk; its latest rate is of 2025-01-09", provider: "bank")
    let failure = try #require(try await service.quotes(["bitcoin"], currency: "isk").failures.first?.error)
    #expect(failure.message.contains("its latest rate is of 2025-01-09"))
    await #expect(throws: stale) { try await service.convert(1, from: "usd", to: "isk") }
    let weekend = PairProvider("bank", prices: ["fx:usd/isk": "11"], updated: try instant("2025-01-10"))
    #expect(try await self.service(market, rates: weekend).convert(1, from: "usd", to: "isk").result == 11)
  }

  @Test func `A currency that a bank lacks is named with the other one`() async throws {
    let bank = PairProvider("bank", prices: ["fx:usd/eur": "0.9"])
    await #expect(throws: BitpalError.noData(question: "usd in bam", provider: "bank")) {
      try await service(PairProvider("market", hasCurrencies: false), rates: bank).convert(1, from: "usd", to: "bam")
    }
  }
}

/// A provider of prices by coin and currency.
private final class PairProvider: PriceProvider {
  let descriptor: ProviderDescriptor
  let asked = Notes<String>()
  let fails = Locked<BitpalError?>(nil)
  private let prices: [String: String]
  private let lines: [String: [ChartDataPoint]]
  private let updated: Date?
  private let onlyOwnCurrency: Bool

  init(
    _ id: String, currencies: [String] = [], prices: [String: String] = [:], lines: [String: [ChartDataPoint]] = [:],
    updated: Date? = nil, onlyOwnCurrency: Bool = false, hasCurrencies: Bool? = nil
  ) {
    descriptor = ProviderDescriptor(
      id: id, name: id, kind: "test", capabilities: [.quotes, .detail, .line], currencies: currencies,
      maxAge: .seconds(5 * 86_400), hasCurrencies: hasCurrencies, hasOwnCurrencies: onlyOwnCurrency, cacheIdentity: id)
    self.prices = prices
    self.lines = lines
    self.updated = updated
    self.onlyOwnCurrency = onlyOwnCurrency
  }

  private func coin(_ id: String, _ currency: String) throws -> Coin {
    guard let price = prices["\(id)/\(currency)"].flatMap({ Decimal(string: $0) }) else {
      let own = prices.keys.filter { $0.hasPrefix(id + "/") }.map { String($0.dropFirst(id.count + 1)) }
      if onlyOwnCurrency, !own.isEmpty {
        throw BitpalError.unsupportedCurrency(currency, provider: descriptor.id, supported: own)
      }
      throw BitpalError.notFound(coin: id, provider: descriptor.id)
    }
    return try Coin(
      validating: id, symbol: "s", name: id, currentPrice: price, priceChangePercentage24h: 1, lastUpdated: updated)
  }

  func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
    asked.add("\(query.capability.rawValue) \(query.coins.joined(separator: ",")) \(query.currency ?? "")")
    if let error = fails.withLock({ $0 }) { throw error }
    switch query {
    case .quotes(let coins, let currency):
      var found: [String: Coin] = [:]
      var failures: [String: BitpalError] = [:]
      for id in coins {
        do {
          found[id] = try coin(id, currency)
        } catch let error as BitpalError {
          failures[id] = error
        }
      }
      return ProviderAnswer(quotes: found, failures: failures)
    case .detail(let id, let currency):
      return ProviderAnswer(
        .detail(
          try CoinDetail(
            validating: coin(id, currency), marketCap: 1000, circulatingSupply: 10,
            changes: PeriodChanges(week: 5))), about: id)
    case .line(let coin, let currency, _):
      guard let points = lines["\(coin)/\(currency)"] else {
        throw BitpalError.notFound(coin: coin, provider: descriptor.id)
      }
      return ProviderAnswer(.line(LineSeries(points: points)), about: coin)
    case .coinList, .top, .candles:
      throw unsupported(query)
    }
  }
}
