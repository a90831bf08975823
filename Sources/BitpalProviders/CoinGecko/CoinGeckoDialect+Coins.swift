public import BitpalModel
public import BitpalNetwork
import BitpalSQLite

extension CoinGeckoDialect {
  /// Reads the coin list.
  public func coinList(from response: HTTPResponse) throws -> ProviderAnswer<[CoinListItem]> {
    try check(response, about: .coinList)
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

  /// Reads a coin's detail.
  public func detail(
    _ coin: String, currency: String, from response: HTTPResponse
  ) throws -> ProviderAnswer<CoinDetail> {
    try check(response, about: .detail(coin: coin, currency: currency))
    var detail: CoinDetail?
    try reading.rows(
      """
      SELECT ?1->>'$.id' AS id, ?1->>'$.symbol' AS symbol, ?1->>'$.name' AS name,
        ?1->('$.market_data.current_price."' || ?2 || '"') AS current_price,
        ?1->'$.market_data.price_change_percentage_24h' AS price_change_percentage_24h,
        coalesce(?1->>'$.market_data.last_updated', ?1->>'$.last_updated') AS last_updated,
        ?1->('$.market_data.market_cap."' || ?2 || '"') AS market_cap,
        ?1->('$.market_data.total_volume."' || ?2 || '"') AS total_volume,
        ?1->'$.market_data.circulating_supply' AS circulating_supply,
        ?1->>'$.image.large' AS image,
        json_type(?1, '$.market_data.current_price.usd') IS NOT NULL AS has_prices
      """, in: response.body, expecting: .object, parameters: [currency]
    ) { row in
      guard let price = try row.number(3) else {
        // A retired coin keeps its page, with empty maps of prices.
        throw try row.integer(10) == 1
          ? BitpalError.unsupportedCurrency(currency, provider: descriptor.id, supported: [])
          : BitpalError.noPrice(coin: coin, provider: descriptor.id, reason: "the coin may have been retired")
      }
      do {
        let quote = try Coin(
          validating: try row.string(0) ?? "", symbol: try row.string(1)?.lowercased() ?? "",
          name: try row.string(2) ?? "", currentPrice: price, priceChange24h: try row.number(4),
          lastUpdated: try row.instant(5))
        detail = try CoinDetail(
          validating: quote, marketCap: try row.number(6), totalVolume: try row.number(7),
          circulatingSupply: try row.number(8), image: try row.string(9))
      } catch let error as ValidationError {
        throw BitpalError.noPrice(coin: coin, provider: descriptor.id, reason: error.description)
      }
    }
    guard let detail else { throw reading.unreadable("it is empty") }
    return ProviderAnswer(detail)
  }
}
