import BitpalJSON
import BitpalModel
import FoundationEssentials

/// A quote as a row of machine-readable output.
enum PriceRow {
  static let columns = [
    "id", "symbol", "name", "price", "change_24h", "last_updated", "fetched_at", "stale", "source",
  ]

  static func json(_ coin: Coin, _ origin: Origin) -> JSONObject {
    let quote: JSONObject = [
      "id": .string(coin.id), "symbol": .string(coin.symbol), "name": .string(coin.name),
      "price": JSONValue(coin.currentPrice), "change_24h": JSONValue(coin.priceChange24h),
      "last_updated": JSONValue(coin.lastUpdated),
    ]
    return quote + origin.json
  }

  /// A change in percent with its colour; a dash when the source does not say.
  static func changeCell(_ change: Decimal?) -> TextTable.Cell {
    guard let change else { return "-" }
    let text = NumberFormat.percent(change)
    return TextTable.Cell(text, text.hasPrefix("+") ? .good : text.hasPrefix("-") ? .bad : nil)
  }
}
