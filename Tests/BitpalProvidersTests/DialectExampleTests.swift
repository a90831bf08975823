import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials
import Testing

/// The example in the comment of `Dialect`.
@Suite struct `A dialect in two functions` {
  struct Spot: Dialect {
    let descriptor = ProviderDescriptor(
      id: "spot", name: "Spot", kind: "spot", capabilities: [.quotes], cacheIdentity: "spot")

    func plan(_ query: ProviderQuery) throws(BitpalError) -> [HTTPRequest] {
      query.coins.map { HTTPRequest(url: "https://spot.example/\($0)") }
    }

    func step(after exchanges: [HTTPExchange], asking query: ProviderQuery, round: Int) throws -> DialectStep {
      let prices = try exchanges.map { try Decimal(strict: String(decoding: $0.response.body, as: UTF8.self)) }
      let coins = try zip(query.coins, prices).map { try Coin(validating: $0, symbol: $0, name: $0, currentPrice: $1) }
      return .answer(ProviderAnswer(quotes: Dictionary(uniqueKeysWithValues: coins.map { ($0.id, $0) })))
    }
  }

  @Test func `plans requests and reads their responses`() throws {
    let query = ProviderQuery.quotes(coins: ["bitcoin", "ethereum"], currency: "usd")
    let requests = try Spot().plan(query)
    #expect(requests.map(\.url) == ["https://spot.example/bitcoin", "https://spot.example/ethereum"])
    let exchanges = zip(requests, ["97000.5", "3200"]).map {
      HTTPExchange(request: $0, response: HTTPResponse(status: 200, body: Array($1.utf8)))
    }
    guard case .answer(let answer) = try Spot().step(after: exchanges, asking: query, round: 0) else {
      Issue.record("the answer is not complete")
      return
    }
    #expect(answer.answers.count == 2 && answer.failures.isEmpty)
  }
}
