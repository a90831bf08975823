import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

extension CoinGeckoDialect {
  /// Reads a coin's page, `/coins/{id}`, which earlier versions requested.
  ///
  /// A figure is a map by currency. A currency missing from it is one that CoinGecko does not support, while empty maps
  /// mean a retired coin.
  ///
  /// - Throws: `BitpalError.unsupportedCurrency`, `.noPrice` for a retired coin, `.unreadable` for any other body.
  func page(
    of coin: String, currency: String, from response: HTTPResponse
  ) throws -> ProviderAnswer<CoinDetail> {
    var answer: ProviderAnswer<CoinDetail>?
    try reading.members(of: response.body, expecting: .object, Self.pageMembers(in: currency)) { page in
      guard let id = try page.string("id"), !id.isEmpty else { throw reading.unreadable("it has no id") }
      guard id == coin else { throw reading.anotherCoin(id, asked: coin) }
      guard let price = try page.number("current_price") else {
        // A retired coin keeps its page, with empty maps of prices.
        throw try page.number("current_price in usd") != nil
          ? BitpalError.unsupportedCurrency(currency, provider: descriptor.id, supported: [])
          : BitpalError.noPrice(coin: coin, provider: descriptor.id, reason: "its page has none")
      }
      do {
        answer = try Self.pageDetail(of: coin, at: price, on: page)
      } catch let error as ValidationError {
        throw BitpalError.noPrice(coin: coin, provider: descriptor.id, reason: error.description)
      }
    }
    guard let answer else { throw reading.unreadable("it is empty") }
    return answer
  }

  /// Returns the paths of a page's members by the names of our figures.
  private static func pageMembers(in currency: String) -> KeyValuePairs<String, String> {
    func path(_ figure: String) -> String { "$.market_data.\(figure).\"\(currency)\"" }
    // Changes outside the maps by currency are those of the price in dollars.
    func change(_ period: String) -> String {
      currency == "usd"
        ? "$.market_data.price_change_percentage_\(period)" : path("price_change_percentage_\(period)_in_currency")
    }
    return [
      "id": "$.id", "symbol": "$.symbol", "name": "$.name", "current_price": path("current_price"),
      "price_change_percentage_24h": "$.market_data.price_change_percentage_24h",
      "last_updated": "$.market_data.last_updated", "last_updated of the page": "$.last_updated",
      "market_cap": path("market_cap"), "total_volume": path("total_volume"),
      "circulating_supply": "$.market_data.circulating_supply", "image": "$.image.large",
      "total_supply": "$.market_data.total_supply", "max_supply": "$.market_data.max_supply",
      "rank": "$.market_data.market_cap_rank", "change_7d": change("7d"), "change_30d": change("30d"),
      "change_1y": change("1y"), "ath": path("ath"), "ath_date": path("ath_date"), "atl": path("atl"),
      "atl_date": path("atl_date"), "current_price in usd": "$.market_data.current_price.usd",
    ]
  }

  private static func pageDetail(
    of coin: String, at price: Decimal, on page: JSONMembers
  ) throws -> ProviderAnswer<CoinDetail> {
    var figures = Figures(coin: coin)
    let quote = try Coin(
      validating: coin, symbol: try page.string("symbol")?.lowercased() ?? "", name: try page.string("name") ?? "",
      currentPrice: price,
      priceChange24h: try figures.value("24 h change") { try page.number("price_change_percentage_24h") },
      lastUpdated: try page.instant("last_updated") ?? page.instant("last_updated of the page"))
    let detail = try CoinDetail(
      validating: quote, marketCap: try figures.amount("market cap") { try page.number("market_cap") },
      totalVolume: try figures.amount("total volume") { try page.number("total_volume") },
      circulatingSupply: try figures.amount("circulating supply") { try page.number("circulating_supply") },
      totalSupply: try figures.amount("total supply") { try page.number("total_supply") },
      maximumSupply: try figures.amount("maximum supply") { try page.number("max_supply") },
      rank: try figures.rank { try page.number("rank") },
      changes: PeriodChanges(
        week: try figures.value("7 d change") { try page.number("change_7d") },
        month: try figures.value("30 d change") { try page.number("change_30d") },
        year: try figures.value("1 y change") { try page.number("change_1y") }),
      allTimeHigh: try figures.extreme(
        "all-time high", price: { try page.number("ath") }, date: { try page.instant("ath_date") }),
      allTimeLow: try figures.extreme(
        "all-time low", price: { try page.number("atl") }, date: { try page.instant("atl_date") }),
      image: try figures.value("image") { try page.string("image") })
    return ProviderAnswer(detail, warnings: figures.warnings + (page.hasRounded ? [.roundedNumbers] : []))
  }
}
