public import BitpalModel
public import BitpalNetwork
import BitpalSQLite
import FoundationEssentials

extension CoinGeckoDialect {
  /// Reads a line.
  public func line(
    _ coin: String, currency: String, window: TimeWindow, from response: HTTPResponse
  ) throws -> ProviderAnswer<LineSeries> {
    try check(response, about: .line(coin: coin, currency: currency, window: window))
    var points: [ChartDataPoint] = []
    var nulls = 0
    try reading.elements(
      of: "$.prices", in: response.body, expecting: .object, members: ["time": "$[0]", "price": "$[1]"]
    ) { row in
      guard let price = try row.number(1) else {
        nulls += 1
        return
      }
      points.append(ChartDataPoint(timestamp: try timestamp(row, 0), price: price))
    }
    guard !points.isEmpty || nulls > 0 else { throw try nothing(in: response, member: "$.prices", coin: coin) }
    let cleaned = SeriesRules.clean(points)
    return ProviderAnswer(
      LineSeries(points: cleaned.points), warnings: warnings(nulls: nulls, invalid: cleaned.dropped))
  }

  /// Reads candles.
  public func candles(
    _ coin: String, currency: String, window: TimeWindow, width: Duration, from response: HTTPResponse
  ) throws -> ProviderAnswer<CandleSeries> {
    try check(response, about: .candles(coin: coin, currency: currency, window: window, width: width))
    let native = try candleGrid(of: window).width
    var candles: [CandleDataPoint] = []
    var nulls = 0
    try reading.elements(
      in: response.body, expecting: .array,
      members: ["time": "$[0]", "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]"]
    ) { row in
      guard let open = try row.number(1), let high = try row.number(2), let low = try row.number(3),
        let close = try row.number(4)
      else {
        nulls += 1
        return
      }
      // The stamp is the close; that of the candle still open lies in the future.
      let opening = try timestamp(row, 0).adding(.zero - native)
      candles.append(CandleDataPoint(timestamp: opening, open: open, high: high, low: low, close: close))
    }
    guard !candles.isEmpty || nulls > 0 else {
      throw BitpalError.noData(question: "candles of \(coin)", provider: descriptor.id)
    }
    let cleaned = SeriesRules.clean(candles)
    return ProviderAnswer(
      CandleSeries(width: native, candles: cleaned.points), warnings: warnings(nulls: nulls, invalid: cleaned.dropped))
  }

  /// Milliseconds since 1970, within the years that can be printed.
  private func timestamp(_ row: JSONMembers, _ column: Int) throws -> Date {
    let milliseconds = try row.integer(column)
    guard (0...253_402_300_799_999).contains(milliseconds) else {
      throw reading.unreadable("the time stamp \(milliseconds) is not in milliseconds since 1970")
    }
    return Date(milliseconds: milliseconds)
  }

  /// An empty list means no data; a missing one means that this is no chart.
  private func nothing(in response: HTTPResponse, member: String, coin: String) throws -> BitpalError {
    var isArray = false
    try reading.rows(
      "SELECT json_type(?1, ?2) IS 'array'", in: response.body, expecting: .object, parameters: [member]
    ) { isArray = try $0.integer(0) == 1 }
    return isArray
      ? .noData(question: "the line of \(coin)", provider: descriptor.id)
      : reading.unreadable("it has no \(member.dropFirst(2))")
  }

  private func warnings(nulls: Int, invalid: Int) -> [AnswerWarning] {
    var warnings: [AnswerWarning] = []
    if nulls > 0 { warnings.append(.droppedRows(count: nulls, reason: "the price is null")) }
    if invalid > 0 {
      warnings.append(.droppedRows(count: invalid, reason: "negative prices, or a high or low that is not one"))
    }
    return warnings
  }
}
