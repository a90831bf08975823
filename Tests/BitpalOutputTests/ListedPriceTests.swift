import Bitpal
import BitpalJSON
import BitpalModel
import BitpalOutput
import FoundationEssentials
import Testing

@Suite struct `Rows of a list of prices` {
  private func quote(_ id: String, _ price: Decimal) throws -> Sourced<Coin> {
    Sourced(
      try Coin(validating: id, symbol: id, name: id, currentPrice: price),
      about: AnswerKey(provider: "test", kind: .quote, coin: id), source: "test",
      fetchedAt: Date(timeIntervalSince1970: 1_736_937_000), freshness: .fresh)
  }

  @Test func `Each currency has a row with its own figures, coin by coin`() throws {
    let coin = try quote("a", 2)
    let figures = ["a": try CoinDetail(validating: coin.value, marketCap: 10, totalVolume: 3, rank: 7)]
    let output = PricesOutput(
      QuotesAnswer(quotes: [coin, try quote("b", 3)], failures: []), provider: nil, currency: "usd", figures: figures,
      others: [.init(currency: "eur", quotes: [try quote("b", 2.5), try quote("a", 1.5)], figures: [:])])
    let rows = output.rows.map { row in ["id", "currency", "price", "market_cap", "rank"].map { row[$0] } }
    #expect(
      rows == [
        ["a", "usd", "2", "10", 7], ["a", "eur", "1.5", .null, .null], ["b", "usd", "3", .null, .null],
        ["b", "eur", "2.5", .null, .null],
      ])
  }

  @Test func `A coin without a price in the other currency has no row there`() throws {
    let output = PricesOutput(
      QuotesAnswer(quotes: [try quote("a", 2)], failures: []), provider: nil, currency: "usd",
      others: [.init(currency: "eur", quotes: [], figures: [:])])
    #expect(output.rows.map { $0["currency"] } == ["usd"])
  }
}
