import BitpalModel
import BitpalServe
import Foundation
import TestSupport
import Testing

@Suite struct `Coins that fail in CoinGecko's form` {
  @Test func `A coin that its source could not answer is null, and one that does not exist is left out`() async throws {
    let source = WebSource(["bitcoin": "100"])
    let time = SteppedTime()
    let exchange = Exchange(source, time: time)
    _ = try await exchange.object("/api/v3/simple/price?ids=bitcoin&vs_currencies=usd")
    source.fail(.refused(provider: "web", status: 503, reason: "away"))
    let response = await exchange.get("/api/v3/simple/price?ids=bitcoin,ethereum&vs_currencies=usd")
    #expect(response.status == 200)
    #expect(response.text == #"{"bitcoin":{"usd":100},"ethereum":{"usd":null}}"#)
    #expect(response["X-Bitpal-Failed"] == "ethereum=refused")
    source.fail(nil)
    time.advance(.seconds(5))
    #expect(
      try await exchange.object("/api/v3/simple/price?ids=bitcoin,nothing&vs_currencies=usd").keys.sorted()
        == ["bitcoin"])
  }

  @Test func `A coin of the market that its source could not answer has a row without figures, after the others`()
    async throws
  {
    let source = WebSource(["bitcoin": "100"])
    let time = SteppedTime()
    let exchange = Exchange(source, time: time)
    _ = try await exchange.object("/api/v3/simple/price?ids=bitcoin&vs_currencies=usd")
    source.fail(.refused(provider: "web", status: 503, reason: "away"))
    let path = "/api/v3/coins/markets?vs_currency=usd&ids=ethereum,bitcoin,new-coin&price_change_percentage=7d"
    let rows = try await exchange.rows(path)
    #expect(rows.map { $0["id"] as? String } == ["bitcoin", "ethereum", "new-coin"])
    #expect(rows.map { $0["symbol"] as? String } == ["s-bitcoin", "eth", ""])
    #expect(rows[1]["current_price"] is NSNull && rows[1]["name"] as? String == "Ethereum")
    #expect(Set(rows.map { Set($0.keys) }).count == 1)
    #expect(await exchange.get(path)["X-Bitpal-Failed"] == "ethereum=put_aside, new-coin=put_aside")
    #expect(try await exchange.rows(path + "&per_page=2&page=2").map { $0["id"] as? String } == ["new-coin"])
    source.fail(nil)
    time.advance(.seconds(31))
    #expect(try await exchange.rows(path).map { $0["id"] as? String } == ["bitcoin"])
  }

  @Test func `The failure of all of them is the failure`() async throws {
    let source = WebSource(["bitcoin": "100"])
    source.fail(.refused(provider: "web", status: 503, reason: "away"))
    #expect(await Exchange(source).get("/api/v3/simple/price?ids=bitcoin,ethereum&vs_currencies=usd").status == 502)
  }

  @Test(arguments: ["simple/price?ids=zcash&vs_currencies=sek", "coins/markets?ids=zcash&vs_currency=sek"])
  func `A coin that is not recorded is 404 with the recorded ones`(path: String) async throws {
    let response = await Exchange(router: try Exchange.recorded().router).get("/api/v3/" + path)
    #expect(response.status == 404, "\(response.text)")
    #expect(response.text.contains("the recording market has no price of zcash in sek; it has: "))
  }

  @Test func `Market values and volumes stand beside each price of a chart`() async throws {
    let chart = try await Exchange.recorded().object("/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=7")
    let lists = ["prices", "market_caps", "total_volumes"].map { chart[$0] as? [[Any]] ?? [] }
    #expect(Set(lists.map(\.count)).count == 1 && !lists[0].isEmpty)
    #expect(lists[1].allSatisfy { $0.count == 2 && $0[1] is NSNull })
    #expect(lists[1].map { $0[0] as? Int } == lists[0].map { $0[0] as? Int })
  }

  @Test func `A coin's page that meets a used-up budget is loaded again when that is free`() async throws {
    let source = WebSource(["bitcoin": "100"])
    let limit = try #require(RateLimit(text: "5/1m"))
    source.fail(.budgetUsed(provider: "web", used: 5, limit: limit, wait: .seconds(20)))
    let response = await Exchange(source).page("/coin/bitcoin")
    #expect(response.status == 429)
    #expect(response["Refresh"] == "20" && response["Retry-After"] == "20")
  }
}
