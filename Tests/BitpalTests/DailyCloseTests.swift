import Bitpal
import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Daily closes of several sources` {
  /// 2025-01-15 10:30Z.
  private let time = ManualTime()

  private static let day = Duration.seconds(86_400)

  /// The midnight with which a day in January 2025 begins.
  private static func january(_ day: Int) -> Date {
    Date(timeIntervalSince1970: 1_735_689_600 + Double(86_400 * (day - 1)))
  }

  private func service(_ providers: ScriptedProvider...) -> PriceService {
    PriceService(
      providers: providers, cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in }, time: time)
  }

  /// Shares: candles of a day, and a line of openings.
  private func shares() -> ScriptedProvider {
    let provider = ScriptedProvider(
      "shares", capabilities: [.quotes, .line, .candles], candleWidths: [.seconds(3600), Self.day], maxAge: Self.day * 4
    )
    provider.change { script in
      script.coins = ["AAPL"]
      let openings = (6...14).map { Self.january($0).adding(.seconds(52_200)) }
      script.points = openings.enumerated().map { ($1, 100 + $0) }
      script.candles = openings.enumerated().map { index, opening in
        CandleDataPoint(
          timestamp: opening.startOfDay, open: Decimal(100 + index), high: 300, low: 50, close: Decimal(200 + index))
      }
    }
    return provider
  }

  /// Coins: candles of four days, and a line whose samples at midnight close the day before.
  private func coins() -> ScriptedProvider {
    let provider = ScriptedProvider("coins", candleWidths: [Self.day * 4])
    provider.change { script in
      script.coins = ["bitcoin"]
      script.list = [("bitcoin", "btc")]
      script.points = (1...15).map { (Self.january($0), 1000 + $0) }
      script.candles = [9, 13].map {
        CandleDataPoint(timestamp: Self.january($0), open: 1, high: 9999, low: 1, close: 5555)
      }
    }
    return provider
  }

  @Test func `Closes of days that the first source lacks do not answer for days that it has`() async throws {
    let (first, other) = (coins(), ScriptedProvider("other"))
    other.change { script in script.points = (1...15).map { (Self.january($0), 2000 + $0) } }
    let service = service(first, other)
    first.change { $0.failure = .planLimit(provider: "coins", reason: "no more than ten days") }
    let old = try await service.history(
      "bitcoin", from: Self.january(2), to: Self.january(3), currency: "usd")
    #expect(old.source == "other")
    first.change { script in
      script.failure = nil
      script.points = (8...15).map { (Self.january($0), 1000 + $0) }
    }
    let new = try await service.history(
      "bitcoin", from: Self.january(9), to: Self.january(10), currency: "usd")
    #expect(new.source == "coins" && new.value.map(\.price) == [1010, 1011])
    // The days that were asked for are not asked for again.
    let count = other.asked.all.count
    let again = try await service.history(
      "bitcoin", from: Self.january(2), to: Self.january(3), currency: "usd")
    #expect(again.value == old.value && other.asked.all.count == count)
  }

  private func closes(_ coin: String, _ service: PriceService) async throws -> [String] {
    try await service.history(coin, from: Self.january(9), to: Self.january(10), currency: "usd").value
      .map { "\($0.dateText) \($0.price.plainText)" }
  }

  @Test(arguments: [false, true])
  func `Each source is asked for what it has, in whatever order they stand`(sharesFirst: Bool) async throws {
    let service = sharesFirst ? service(shares(), coins()) : service(coins(), shares())
    #expect(try await closes("AAPL", service) == ["2025-01-09 203", "2025-01-10 204"])
    #expect(try await closes("bitcoin", service) == ["2025-01-09 1010", "2025-01-10 1011"])
  }

  @Test(arguments: [false, true])
  func `The close of a whole day is that of the history, or there is none`(sharesFirst: Bool) async throws {
    let service = sharesFirst ? service(shares(), coins()) : service(coins(), shares())
    func days(_ coin: String, _ first: Int, _ last: Int) async throws -> [String] {
      try await service.dailyCandles(coin, from: Self.january(first), to: Self.january(last), currency: "usd").value
        .map { "\($0.dateText) \($0.price.plainText)" }
    }
    let closes = try await closes("AAPL", service)
    #expect(try await days("AAPL", 9, 10) == closes)
    // A single day too, and the last one that there is.
    #expect(try await days("AAPL", 14, 14) == ["2025-01-14 208"])
    await #expect { try await days("bitcoin", 9, 10) } throws: { ($0 as? BitpalError)?.code == .noData }
  }

  @Test func `Days put together from narrower candles have the closes of the history`() async throws {
    let provider = ScriptedProvider(candleWidths: [Self.day / 2])
    provider.change { script in
      script.points = (1...15).map { (Self.january($0), 1000 + $0) }
      script.candles = (8...13).flatMap { day in
        [0, 43_200].map { seconds in
          CandleDataPoint(
            timestamp: Self.january(day).adding(.seconds(seconds)), open: 1005, high: 1010, low: 1000, close: 1007)
        }
      }
    }
    let service = service(provider)
    let days = try await service.dailyCandles(
      "c", from: Self.january(9), to: Self.january(10), currency: "usd"
    ).value
    #expect(days.map { "\($0.dateText) \($0.price.plainText)" } == (try await closes("c", service)))
    #expect(days.map { $0.candle?.high } == [1010, 1011] && days.map { $0.candle?.close } == [1010, 1011])
  }

  @Test func `A file that has no price of the days leaves them to the next source`() async throws {
    let file = ScriptedProvider("file", capabilities: [.line], needsNetwork: false, hasStepPrices: true)
    file.change { script in
      script.isDaily = true
      script.points = [(Self.january(2), 7)]
    }
    #expect(try await closes("bitcoin", service(file, coins())) == ["2025-01-09 1010", "2025-01-10 1011"])
  }

  @Test func `A source that reaches less than a year is asked for what it has`() async throws {
    let provider = ScriptedProvider(
      capabilities: [.candles], candleWidths: [Self.day],
      reach: [.candles: SourceReach(.latest(rows: 100), longest: Self.day * 100)])
    provider.change { script in
      script.candles = (1...14).map {
        CandleDataPoint(timestamp: Self.january($0), open: 1, high: 99, low: 1, close: Decimal($0))
      }
    }
    #expect(try await closes("c", service(provider)) == ["2025-01-09 9", "2025-01-10 10"])
    #expect(provider.asked.all == ["candles c 1d over 100d"])
  }

  @Test func `A currency is asked of a source that has currencies, behind one with candles`() async throws {
    let bank = ScriptedProvider("bank", capabilities: [.quotes, .line], maxAge: Self.day * 5)
    bank.change { script in
      script.isDaily = true
      script.points = (1...14).map { (Self.january($0), $0) }
    }
    #expect(try await closes("fx:eur", service(shares(), bank)) == ["2025-01-09 9", "2025-01-10 10"])
  }

  @Test func `A line of days is cut to the days asked for, the first and the last included`() async throws {
    let bank = ScriptedProvider("bank", capabilities: [.line])
    bank.change { script in
      script.isDaily = true
      script.points = (1...14).map { (Self.january($0), $0) }
    }
    let range = ChartTimeRange.between(Self.january(6), Self.january(9), now: time.now, name: "6 to 8")
    let service = service(bank)
    for policy in [FetchPolicy.normal, .refresh] {
      let line = try await service.line("c", range: range, currency: "usd", policy: policy)
      #expect(line.value.points.map(\.price) == [6, 7, 8])
    }
  }

  @Test func `Candles of a day that an exchange opens at noon are cut by their days`() async throws {
    let range = ChartTimeRange.between(Self.january(9), Self.january(11), now: time.now, name: "9 to 10")
      .with(candle: Self.day)
    let series = try await service(shares()).candles("AAPL", range: range, currency: "usd").value
    #expect(series.candles.map(\.close) == [203, 204])
  }
}
