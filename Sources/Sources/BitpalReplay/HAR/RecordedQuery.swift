import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// The codec of an entry's `_bitpal.query` member, which holds the question.
enum RecordedQuery {
  /// The columns that ``read(_:)`` needs, for an entry in `value`; `query` is the whole member.
  static let columns = """
    value->'$._bitpal.query' AS query, value->>'$._bitpal.query.operation' AS operation,
      value->>'$._bitpal.query.coin' AS coin, value->>'$._bitpal.query.currency' AS currency,
      value->>'$._bitpal.query.from' AS start, value->>'$._bitpal.query.to' AS finish,
      value->>'$._bitpal.query.width' AS width, value->>'$._bitpal.query.past' AS past,
      (SELECT group_concat(coin.value, char(31)) FROM json_each(entry.value, '$._bitpal.query.coins') AS coin) AS coins
    """

  /// The operation of the query for the largest coins, which is not a capability of its own.
  private static let top = "top"

  /// Returns the query of the current row; nil when there is none, or its form is unknown.
  static func read(_ row: JSONRow) -> ProviderQuery? {
    if row.text("operation") == top { return row.text("currency").map { .top(currency: $0) } }
    guard let capability = row.text("operation").flatMap(Capability.init(rawValue:)) else { return nil }
    if capability == .coinList { return .coinList }
    guard let currency = row.text("currency") else { return nil }
    let coin = row.text("coin")
    let start = row.text("start").flatMap { Date(utcText: $0) }
    let finish = row.text("finish").flatMap { Date(utcText: $0) }
    let window = start.flatMap { start in
      finish.map { TimeWindow(start: start, end: $0, isPast: row.text("past") == "yes") }
    }
    switch (capability, coin, window, row.text("width").flatMap { Duration(unitText: $0) }) {
    case (.quotes, _, _, _):
      return .quotes(coins: (row.text("coins") ?? "").split(separator: "\u{1F}").map(String.init), currency: currency)
    case (.detail, let coin?, _, _): return .detail(coin: coin, currency: currency)
    case (.line, let coin?, let window?, _): return .line(coin: coin, currency: currency, window: window)
    case (.candles, let coin?, let window?, let width?):
      return .candles(coin: coin, currency: currency, window: window, width: width)
    default: return nil
    }
  }

  /// Returns the JSON of a query.
  static func json(of query: ProviderQuery, redaction: Redaction) -> JSONObject {
    let isTop = if case .top = query { true } else { false }
    var members: JSONObject = ["operation": .string(isTop ? top : query.capability.rawValue)]
    func add(_ name: String, _ value: String) { members.append(name, .string(redaction.text(value))) }
    func add(_ window: TimeWindow) {
      add("from", window.start.iso8601)
      add("to", window.end.iso8601)
      if window.isPast { add("past", "yes") }
    }
    switch query {
    case .quotes(let coins, let currency):
      members.append("coins", .array(coins.map { .string(redaction.text($0)) }))
      add("currency", currency)
    case .coinList: break
    case .top(let currency): add("currency", currency)
    case .detail(let coin, let currency):
      add("coin", coin)
      add("currency", currency)
    case .line(let coin, let currency, let window):
      add("coin", coin)
      add("currency", currency)
      add(window)
    case .candles(let coin, let currency, let window, let width):
      add("coin", coin)
      add("currency", currency)
      add(window)
      add("width", width.unitText)
    }
    return members
  }
}
