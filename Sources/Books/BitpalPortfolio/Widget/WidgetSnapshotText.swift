import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The snapshot as JSON: money as text, keys in a fixed order; unknown members are ignored.
///
/// The keys of the original app come first with their meaning there; `schema`, `currency`, `complete` and `stale`
/// follow.
enum WidgetSnapshotText {
  /// The name and version of the file.
  static let schema = "bitpal.widget_file/1"

  static func text(of data: WidgetPortfolioData) -> String {
    let members: JSONObject = [
      "totalValue": JSONValue(data.totalValue), "unrealizedPnL": JSONValue(data.unrealizedPnL),
      "realizedPnL": JSONValue(data.realizedPnL), "totalPnL": JSONValue(data.totalPnL),
      "holdings": .array(data.holdings.map(json)), "lastUpdated": JSONValue(data.lastUpdated),
      "schema": .string(schema), "currency": JSONValue(data.currency), "complete": .bool(!data.isIncomplete),
      "stale": .bool(data.hasStalePrices),
    ]
    return JSONValue.object(members).indented(.plain)
  }

  /// Reads a snapshot.
  ///
  /// - Throws: Various errors when the text is not a snapshot.
  static func data(of bytes: [UInt8]) throws -> WidgetPortfolioData {
    let rows = JSONRows()
    var data: WidgetPortfolioData?
    var holdings: [WidgetHolding] = []
    try rows.forEach(
      """
      SELECT row.value->>'$.id', row.value->>'$.symbol', row.value->>'$.name', row.value->'$.currentValue',
        row.value->'$.pnlAmount', row.value->'$.pnlPercentage'
      FROM (SELECT iif(type = 'object', value, '{}') AS value FROM json_each(?1, '$.holdings')) AS row
      """, in: bytes
    ) { row in
      guard let id = try row.string(0), let symbol = try row.string(1), let name = try row.string(2) else {
        throw NotASnapshot()
      }
      holdings.append(
        WidgetHolding(
          id: id, symbol: symbol, name: name, currentValue: try money(row, 3), pnlAmount: try money(row, 4),
          pnlPercentage: try money(row, 5)))
    }
    try rows.forEach(
      """
      SELECT ?1->'$.totalValue', ?1->'$.unrealizedPnL', ?1->'$.realizedPnL', ?1->'$.totalPnL', ?1->>'$.lastUpdated',
        ?1->>'$.currency',
        -- Files of 0.1 say isIncomplete, and only when it is so.
        coalesce(?1->'$.complete', iif(?1->'$.isIncomplete' = 'true', 'false', 'true')), ?1->'$.stale'
      WHERE json_type(?1, '$.holdings') = 'array'
      """, in: bytes
    ) { row in
      guard let lastUpdated = try row.instant(4) else { throw NotASnapshot() }
      data = WidgetPortfolioData(
        totalValue: try money(row, 0), unrealizedPnL: try money(row, 1), realizedPnL: try money(row, 2),
        totalPnL: try money(row, 3), holdings: holdings, lastUpdated: lastUpdated, currency: try row.string(5),
        isIncomplete: row.text(6) == "false", hasStalePrices: row.text(7) == "true")
    }
    guard let data else { throw NotASnapshot() }
    return data
  }

  private struct NotASnapshot: Error {}

  /// Returns an amount of money, written as a JSON string or as a number.
  private static func money(_ row: JSONRow, _ column: Int) throws -> Decimal {
    guard let text = row.text(column) else { throw NotASnapshot() }
    let digits = text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
    return try Decimal(strict: digits)
  }

  private static func json(_ holding: WidgetHolding) -> JSONValue {
    [
      "id": .string(holding.id), "symbol": .string(holding.symbol), "name": .string(holding.name),
      "currentValue": JSONValue(holding.currentValue), "pnlAmount": JSONValue(holding.pnlAmount),
      "pnlPercentage": JSONValue(holding.pnlPercentage),
    ]
  }
}
