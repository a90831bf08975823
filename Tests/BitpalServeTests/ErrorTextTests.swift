import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import Foundation
import TestSupport
import Testing

@testable import BitpalServe

@Suite struct `Text of an error over HTTP` {
  /// Failures of every kind, with all that their messages and hints can have.
  private static func failures() throws -> [BitpalError] {
    let coins = try (1...12).map { try CoinListItem(validating: "c\($0)", symbol: "c", name: "C \($0)") }
    let limit = try #require(RateLimit(limit: 5, window: .seconds(60)))
    let single: [BitpalError] = [
      .notFound(coin: "btc", provider: "web"), .notFound(coin: "btc", provider: "web", suggestion: "bitcoin"),
      .ambiguous(symbol: "c", candidates: coins), .noPrice(coin: "btc", provider: "web", reason: "none"),
      .notRecorded(question: "price", recording: "r", available: ["x"], append: "bitpal record r --append"),
      .noData(question: "btc", provider: "web"), .unsupported(.candles, provider: "web", others: ["other"]),
      .unsupportedCurrency("eur", provider: "web", supported: ["usd"]),
      .budgetUsed(provider: "web", used: 5, limit: limit, wait: .seconds(9), keyVariable: "WEB_API_KEY"),
      .rateLimited(provider: "web", wait: .seconds(900), reason: "429"),
      .rateLimited(provider: "web", wait: .seconds(9), reason: "429"), .budgetLocked(provider: "web", path: "/b.db"),
      .coolingDown(provider: "web", left: .seconds(9), last: "503"),
      .unauthorized(provider: "web", reason: "401"), .planLimit(provider: "web", reason: "365 days", others: ["other"]),
      .refused(provider: "web", status: 503, reason: "down"), .network(host: "web", reason: "refused"),
      .timedOut(provider: "web", limit: .seconds(1)), .offline(question: "btc"),
      .unreadable(provider: "web", reason: "not JSON"), .plugin(provider: "web", reason: "ended"),
      .sourcesDisagree(
        coin: "btc", AgreementRule(atLeast: 2).judge([.init(source: "a", price: 1), .init(source: "b", price: 2)])),
      .recordingDamaged(file: "r", entry: 1, reason: "changed: bitpal record r --accept"),
      .configuration([ConfigurationIssue(file: "a.yaml", line: 1, message: "wrong")]),
      .untrusted(file: "config.yaml", hasChanged: true, withheld: ["keys"]), .usage("range: no", hint: "there are: 1D"),
      .dataFile(path: "bitpal.db", reason: "damaged; \"bitpal portfolio restore FILE\" brings a backup back"),
    ]
    return single + [.allFailed(single.map { ProviderFailure(provider: "web", error: $0) })]
  }

  /// The options that are no words of their own, and commands as help texts write them.
  private static func typed(in text: String) -> [String] {
    let pattern = /(^|[\s("'])(--[a-z][a-z-]+|-[pcqvh]\b|bitpal [a-z]+)|[A-Z]+_[A-Z_]+/
    return text.matches(of: pattern).map { String($0.output.0) }
  }

  @Test func `names no command, option or variable, in any shape`() async throws {
    let failures = try Self.failures()
    #expect(Set(failures.map(\.code)) == Set(ErrorCode.allCases))
    for failure in failures {
      let source = WebSource(["bitcoin": "1"], capabilities: [.quotes, .detail, .coinList, .line])
      source.fail(failure)
      let exchange = Exchange(source)
      for target in [
        "/v1/price?coins=bitcoin,eth", "/v1/coin/bitcoin", "/v1/chart/bitcoin?range=1W", "/v1/history/bitcoin",
        "/v1/search?query=b", "/api/v3/simple/price?ids=bitcoin&vs_currencies=usd",
        "/api/v3/coins/markets?vs_currency=usd&ids=bitcoin", "/api/v3/coins/bitcoin",
        "/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=2",
      ] {
        let text = await exchange.get(target).text
        #expect(Self.typed(in: text) == [], "\(target) \(failure.code): \(text)")
      }
      #expect(Self.typed(in: failure.messageOverHTTP) == [])
    }
  }

  @Test func `of a request that cannot be answered names none either`() async throws {
    let exchange = try Exchange.recorded()
    for target in [
      "/v1/price", "/v1/price?coins=nonesuch", "/v1/chart/btc?range=7X", "/v1/chart/btc?from=x", "/v1/history/btc?on=x",
      "/v1/none", "/none", "/portfolio", "/?secret=x", "/events", "/v1/search", "/v1/schemas/none",
      "/api/v3/simple/price", "/api/v3/none", "/api/v3/coins/bitcoin/ohlc?vs_currency=sek&days=7",
      "/api/v3/coins/markets?vs_currency=usd&per_page=x", "/v1/coin/nonesuch", "/download/btc?as=x",
      "/v1/chart/btc?type=x",
    ] {
      let response = await exchange.get(target, [("Host", "localhost")])
      #expect(response.status >= 400 && Self.typed(in: response.text) == [], "\(target): \(response.text)")
    }
    for head in [
      WebHead(method: "PUT", target: "/"), WebHead(method: "GET", target: "/", headers: [WebHeader("Host", "evil")]),
      WebHead(
        method: "GET", target: "/", headers: [WebHeader("Host", "localhost"), WebHeader("Origin", "http://evil")]),
    ] {
      #expect(Self.typed(in: exchange.router.refusal(of: head)?.text ?? "--none") == [])
    }
  }
}
