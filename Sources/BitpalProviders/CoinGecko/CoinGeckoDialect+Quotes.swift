import BitpalJSON
import BitpalModel
import BitpalNetwork

extension CoinGeckoDialect {
  func quotes(_ coins: [String], from response: HTTPResponse) throws -> ProviderAnswer<QuoteBatch> {
    var rows = QuoteRows(provider: descriptor.id)
    var isRounded = false
    let asked = Set(coins)
    try reading.elements(
      in: response.body, expecting: .array,
      members: [
        "id": "$.id", "symbol": "$.symbol", "name": "$.name", "current_price": "$.current_price",
        "price_change_percentage_24h": "$.price_change_percentage_24h", "last_updated": "$.last_updated",
      ]
    ) { row in
      let id = try rows.identity { try row.string(0).flatMap { $0.isEmpty ? nil : $0 } }
      // The server's order, and whatever it adds, does not matter: rows are found by id.
      guard let id, asked.contains(id) else { return }
      try rows.add(id, unreadable: reading.unreadable) { figures in
        guard let price = try row.number(3) else { return nil }
        return try Coin(
          validating: id, symbol: try row.string(1)?.lowercased() ?? "", name: try row.string(2) ?? "",
          currentPrice: price, priceChange24h: try figures.value("24 h change") { try row.number(4) },
          lastUpdated: try row.instant(5))
      }
      isRounded = row.hasRounded
    }
    if let reason = rows.reasonForNobody { throw reading.unreadable(reason) }
    return rows.answer(coins, isRounded: isRounded)
  }
}
