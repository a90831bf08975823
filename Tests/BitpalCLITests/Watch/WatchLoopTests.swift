import Bitpal
import BitpalCache
import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalQueries
import BitpalTesting
import Foundation
import TestSupport
import Testing

@testable import bitpal

@Suite struct `Watching for a long time` {
  /// Answers every request for prices with those of the coins it names, and notes the URL.
  private struct Market: Transport {
    let requests: Notes<String>

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      requests.add(request.url)
      let ids = request.url.split(separator: "&").first { $0.hasPrefix("ids=") }?.dropFirst(4) ?? ""
      let names = String(ids).replacingOccurrences(of: "%2C", with: ",").split(separator: ",")
      let rows = names.map {
        #"{"id":"\#($0)","symbol":"s","name":"N","current_price":\#(requests.all.count),"#
          + #""price_change_percentage_24h":1.5,"last_updated":"2025-01-15T10:30:00Z"}"#
      }
      return HTTPResponse(status: 200, body: Array("[\(rows.joined(separator: ","))]".utf8))
    }
  }

  @Test func `An hour with 100 coins costs exactly 120 requests`() async throws {
    let time = ManualTime()
    let requests = Notes<String>()
    let provider = DialectProvider(
      dialect: CoinGeckoDialect(), transport: Market(requests: requests), time: time)
    let service = PriceService(
      providers: [provider],
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1 << 20) { Issue.record("\($0)") }, time: time)
    let rule = SteadyRule((1...100).map { "coin-\($0)" }, every: .seconds(30), from: time.monotonic)
    let ticker = PriceTicker(rule, on: time) { coins, isFirst in
      try await service.quotes(coins, currency: "usd", policy: isFirst ? .normal : .refresh)
    }
    let loop = WatchLoop(ticker, on: time)
    // The hour ends just before its last instant, at which the 121st update would begin.
    let end = Task {
      try await time.sleep(for: .seconds(3600) - .milliseconds(1))
      loop.post(.key("q"))
    }
    await time.waitForSleepers()
    time.autoAdvance(sleepers: 2)
    let model = WatchModel(every: .seconds(30), order: nil, isLive: false, count: nil)
    var updates = 0
    let last = try await loop.run(model) { _, effects in updates += effects.contains(.report) ? 1 : 0 }
    try await end.value
    #expect(requests.all.count == 120)
    #expect(updates == 120)
    #expect(last.quotes.count == 100)
    #expect(Set(last.quotes.map(\.value.currentPrice)) == [120])
  }
}
