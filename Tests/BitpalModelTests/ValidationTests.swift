import BitpalModel
import FoundationEssentials
import Testing

@Suite struct `Values that break a rule` {
  @Test(arguments: [
    ("", "btc", "Bitcoin", "1", ValidationError.emptyField("id", coin: "Bitcoin")),
    ("bitcoin", "", "Bitcoin", "1", .emptyField("symbol", coin: "bitcoin")),
    ("bitcoin", "btc", "", "1", .emptyField("name", coin: "bitcoin")),
    ("bitcoin", "btc", "Bitcoin", "0", .priceNotPositive(coin: "bitcoin", price: "0")),
    ("bitcoin", "btc", "Bitcoin", "-1.5", .priceNotPositive(coin: "bitcoin", price: "-1.5")),
  ])
  func `A quote needs a name and a price above zero`(
    id: String, symbol: String, name: String, price: String, error: ValidationError
  ) throws {
    let price = try Decimal(strict: price)
    #expect(throws: error) { try Coin(validating: id, symbol: symbol, name: name, currentPrice: price) }
  }

  @Test func `A figure below zero is refused`() throws {
    let coin = try Coin(validating: "bitcoin", symbol: "btc", name: "Bitcoin", currentPrice: 1)
    #expect(throws: ValidationError.negative("market cap", coin: "bitcoin", value: "-1")) {
      try CoinDetail(validating: coin, marketCap: -1)
    }
  }

  @Test(arguments: [(0, 60), (5, 0), (1_000_001, 60)])
  func `A budget without sense is none`(limit: Int, seconds: Int) {
    #expect(RateLimit(limit: limit, window: .seconds(seconds)) == nil)
  }
}
