import BitpalFleet
import BitpalModel
import FoundationEssentials
import TestFleet
import TestSupport
import Testing

@testable import BitpalCache

/// What ``CacheTier`` promises, of each tier there is.
@Suite struct `Every tier of the cache` {
  /// A tier, made in a folder of its own.
  struct Kind: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @Sendable (_ folder: String) -> any CacheTier
  }

  static let kinds =
    [
      Kind(testDescription: "memory") { _ in MemoryTier(byteLimit: 1 << 22) },
      Kind(testDescription: "sqlite") { folder in
        SQLiteTier(
          file: DiskTier(path: folder + "/c.db", byteLimit: 1 << 22, isOwnPlace: true, patience: .seconds(2)) {
            Issue.record("\($0)")
          })
      },
    ] + (TestFleet.address == nil ? [] : [redis])

  private static let redis = Kind(testDescription: "redis") { folder in
    let machine = TestFleet.machine(in: folder) { Issue.record("\($0)") }
    return machine.map { FleetCacheTier($0.fleet) { _ in .seconds(60) } } ?? MemoryTier(byteLimit: 0)
  }

  private static let now = Date(milliseconds: 1_736_937_000_123)
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func key(
    _ kind: AnswerKey.Kind, _ coin: String = "bitcoin", provider: String = "p", range: String = "7d"
  ) -> AnswerKey {
    AnswerKey(provider: provider, kind: kind, coin: coin, currency: "usd", range: range)
  }

  private static func sourced(_ answer: Answer, _ key: AnswerKey, warnings: [AnswerWarning] = []) -> Sourced<
    Answer
  > {
    Sourced(answer, about: key, source: "s", fetchedAt: now, warnings: warnings)
  }

  private static func coin(_ price: String) throws -> Coin {
    try Coin(
      validating: "bitcoin", symbol: "btc", name: "Bit\"coin 🚀", currentPrice: Decimal(strict: price),
      priceChangePercentage24h: Decimal(strict: "-0.78878"), lastUpdated: now)
  }

  private static func list(_ items: [CoinListItem], provider: String = "p", at time: Date = now) -> Sourced<
    Answer
  > {
    Sourced(
      .coinList(items), about: AnswerKey(provider: provider, kind: .coinList), source: "s", fetchedAt: time)
  }

  /// One answer of each kind but the list, with the digits that a `double` would lose.
  private static func answers() throws -> [Sourced<Answer>] {
    let quote = try coin("69702.678747357291234567890123")
    let points = [
      ChartDataPoint(timestamp: now, price: try Decimal(strict: "26936.583065788534000000000001")),
      ChartDataPoint(timestamp: now.adding(.seconds(1)), price: 0),
    ]
    let candle = CandleDataPoint(
      timestamp: now, open: 2, high: 3, low: 1, close: try Decimal(strict: "1.00000000000000001"))
    let traded = CandleDataPoint(
      timestamp: now.adding(.seconds(1800)), open: 2, high: 3, low: 1, close: 2,
      volume: try Decimal(strict: "0.000000000000000001"))
    return [
      sourced(.quote(quote), key(.quote)),
      sourced(
        .detail(try CoinDetail(validating: quote, marketCap: Decimal(strict: "20512345678901234.5"), image: "x")),
        key(.detail)),
      sourced(.line(LineSeries(points: points)), key(.line)),
      sourced(.line(LineSeries(points: points, isDaily: true)), key(.line, "fx:eur")),
      sourced(.candles(CandleSeries(width: .seconds(1800), candles: [candle, traded])), key(.candles)),
      sourced(.missing, key(.quote, "gone").ofAbsence),
      // As a relay passes them on.
      Sourced(
        .quote(quote), about: key(.quote, range: "relay"), source: "s", fetchedAt: now,
        freshness: .outdated(age: .zero),
        conversion: Conversion(
          from: "usd", price: 2, rate: try Decimal(strict: "0.917431192660550459"), rateSource: "ecb", rateTime: now)),
      Sourced(
        .line(LineSeries(points: points)), about: key(.line, range: "relay"), source: "s", fetchedAt: now,
        freshness: .stale(age: .zero, because: .renewing),
        conversion: Conversion(from: "usd", price: nil, rate: 3, rateSource: "ecb", rateTime: now, carriedDays: 2)),
    ]
  }

  @Test(arguments: kinds) func `returns a stored answer`(kind: Kind) throws {
    let (tier, answer) = (kind.make(folder.path), try #require(try Self.answers().first))
    tier.store([answer])
    let same = tier.answer(for: answer.about)
    #expect(same == answer)
  }

  @Test(arguments: kinds) func `gives every answer back as it was stored, each under its own key`(kind: Kind) throws {
    let tier = kind.make(folder.path)
    let answers = try Self.answers()
    tier.store(answers)
    for answer in answers {
      #expect(tier.answer(for: answer.about) == answer)
      #expect(tier.stamp(of: answer.about)?.fetchedAt == Self.now)
      #expect(tier.stamp(of: answer.about)?.source == "s")
    }
    for other in [
      Self.key(.quote, "ethereum"), Self.key(.quote, provider: "q"), Self.key(.line, range: "1d"),
      Self.key(.line, range: ""), Self.key(.quote).ofAbsence, AnswerKey(provider: "p", kind: .coinList),
    ] {
      #expect(tier.answer(for: other) == nil && tier.stamp(of: other) == nil, "\(other)")
    }
  }

  @Test(arguments: kinds) func `does not keep warnings, which were shown already`(kind: Kind) throws {
    let tier = kind.make(folder.path)
    tier.store([Self.sourced(.missing, Self.key(.missing), warnings: [.roundedNumbers])])
    #expect(tier.answer(for: Self.key(.missing))?.warnings == [])
  }

  @Test(arguments: kinds) func `replaces what it had under the same key`(kind: Kind) throws {
    let tier = kind.make(folder.path)
    for price in ["1", "2"] { tier.store([Self.sourced(.quote(try Self.coin(price)), Self.key(.quote))]) }
    #expect(tier.answer(for: Self.key(.quote))?.value == .quote(try Self.coin("2")))
    #expect(tier.removeAll() == 1)
  }

  @Test(arguments: kinds) func `finds a coin of a list by its id, then by its symbol`(kind: Kind) throws {
    let tier = kind.make(folder.path)
    func item(_ id: String, _ symbol: String) throws -> CoinListItem {
      try CoinListItem(validating: id, symbol: symbol, name: id)
    }
    tier.store([Self.list([try item("bitcoin", "btc"), try item("btc", "xyz"), try item("old", "btc")])])
    #expect(tier.coins(named: "btc", provider: "p").map(\.id) == ["btc", "bitcoin", "old"])
    #expect(tier.coins(named: "BTC", provider: "p").map(\.id) == ["bitcoin", "old"])
    #expect(tier.coins(named: "btc", provider: "other").isEmpty)
    let later = Self.now.adding(.seconds(5))
    tier.store([Self.list([try item("bitcoin", "btc")], at: later)])
    let key = AnswerKey(provider: "p", kind: .coinList)
    #expect(tier.answer(for: key)?.value == .coinList([try item("bitcoin", "btc")]))
    #expect(tier.stamp(of: key)?.fetchedAt == later)
    #expect(tier.coins(named: "old", provider: "p").isEmpty)
  }

  @Test(arguments: kinds) func `searches a list exactly as the rules do`(kind: Kind) throws {
    let tier = kind.make(folder.path)
    let parts = [
      "bit", "Bít", "BITCOIN", "coin", "co in", "ｂit", "é", "%", "_", "\\", "🚀", "orbit", "''", "\"", "درهم",
    ]
    var items: [CoinListItem] = []
    for (index, first) in parts.enumerated() {
      for second in parts {
        items.append(try CoinListItem(validating: "\(first)-\(index)\(second)", symbol: second, name: second + first))
      }
    }
    tier.store([Self.list(items), Self.list([items[0]], provider: "other")])
    for text in parts + ["bit-", "-1", "B", "nothing", "bit c", "it%"] {
      let search = try #require(CoinSearch(text))
      for limit in [0, 3, 1000] {
        let found = tier.matches(search, limit: limit, provider: "p").map(\.id)
        #expect(found == search.matches(in: items, limit: limit).map(\.id), "\(text) \(limit)")
      }
    }
  }

  @Test(arguments: kinds) func `is empty after it is cleared`(kind: Kind) throws {
    let tier = kind.make(folder.path)
    let answers = try Self.answers()
    tier.store(answers + [Self.list([try CoinListItem(validating: "a", symbol: "b", name: "c")])])
    #expect(tier.removeAll() == answers.count + 1)
    for answer in answers { #expect(tier.answer(for: answer.about) == nil) }
    #expect(tier.coins(named: "a", provider: "p").isEmpty)
    #expect(tier.removeAll() == 0)
  }
}
