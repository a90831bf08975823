import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// The `_bitpal.query` member of an entry: the question in JSON.
enum RecordedQuery {
  /// The columns that ``read(_:from:)`` reads, of an entry in `value`.
  ///
  /// The first is the whole query.
  static let columns = """
    value->'$._bitpal.query', value->>'$._bitpal.query.operation', value->>'$._bitpal.query.coin',
      value->>'$._bitpal.query.currency', value->>'$._bitpal.query.from', value->>'$._bitpal.query.to',
      value->>'$._bitpal.query.width',
      (SELECT group_concat(coin.value, char(31)) FROM json_each(entry.value, '$._bitpal.query.coins') AS coin)
    """

  /// The query of the current row, whose columns begin at `first`; nil when there is none or it is of no known form.
  static func read(_ row: JSONRow, from first: Int) -> ProviderQuery? {
    query(
      operation: row.text(first + 1), coin: row.text(first + 2), currency: row.text(first + 3),
      from: row.text(first + 4), to: row.text(first + 5), width: row.text(first + 6), coins: row.text(first + 7))
  }

  /// The query as it is written.
  static func json(of query: ProviderQuery, redaction: Redaction) -> JSONObject {
    var members: JSONObject = ["operation": .string(query.capability.rawValue)]
    func add(_ name: String, _ value: String) { members.append(name, .string(redaction.text(value))) }
    func add(_ window: TimeWindow) {
      add("from", window.start.iso8601)
      add("to", window.end.iso8601)
    }
    switch query {
    case .quotes(let coins, let currency):
      members.append("coins", .array(coins.map { .string(redaction.text($0)) }))
      add("currency", currency)
    case .coinList: break
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

  private static func query(
    operation: String?, coin: String?, currency: String?, from: String?, to: String?, width: String?, coins: String?
  ) -> ProviderQuery? {
    guard let capability = operation.flatMap(Capability.init(rawValue:)) else { return nil }
    if capability == .coinList { return .coinList }
    guard let currency else { return nil }
    let window = from.flatMap { Date(utcText: $0) }.flatMap { start in
      to.flatMap { Date(utcText: $0) }.map { TimeWindow(start: start, end: $0) }
    }
    switch (capability, coin, window, width.flatMap { Duration(unitText: $0) }) {
    case (.quotes, _, _, _):
      return .quotes(coins: (coins ?? "").split(separator: "\u{1F}").map(String.init), currency: currency)
    case (.detail, let coin?, _, _): return .detail(coin: coin, currency: currency)
    case (.line, let coin?, let window?, _): return .line(coin: coin, currency: currency, window: window)
    case (.candles, let coin?, let window?, let width?):
      return .candles(coin: coin, currency: currency, window: window, width: width)
    default: return nil
    }
  }
}
