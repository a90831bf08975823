import Bitpal
import BitpalModel
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials
import Testing

/// The prices of journals, from the demo recording at 2025-01-15 10:30Z.
@Suite struct `Prices for a journal` {
  private let service: PriceService
  private let asking: JournalPrices.Asking

  init() throws {
    let service = try Market.service()
    self.service = service
    asking = JournalPrices.Asking(service, currency: "usd", missing: .tell, policy: .normal) { provider in
      guard provider == "fixture" else { throw BitpalError.usage("\(provider) is not a provider") }
      return service
    }
  }

  private static let beancount = """
    2020-01-01 commodity COIN
      price: "USD:google/X,beanprice.sources.fixture/bitcoin"
    2020-01-01 commodity OTHER
      name: "Other"
      price: "USD:google/OTHER"
    2025-01-10 price ETH 3,300.5 USD
    2025-01-12 * "Exchange"
      Assets:Coins  1 COIN
      Assets:Coins  2 ETH
      Assets:Coins  3 OTHER
      Assets:Cash
    """

  private func prices(_ names: [String]? = nil) async throws -> JournalPrices {
    let journal = JournalNeeds(Self.beancount)
    return try await JournalPrices(journal, names ?? journal.commodities, asking) { try await $0() }
  }

  @Test func `Metadata name the source and the currency, and the next source is asked where one is unknown`()
    async throws
  {
    let prices = try await prices()
    #expect(prices.histories.map(\.name) == ["COIN", "ETH"])
    #expect(prices.histories.map(\.answer.about.coin) == ["bitcoin", "ethereum"])
    #expect(prices.histories.map(\.currency) == ["USD", "USD"])
    #expect(prices.histories[0].answer.value.map(\.day.dayText) == ["2025-01-12", "2025-01-14"])
    #expect(prices.failures == [CoinFailure(coin: "OTHER", error: .usage("google is not a provider"))])
  }

  @Test func `Only the commodities that are named are priced`() async throws {
    let prices = try await prices(["ETH"])
    #expect(prices.histories.map(\.name) == ["ETH"] && prices.failures.isEmpty)
  }

  @Test func `An inverse price is one divided by the close`() async throws {
    let text = Self.beancount.replacing("fixture/bitcoin", with: "fixture/^bitcoin")
    let direct = try await prices(["COIN"]).histories[0].answer.value
    let inverse = try await JournalPrices(JournalNeeds(text), ["COIN"], asking) { try await $0() }.histories[0].answer
    #expect(try inverse.value.map(\.price) == direct.map { try Decimal(1).divided(by: $0.price, scale: 10) })
  }

  @Test func `A price that is far from the close of its day is found, in any notation of numbers`() async throws {
    let closes = try await service.history(
      "ethereum", from: try #require(Date(utcText: "2025-01-10")), to: try #require(Date(utcText: "2025-01-12")),
      currency: "usd"
    ).value.map(\.price.plainText)
    let journal = JournalNeeds(
      """
      P 2025-01-10 ETH \(closes[0]) USD
      P 2025-01-11 ETH $1,234.50
      P 2025-01-12 ETH 12.345,5 USD
      P 2025-01-13 ETH USD
      2025-01-13 exchange
          assets:coins   1 ETH
      """)
    let check = try await JournalCheck(journal, ["ETH"], asking, tolerance: 2) { try await $0() }
    #expect(check.rows.map(\.price.need.day.dayText) == ["2025-01-11", "2025-01-12"])
    #expect(check.rows.map(\.amount) == [1234.5, 12345.5])
    #expect(check.compared == 3 && check.unread.count + check.unpriced.count == 1 && check.failures.isEmpty)
  }
}
