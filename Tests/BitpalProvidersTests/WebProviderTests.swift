import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Providers on the web` {
  /// Answers quotes of whatever ids the URL names, and fails from a given request on.
  private struct Echo: Transport {
    let requests = Notes<HTTPRequest>()
    let deadlines = Notes<Duration?>()
    var failFrom = Int.max

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      requests.add(request)
      deadlines.add(Deadline.current)
      if requests.all.count >= failFrom { throw BitpalError.network(host: "h", reason: "gone") }
      let ids = request.url.split(separator: "ids=").last?.split(separator: "&").first?.split(separator: ",") ?? []
      let rows = ids.map { #"{"id":"\#($0)","symbol":"s","name":"n","current_price":1}"# }
      return HTTPResponse(status: 200, body: Array("[\(rows.joined(separator: ","))]".utf8))
    }
  }

  private func provider(_ transport: any Transport) -> DialectProvider {
    DialectProvider(dialect: CoinGeckoDialect(), transport: transport, time: ManualTime())
  }

  @Test func `600 coins are three requests of at most 250, without a space`() async throws {
    let echo = Echo()
    let coins = (1...600).map { "coin-\($0)" }
    let answer = try await provider(echo).quotes(coins, currency: "usd")
    #expect(answer.value.coins.count == 600)
    let lists = echo.requests.all.map { $0.url.split(separator: "ids=").last?.split(separator: "&").first ?? "" }
    #expect(lists.map { $0.split(separator: ",").count } == [250, 250, 100])
    #expect(lists.allSatisfy { !$0.contains("%20") })
  }

  @Test func `No request is longer than 4,000 bytes`() async throws {
    let echo = Echo()
    let coins = (1...120).map { "a-coin-with-quite-a-long-name-such-as-bridged-wrapped-staked-\($0)" }
    let answer = try await provider(echo).quotes(coins, currency: "usd")
    #expect(answer.value.coins.count == 120)
    #expect(echo.requests.all.allSatisfy { $0.url.utf8.count <= 4000 })
    #expect(echo.requests.all.count == 3)
  }

  @Test func `No coins need no request`() async throws {
    let echo = Echo()
    let answer = try await provider(echo).quotes([], currency: "usd")
    #expect(answer.value.coins.isEmpty && answer.value.failures.isEmpty && echo.requests.all.isEmpty)
  }

  @Test func `The answer of one request is kept when the next one fails`() async throws {
    let answer = try await provider(Echo(failFrom: 2)).quotes((1...300).map { "c\($0)" }, currency: "usd")
    #expect(answer.value.coins.count == 250 && answer.value.failures.count == 50)
    #expect(answer.value.failures["c300"] == .network(host: "h", reason: "gone"))
  }

  @Test func `When nothing came the failure is that of the whole`() async {
    await #expect(throws: BitpalError.network(host: "h", reason: "gone")) {
      try await provider(Echo(failFrom: 1)).quotes((1...300).map { "c\($0)" }, currency: "usd")
    }
  }

  @Test func `Every request of an answer shares one deadline, the nearer of its own and the command's`() async throws {
    let echo = Echo()
    _ = try await provider(echo).quotes((1...300).map { "c\($0)" }, currency: "usd")
    #expect(echo.deadlines.all == [.seconds(15), .seconds(15)])
    try await Deadline.independent(.seconds(3), on: ManualTime()) {
      _ = try await provider(echo).quotes(["x"], currency: "usd")
    }
    #expect(echo.deadlines.all.last == .seconds(3))
  }

  @Test func `A provider that only has quotes says so of the rest, and an answer of another kind is none`() async {
    struct QuotesOnly: PriceProvider {
      let descriptor = ProviderDescriptor(id: "q", name: "Q", kind: "test", capabilities: [.quotes], cacheIdentity: "q")

      func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
        guard case .quotes = query else { throw unsupported(query) }
        return ProviderAnswer(.coinList([]))
      }
    }
    await #expect(throws: BitpalError.unsupported(.detail, provider: "q", others: [])) {
      try await QuotesOnly().value(.detail(coin: "x", currency: "usd"), as: CoinDetail.self)
    }
    let reason = "it does not answer a question about quotes"
    await #expect(throws: BitpalError.unreadable(provider: "q", reason: reason)) {
      try await QuotesOnly().value(.quotes(coins: ["x"], currency: "usd"), as: Coin.self)
    }
  }
}
