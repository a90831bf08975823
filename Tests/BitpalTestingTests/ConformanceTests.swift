import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalReplay
import BitpalTesting
import Foundation
import Testing

@Suite struct `What every provider must do` {
  /// CoinGecko as it answers, with the bodies of the demo recording.
  private struct Market: Transport {
    private static let folder =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path + "/Fixtures/market/bodies/"

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      try Task.checkCancellation()
      guard request.url.contains("vs_currency=usd") || !request.url.contains("vs_currency=") else {
        return HTTPResponse(status: 400, body: Array(#"{"error":"invalid vs_currency"}"#.utf8))
      }
      let name =
        if request.url.contains("/coins/markets") { "quotes-usd.json" } else if request.url.contains("/market_chart") {
          "line-bitcoin-usd-1d.json"
        } else { "candles-bitcoin-usd-1d.json" }
      return HTTPResponse(status: 200, body: Array(try Data(contentsOf: URL(fileURLWithPath: Self.folder + name))))
    }
  }

  private static let window = TimeWindow(ending: Date(milliseconds: 1_736_937_000_000), length: .seconds(86_400))

  private static let sample = ConformanceSample(
    coins: ["bitcoin", "ethereum", "shiba-inu"], currency: "usd", prices: ["bitcoin": "96841.328675354258"],
    line: ("bitcoin", window), candles: ("bitcoin", window, .seconds(1800)))

  private func broken(_ results: [ConformanceResult]) -> [String] {
    results.compactMap { result in
      if case .failed(let problem) = result.outcome { "\(result.rule.rawValue): \(problem)" } else { nil }
    }
  }

  @Test func `CoinGecko does all of it`() async throws {
    let make: ProviderConformance.Maker = { HTTPProvider(dialect: CoinGeckoDialect(), transport: $0, time: $1) }
    let suite = ProviderConformance(try make(Market(), ManualTime()), sample: Self.sample, make: make)
    await suite.expect()
    let skipped = await suite.check().filter { $0.outcome != .passed }.map(\.rule)
    #expect(skipped == [.unsupported])
  }

  @Test func `A recording does all of it`() async throws {
    let folder =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path + "/Fixtures/market"
    let provider = RecordedProvider(
      id: "fixture", name: "F", recording: try HARReader.head(folder), dialect: CoinGeckoDialect())
    let sample = try #require(try await provider.conformanceSample())
    #expect(sample.coins.count == 33)
    await ProviderConformance(provider, sample: sample).expect()
  }

  /// Breaks most rules there are.
  private struct Sloppy: PriceProvider {
    let descriptor = ProviderDescriptor(
      id: "sloppy", name: "", kind: "test", capabilities: [.quotes, .line, .candles], cacheIdentity: "s")

    func quotes(_ coins: [String], currency: String) async throws -> ProviderAnswer<QuoteBatch> {
      let all = Dictionary(
        uniqueKeysWithValues: (["extra"] + coins).map { id in
          (
            id,
            try? Coin(
              validating: id, symbol: "s", name: "n", currentPrice: coins.first == id ? 1 : 2, priceChange24h: nil,
              lastUpdated: nil)
          )
        })
      return ProviderAnswer(QuoteBatch(coins: all.compactMapValues { $0 }, failures: [:]))
    }

    func detail(_ coin: String, currency: String) async throws -> ProviderAnswer<CoinDetail> {
      throw CancellationError()
    }

    func line(_ coin: String, currency: String, window: TimeWindow) async throws -> ProviderAnswer<LineSeries> {
      let stamps = [window.end.adding(.seconds(-9 * 3600)), window.end.adding(.seconds(-10 * 3600))]
      return ProviderAnswer(LineSeries(points: stamps.map { ChartDataPoint(timestamp: $0, price: 1) }))
    }
  }

  @Test func `A sloppy provider is told what it does wrong`() async {
    let suite = ProviderConformance(Sloppy(), sample: Self.sample)
    #expect(
      broken(await suite.check()) == [
        "description: its name is empty", "empty input: 1 quotes and 0 failures came",
        "order: bitcoin has another price when the coins are asked for backwards",
        "unknown coins: a coin that does not exist costs 1",
        "batch limits: extra is in the answer, but was not asked for",
        "unsupported capabilities: it threw: CancellationError()",
        "currencies: bitcoin has a price in zzz, which is no currency",
        "number text: bitcoin costs 1, not 96841.328675354258",
        "times in UTC: the last point is of 2025-01-15 00:30:00Z, 10h before the end",
        "windows: points are not in order at 2025-01-15 00:30:00Z",
      ])
    let text = ConformanceRule.allCases.map { "\($0.rawValue)\($0.demand)\($0.reason)" }
    #expect(Set(text).count == ConformanceRule.allCases.count)
  }

  @Test func `In a test each broken rule is an issue that says why the rule exists`() async throws {
    await withKnownIssue {
      await ProviderConformance(Sloppy(), sample: Self.sample).expect()
    } matching: { issue in
      let text = issue.comments.first?.rawValue ?? ""
      return text.hasPrefix("sloppy breaks the rule on ") && text.contains("\n  rule: ")
        && text.contains("\n  reason: ")
    }
  }
}
