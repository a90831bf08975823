import BitpalJSON
import BitpalModel
import BitpalNetwork

extension CoinGeckoDialect {
  func coinList(from response: HTTPResponse) throws -> ProviderAnswer<[CoinListItem]> {
    var items: [CoinListItem] = []
    var dropped = 0
    try reading.elements(
      in: response.body, expecting: .array, members: ["id": "$.id", "symbol": "$.symbol", "name": "$.name"]
    ) { row in
      // Ids and symbols were empty in some lists; such a coin cannot be asked for.
      let item = try? CoinListItem(
        validating: try row.string(0) ?? "", symbol: try row.string(1)?.lowercased() ?? "",
        name: try row.string(2) ?? "")
      if let item { items.append(item) } else { dropped += 1 }
    }
    guard !items.isEmpty else { throw reading.unreadable("the coin list is empty") }
    let warnings =
      dropped == 0 ? [] : [AnswerWarning.droppedRows(count: dropped, reason: "they lack an id, a symbol or a name")]
    return ProviderAnswer(items, warnings: warnings)
  }

  func detail(
    _ coin: String, currency: String, from response: HTTPResponse
  ) throws -> ProviderAnswer<CoinDetail> {
    var answer: ProviderAnswer<CoinDetail>?
    func path(_ figure: String) -> String { "$.market_data.\(figure).\"\(currency)\"" }
    try reading.members(
      of: response.body, expecting: .object,
      [
        "id": "$.id", "symbol": "$.symbol", "name": "$.name", "current_price": path("current_price"),
        "price_change_percentage_24h": "$.market_data.price_change_percentage_24h",
        "last_updated": "$.market_data.last_updated", "last_updated of the page": "$.last_updated",
        "market_cap": path("market_cap"), "total_volume": path("total_volume"),
        "circulating_supply": "$.market_data.circulating_supply", "image": "$.image.large",
        "current_price in usd": "$.market_data.current_price.usd",
      ]
    ) { page in
      guard let id = try page.string(0), !id.isEmpty else { throw reading.unreadable("it has no id") }
      guard id == coin else { throw reading.anotherCoin(id, asked: coin) }
      guard let price = try page.number(3) else {
        // A retired coin keeps its page, with empty maps of prices.
        throw try page.number(11) != nil
          ? BitpalError.unsupportedCurrency(currency, provider: descriptor.id, supported: [])
          : BitpalError.noPrice(coin: coin, provider: descriptor.id, reason: "the coin may have been retired")
      }
      var figures = Figures(coin: coin)
      do {
        let quote = try Coin(
          validating: id, symbol: try page.string(1)?.lowercased() ?? "", name: try page.string(2) ?? "",
          currentPrice: price, priceChange24h: try figures.value("24 h change") { try page.number(4) },
          lastUpdated: try page.instant(5) ?? page.instant(6))
        let detail = try CoinDetail(
          validating: quote, marketCap: try figures.amount("market cap") { try page.number(7) },
          totalVolume: try figures.amount("total volume") { try page.number(8) },
          circulatingSupply: try figures.amount("circulating supply") { try page.number(9) },
          image: try figures.value("image") { try page.string(10) })
        answer = ProviderAnswer(detail, warnings: figures.warnings + (page.hasRounded ? [.roundedNumbers] : []))
      } catch let error as ValidationError {
        throw BitpalError.noPrice(coin: coin, provider: descriptor.id, reason: error.description)
      }
    }
    guard let answer else { throw reading.unreadable("it is empty") }
    return answer
  }
}
