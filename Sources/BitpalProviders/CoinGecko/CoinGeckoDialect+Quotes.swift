public import BitpalModel
public import BitpalNetwork
import BitpalSQLite

extension CoinGeckoDialect {
  /// Reads quotes.
  public func quotes(
    _ coins: [String], currency: String, from response: HTTPResponse
  ) throws -> ProviderAnswer<QuoteBatch> {
    try check(response, about: .quotes(coins: coins, currency: currency))
    var found: [String: Coin] = [:]
    var failures: [String: BitpalError] = [:]
    var nameless = 0
    var named = 0
    let asked = Set(coins)
    try reading.elements(
      in: response.body, expecting: .array,
      members: [
        "id": "$.id", "symbol": "$.symbol", "name": "$.name", "current_price": "$.current_price",
        "price_change_percentage_24h": "$.price_change_percentage_24h", "last_updated": "$.last_updated",
      ]
    ) { row in
      guard let id = try row.string(0), !id.isEmpty else {
        nameless += 1
        return
      }
      named += 1
      // The server's order, and whatever it adds, does not matter: rows are found by id.
      guard asked.contains(id) else { return }
      guard let price = try row.number(3) else {
        failures[id] = .noPrice(coin: id, provider: descriptor.id)
        return
      }
      do {
        found[id] = try Coin(
          validating: id, symbol: try row.string(1)?.lowercased() ?? "", name: try row.string(2) ?? "",
          currentPrice: price, priceChange24h: try row.number(4), lastUpdated: try row.instant(5))
      } catch let error as ValidationError {
        failures[id] = .noPrice(coin: id, provider: descriptor.id, reason: error.description)
      }
    }
    if nameless > 0, named == 0 { throw reading.unreadable("none of its rows has an id") }
    for coin in coins where found[coin] == nil && failures[coin] == nil {
      // An unknown id is left out without a word.
      failures[coin] = .notFound(coin: coin, provider: descriptor.id)
    }
    let warnings = nameless == 0 ? [] : [AnswerWarning.droppedRows(count: nameless, reason: "they have no id")]
    return ProviderAnswer(QuoteBatch(coins: found, failures: failures), warnings: warnings)
  }
}
