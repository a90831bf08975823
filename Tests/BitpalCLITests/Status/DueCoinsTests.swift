import Bitpal
import BitpalCache
import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalQueries
import BitpalTesting
import Testing

@testable import bitpal

@Suite struct `Prices behind a status line` {
  /// Answers every request with one price of that instant.
  private struct Source: Transport {
    let time: any TimeSource

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let row = #"{"id":"bitcoin","symbol":"btc","name":"B","current_price":1,"last_updated":"\#(time.now.iso8601)"}"#
      return HTTPResponse(status: 200, body: Array("[\(row)]".utf8))
    }
  }

  @Test func `They are fetched from half of their time to live on, and stale after twice of it`() async throws {
    let (time, timeToLive) = (ManualTime(), Duration.seconds(60))
    var settings = ServiceSettings()
    settings.quotesTimeToLive = timeToLive * 2
    let service = PriceService(
      providers: [DialectProvider(dialect: CoinGeckoDialect(), transport: Source(time: time), time: time)],
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1 << 20) { Issue.record("\($0)") },
      settings: settings, time: time)
    func state(_ policy: FetchPolicy = .normal) async throws -> String {
      let prices = try await PricesQuery(["bitcoin"], currency: "usd").answer(by: service, policy: .offline)
      let due = DueCoins(prices, in: "usd", timeToLive: timeToLive, by: service, policy: policy)
      let isStale = prices.quotes.first?.freshness.isServedStale
      return "\(due.names.isEmpty ? "rests" : due.areFresh ? "asks though fresh" : "asks"), "
        + (isStale.map { $0 ? "stale" : "fresh" } ?? "no price")
    }
    #expect(try await state() == "asks, no price")
    _ = try await service.quotes(["bitcoin"], currency: "usd")
    #expect(try await state() == "rests, fresh")
    #expect(try await state(.refresh) == "asks though fresh, fresh")
    var states: [String] = []
    for step in [29_999, 1, 30_000, 1, 59_998, 1, 1] {
      time.advance(by: .milliseconds(step))
      states.append(try await state())
    }
    #expect(
      states == [
        "rests, fresh", "asks though fresh, fresh", "asks though fresh, fresh", "asks, fresh", "asks, fresh",
        "asks, fresh", "asks, stale",
      ])
  }
}
