import BitpalJSON
import BitpalModel
import BitpalNetwork

extension CoinGeckoDialect {
  /// Returns the coins of `/coins/list`: about 18,000, in the order of their ids, in one page.
  ///
  /// - Throws: `BitpalError.unreadable` when the body is not such a list, or has no usable coin.
  func coinList(from response: HTTPResponse) throws -> ProviderAnswer {
    var items: [CoinListItem] = []
    var dropped = 0
    try reading.elements(
      in: response.body, expecting: .array, members: ["id": "$.id", "symbol": "$.symbol", "name": "$.name"]
    ) { row in
      // Some recorded lists have empty ids and symbols; such a coin cannot be requested.
      let item = try? CoinListItem(
        validating: try row.string(0) ?? "", symbol: try row.string(1)?.lowercased() ?? "",
        name: try row.string(2) ?? "")
      if let item { items.append(item) } else { dropped += 1 }
    }
    guard !items.isEmpty else { throw reading.unreadable("the coin list is empty") }
    let warnings =
      dropped == 0 ? [] : [AnswerWarning.droppedRows(count: dropped, reason: "they lack an id, a symbol or a name")]
    return ProviderAnswer(.coinList(items), warnings: warnings)
  }
}

extension CoinGeckoDialect {
  /// Returns the line of `/coins/{id}/market_chart`; the market values and volumes that come with it are ignored.
  ///
  /// - Throws: `BitpalError.noData` for an empty list of prices, `.unreadable` for a body without one.
  func line(_ coin: String, from response: HTTPResponse) throws -> ProviderAnswer {
    var rows = SeriesRows<ChartDataPoint>()
    var isRounded = false
    try reading.elements(
      of: "$.prices", in: response.body, expecting: .object, members: ["time": "$[0]", "price": "$[1]"]
    ) { row in
      try rows.add {
        try row.number(1).map { ChartDataPoint(timestamp: try row.milliseconds(0), price: $0) }
      }
      isRounded = row.hasRounded
    }
    guard !rows.isEmpty else { throw try nothing(in: response, member: "$.prices", coin: coin) }
    if rows.points.isEmpty, let problem = rows.problem { throw reading.unreadable(problem.description) }
    let cleaned = SeriesRules.clean(rows.points)
    let points = try cleaned.usable(of: "the line of \(coin)", provider: descriptor.id)
    return ProviderAnswer(
      .line(LineSeries(points: points)), about: coin, warnings: rows.warnings(of: cleaned, isRounded: isRounded))
  }

  /// Returns the candles of `/coins/{id}/ohlc`, which are rows of five numbers.
  ///
  /// - Parameters:
  ///   - coin: The id of the coin.
  ///   - window: The requested window, which determines the width of the candles.
  ///   - response: The response.
  /// - Throws: `BitpalError.noData` for an answer without rows, `.unreadable` when no row can be read, and the errors
  ///   of ``candleGrid(of:)``.
  func candles(
    _ coin: String, window: TimeWindow, from response: HTTPResponse
  ) throws -> ProviderAnswer {
    let native = try candleGrid(of: window).width
    var rows = SeriesRows<CandleDataPoint>()
    var isRounded = false
    try reading.elements(
      in: response.body, expecting: .array,
      members: ["time": "$[0]", "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]"]
    ) { row in
      try rows.add {
        guard let open = try row.number(1), let high = try row.number(2), let low = try row.number(3),
          let close = try row.number(4)
        else { return nil }
        // The stamp is the close; that of the candle still open lies in the future.
        let opening = try row.milliseconds(0).adding(.zero - native)
        return CandleDataPoint(timestamp: opening, open: open, high: high, low: low, close: close)
      }
      isRounded = row.hasRounded
    }
    guard !rows.isEmpty else {
      throw BitpalError.noData(question: "candles of \(coin)", provider: descriptor.id)
    }
    if rows.points.isEmpty, let problem = rows.problem { throw reading.unreadable(problem.description) }
    let cleaned = SeriesRules.clean(rows.points)
    let candles = SeriesRules.merged(
      try cleaned.usable(of: "candles of \(coin)", provider: descriptor.id), width: native)
    return ProviderAnswer(
      .candles(CandleSeries(width: native, candles: candles)), about: coin,
      warnings: rows.warnings(of: cleaned, isRounded: isRounded))
  }

  /// Returns the failure of a chart without rows: `.noData` for an empty list, `.unreadable` for a missing one.
  private func nothing(in response: HTTPResponse, member: String, coin: String) throws -> BitpalError {
    var isArray = false
    try reading.rows(
      "SELECT json_type(?1, ?2) IS 'array'", in: response.body, expecting: .object, parameters: [member]
    ) { isArray = try $0.integer(0) == 1 }
    return isArray
      ? .noData(question: "the line of \(coin)", provider: descriptor.id)
      : reading.unreadable("it has no \(member.dropFirst(2))")
  }
}
