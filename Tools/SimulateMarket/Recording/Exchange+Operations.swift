import BitpalJSON
import BitpalModel
import FoundationEssentials

extension Exchange {
  static func coinList(body: JSONValue) -> Exchange {
    Exchange(
      query: ["operation": "coin_list"], path: "/coins/list", parameters: [("include_platform", "false")],
      file: "coins-list.json", body: .json(body))
  }

  static func quotes(
    of ids: [String], in currency: String = "usd", file: String, status: Int = 200,
    header: (name: String, value: String)? = nil, body: Body
  ) -> Exchange {
    Exchange(
      query: ["operation": "quotes", "coins": .array(ids.map(JSONValue.string)), "currency": .string(currency)],
      path: "/coins/markets",
      parameters: [
        ("vs_currency", currency), ("ids", ids.joined(separator: ",")), ("order", "market_cap_desc"),
        ("per_page", "250"),
        ("page", "1"), ("sparkline", "false"), ("precision", "full"),
      ],
      status: status, extraHeader: header, file: file, body: body)
  }

  static func detail(of id: String, file: String, status: Int = 200, body: Body) -> Exchange {
    Exchange(
      query: ["operation": "detail", "coin": .string(id), "currency": "usd"], path: "/coins/" + id,
      parameters: [
        ("localization", "false"), ("tickers", "false"), ("market_data", "true"), ("community_data", "false"),
        ("developer_data", "false"), ("sparkline", "false"),
      ],
      status: status, file: file, body: body)
  }

  static func line(
    of id: String, days: Int, file: String, status: Int = 200, header: (name: String, value: String)? = nil, body: Body
  ) -> Exchange {
    Exchange(
      query: .object(window("line", id, days)), path: "/coins/\(id)/market_chart",
      parameters: [("vs_currency", "usd"), ("days", String(days))],
      status: status, extraHeader: header, file: file, body: body)
  }

  static func candles(
    of id: String, days: Int, file: String, status: Int = 200, header: (name: String, value: String)? = nil, body: Body
  ) -> Exchange {
    let width = Duration.milliseconds(CandlesBody.width(days: days)).unitText
    return Exchange(
      query: .object(window("candles", id, days) + ["width": .string(width)]),
      path: "/coins/\(id)/ohlc",
      parameters: [("vs_currency", "usd"), ("days", String(days)), ("precision", "full")],
      status: status, extraHeader: header, file: file, body: body)
  }

  private static func window(_ operation: String, _ id: String, _ days: Int) -> JSONObject {
    [
      "operation": .string(operation), "coin": .string(id), "currency": "usd",
      "from": .string(Moment.iso8601(Moment.now - days * Moment.day)), "to": .string(Moment.iso8601(Moment.now)),
    ]
  }
}
