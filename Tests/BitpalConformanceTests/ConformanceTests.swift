import BitpalConformance
import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalReplay
import BitpalTesting
import Foundation
import Testing

@Suite struct `Conformance of every provider` {
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
      guard !request.url.contains("no-such-coin") || request.url.contains("/coins/markets") else {
        return HTTPResponse(status: 404, body: Array(#"{"error":"coin not found"}"#.utf8))
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
    line: ("bitcoin", "usd", window), candles: ("bitcoin", "usd", window, .seconds(1800)))

  private func broken(_ results: [ConformanceResult]) -> [String] {
    results.compactMap { result in
      if case .failed(let problem) = result.outcome { "\(result.rule.rawValue): \(problem)" } else { nil }
    }
  }

  @Test func `CoinGecko does all of it`() async throws {
    let make: ProviderConformance.Maker = { DialectProvider(dialect: CoinGeckoDialect(), transport: $0, time: $1) }
    let suite = ProviderConformance(try make(Market(), ManualTime()), sample: Self.sample, make: make)
    await suite.expect()
    let skipped = await suite.check().filter { $0.outcome != .passed }.map(\.rule)
    #expect(skipped == [.unsupported])
  }

  @Test func `Another server of bitpal does all of it`() async throws {
    var specification = ProviderSpecification(id: "relay", name: "Relay", kind: RelayKind())
    specification.baseURL = "http://relay.example:8642"
    let suite = try await ProviderConformance(OfflineFixtures.dialect(RelayDialect(specification)))
    await suite.expect()
    let skipped = await suite.check().filter { $0.outcome != .passed }.map(\.rule)
    #expect(skipped == [.unsupported])
  }

  @Test func `A recording does all of it`() async throws {
    let folder =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path + "/Fixtures/market"
    let provider = DialectProvider(
      id: "fixture", name: "F", recording: try HARReader.head(folder), dialect: CoinGeckoDialect())
    let sample = try #require(
      try await ConformanceSample(try HARReader.open(folder), answeredBy: provider))
    #expect(sample.coins.count == 33)
    await ProviderConformance(provider, sample: sample).expect()
  }

  /// Breaks most rules there are.
  private struct Sloppy: PriceProvider {
    let descriptor = ProviderDescriptor(
      id: "sloppy", name: "", kind: "test", capabilities: [.quotes, .line, .candles], cacheIdentity: "s")

    func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
      switch query {
      case .quotes(let coins, _): return ProviderAnswer(quotes: quotes(coins))
      case .detail: throw CancellationError()
      case .line(let coin, _, let window):
        let stamps = [window.end.adding(.seconds(-9 * 3600)), window.end.adding(.seconds(-10 * 3600))]
        let points = stamps.map { ChartDataPoint(timestamp: $0, price: 1) }
        return ProviderAnswer(.line(LineSeries(points: points)), about: coin)
      case .coinList, .top, .candles: throw unsupported(query)
      }
    }

    private func quotes(_ coins: [String]) -> [String: Coin] {
      let all = Dictionary(
        uniqueKeysWithValues: (["extra"] + coins).map { id in
          (
            id,
            try? Coin(
              validating: id, symbol: "s", name: "n", currentPrice: coins.first == id ? 1 : 2,
              priceChangePercentage24h: nil,
              lastUpdated: nil)
          )
        })
      return all.compactMapValues { $0 }
    }
  }

  @Test func `The faults of a sloppy provider are named`() async {
    let suite = ProviderConformance(Sloppy(), sample: Self.sample)
    #expect(
      broken(await suite.check()) == [
        "description: its name is empty", "empty input: 1 quotes and 0 failures came",
        "order: bitcoin has another price when the coins are asked for backwards",
        "unknown coins: a coin that does not exist costs 1",
        "batch limits: extra is in the answer, but was not asked for",
        "unsupported capabilities: it threw: CancellationError()",
        "currencies: bitcoin has a price in zzz, which is not a currency",
        "number text: bitcoin costs 1, not 96841.328675354258",
        "times in UTC: the last of the line of bitcoin is of 2025-01-15 01:30:00Z, 9h before the end",
        "windows: points are not in order at 2025-01-15 00:30:00Z",
      ])
    let text = ConformanceRule.allCases.map { "\($0.rawValue)\($0.demand)\($0.reason)" }
    #expect(Set(text).count == ConformanceRule.allCases.count)
  }

  // MARK: Broken over a transport

  /// CoinGecko's provider with one thing broken.
  private struct Broken: PriceProvider {
    let whole: DialectProvider
    let descriptor: ProviderDescriptor

    init(_ transport: any Transport, _ time: any TimeSource, coinsPerRequest: Int? = nil) {
      whole = DialectProvider(dialect: CoinGeckoDialect(), transport: transport, time: time)
      let own = whole.descriptor
      descriptor = ProviderDescriptor(
        id: own.id, name: own.name, kind: own.kind, capabilities: [.quotes],
        coinsPerRequest: coinsPerRequest ?? own.coinsPerRequest, cacheIdentity: own.cacheIdentity)
    }

    func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
      guard case .quotes = query else { throw unsupported(query) }
      return try await whole.answer(to: query)
    }
  }

  /// A way to the network with one thing broken.
  private struct Way: Transport {
    let body: @Sendable (HTTPRequest) async throws -> HTTPResponse

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await body(request) }
  }

  struct Mutant: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let problem: String
    var patience = Duration.seconds(30)
    let make: ProviderConformance.Maker
  }

  static let mutants = [
    Mutant(
      testDescription: "It does not hand the cancellation on",
      problem: "cancellation: 0.2s after it was cancelled, it still waits for the source",
      patience: .milliseconds(200),
      make: { source, time in
        Broken(Way { request in try await Task.detached { try await source.send(request) }.value }, time)
      }),
    Mutant(
      testDescription: "It takes the cancellation for a failure of the source",
      problem: "cancellation: a cancelled question ends with: cannot reach h: gone",
      make: { source, time in
        Broken(
          Way { request in
            do { return try await source.send(request) } catch is CancellationError {
              throw BitpalError.network(host: "h", reason: "gone")
            }
          }, time)
      }),
    Mutant(
      testDescription: "It makes an answer up when it is cancelled",
      problem: "cancellation: a cancelled question is answered without a response",
      make: { source, time in
        Broken(
          Way { request in
            do { return try await source.send(request) } catch is CancellationError {
              return HTTPResponse(status: 200, body: Array("[]".utf8))
            }
          }, time)
      }),
    Mutant(
      testDescription: "It never asks", problem: "cancellation: it answers without asking the source",
      make: { _, time in Broken(SampleMarket(), time) }),
    Mutant(
      testDescription: "It asks for what depends on the clock",
      problem: "no clock but the given one: how it asks for quotes depends on the time of day",
      make: { source, time in
        Broken(
          Way { request in
            var request = request
            request.url += "&now=\(time.now.milliseconds)"
            return try await source.send(request)
          }, time)
      }),
    Mutant(
      testDescription: "It reads by the clock",
      problem: "no clock but the given one: how it reads quotes depends on the time of day",
      make: { source, time in
        Broken(
          Way { request in
            let response = try await source.send(request)
            return time.now.milliseconds > 0 ? response : HTTPResponse(status: 200, body: Array("[]".utf8))
          }, time)
      }),
    Mutant(
      testDescription: "It names more coins than a request takes",
      problem: "batch limits: a request names 15 coins, but takes 2",
      make: { source, time in Broken(source, time, coinsPerRequest: 2) }),
    Mutant(
      testDescription: "It takes a refusal for an empty answer",
      problem: "error mapping: HTTP 429 becomes not_found, not rate_limited (quotes)",
      make: { source, time in
        Broken(
          Way { request in
            let response = try await source.send(request)
            return response.status == 429 ? HTTPResponse(status: 200, body: Array("[]".utf8)) : response
          }, time)
      }),
  ]

  @Test(arguments: mutants)
  func `A provider that is broken on its way to the source is caught by the rule meant for it`(mutant: Mutant)
    async throws
  {
    let provider = try mutant.make(SampleMarket(), ManualTime())
    var suite = ProviderConformance(provider, sample: SampleMarket.sample, make: mutant.make)
    suite.patience = mutant.patience
    #expect(broken(await suite.check()).contains { $0.hasPrefix(mutant.problem) })
  }

  @Test func `The same provider whole does all of it`() async throws {
    let make: ProviderConformance.Maker = { Broken($0, $1) }
    await ProviderConformance(try make(SampleMarket(), ManualTime()), sample: SampleMarket.sample, make: make).expect()
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
