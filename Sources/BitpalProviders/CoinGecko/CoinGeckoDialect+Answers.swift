import BitpalJSON
import BitpalModel
import BitpalNetwork

extension CoinGeckoDialect {
  /// Quotes out of a page of `/coins/markets`.
  ///
  /// An id that CoinGecko does not know is left out of the page without a word, and the page has an order of its own, by
  /// market value; so each row says whose it is, and whoever has none is not found.
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

extension CoinGeckoDialect {
  /// The coins of `/coins/list`: some 18,000, in the order of their ids, and in one page.
  func coinList(from response: HTTPResponse) throws -> ProviderAnswer<[CoinListItem]> {
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

  /// A coin's page, `/coins/{id}`.
  ///
  /// A figure is a map by currency, so a currency that is missing there is one that CoinGecko does not answer in, while a
  /// coin whose every map is empty has been retired.
  func detail(
    _ coin: String, currency: String, from response: HTTPResponse
  ) throws -> ProviderAnswer<CoinDetail> {
    var answer: ProviderAnswer<CoinDetail>?
    func path(_ figure: String) -> String { "$.market_data.\(figure).\"\(currency)\"" }
    // What stands outside the maps by currency is about dollars.
    func change(_ period: String) -> String {
      currency == "usd"
        ? "$.market_data.price_change_percentage_\(period)" : path("price_change_percentage_\(period)_in_currency")
    }
    try reading.members(
      of: response.body, expecting: .object,
      [
        "id": "$.id", "symbol": "$.symbol", "name": "$.name", "current_price": path("current_price"),
        "price_change_percentage_24h": "$.market_data.price_change_percentage_24h",
        "last_updated": "$.market_data.last_updated", "last_updated of the page": "$.last_updated",
        "market_cap": path("market_cap"), "total_volume": path("total_volume"),
        "circulating_supply": "$.market_data.circulating_supply", "image": "$.image.large",
        "total_supply": "$.market_data.total_supply", "max_supply": "$.market_data.max_supply",
        "rank": "$.market_data.market_cap_rank", "change_7d": change("7d"), "change_30d": change("30d"),
        "change_1y": change("1y"), "ath": path("ath"), "ath_date": path("ath_date"), "atl": path("atl"),
        "atl_date": path("atl_date"),
        "current_price in usd": "$.market_data.current_price.usd",
      ]
    ) { page in
      guard let id = try page.string("id"), !id.isEmpty else { throw reading.unreadable("it has no id") }
      guard id == coin else { throw reading.anotherCoin(id, asked: coin) }
      guard let price = try page.number("current_price") else {
        // A retired coin keeps its page, with empty maps of prices.
        throw try page.number("current_price in usd") != nil
          ? BitpalError.unsupportedCurrency(currency, provider: descriptor.id, supported: [])
          : BitpalError.noPrice(coin: coin, provider: descriptor.id, reason: "the coin may have been retired")
      }
      var figures = Figures(coin: coin)
      do {
        let quote = try Coin(
          validating: id, symbol: try page.string("symbol")?.lowercased() ?? "", name: try page.string("name") ?? "",
          currentPrice: price,
          priceChange24h: try figures.value("24 h change") { try page.number("price_change_percentage_24h") },
          lastUpdated: try page.instant("last_updated") ?? page.instant("last_updated of the page"))
        let detail = try CoinDetail(
          validating: quote, marketCap: try figures.amount("market cap") { try page.number("market_cap") },
          totalVolume: try figures.amount("total volume") { try page.number("total_volume") },
          circulatingSupply: try figures.amount("circulating supply") { try page.number("circulating_supply") },
          totalSupply: try figures.amount("total supply") { try page.number("total_supply") },
          maximumSupply: try figures.amount("maximum supply") { try page.number("max_supply") },
          rank: try figures.rank { try page.number("rank") },
          changes: PeriodChanges(
            week: try figures.value("7 d change") { try page.number("change_7d") },
            month: try figures.value("30 d change") { try page.number("change_30d") },
            year: try figures.value("1 y change") { try page.number("change_1y") }),
          allTimeHigh: try figures.extreme(
            "all-time high", price: { try page.number("ath") }, date: { try page.instant("ath_date") }),
          allTimeLow: try figures.extreme(
            "all-time low", price: { try page.number("atl") }, date: { try page.instant("atl_date") }),
          image: try figures.value("image") { try page.string("image") })
        answer = ProviderAnswer(detail, warnings: figures.warnings + (page.hasRounded ? [.roundedNumbers] : []))
      } catch let error as ValidationError {
        throw BitpalError.noPrice(coin: coin, provider: descriptor.id, reason: error.description)
      }
    }
    guard let answer else { throw reading.unreadable("it is empty") }
    return answer
  }
}

extension CoinGeckoDialect {
  /// A line out of `/coins/{id}/market_chart`; market values and volumes, which come with it, are not looked at.
  func line(_ coin: String, from response: HTTPResponse) throws -> ProviderAnswer<LineSeries> {
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
    return ProviderAnswer(
      LineSeries(points: cleaned.points), warnings: rows.warnings(invalid: cleaned.dropped, isRounded: isRounded))
  }

  /// Candles out of `/coins/{id}/ohlc`, rows of five numbers.
  ///
  /// - Parameter window: The window asked for, which decides how wide the candles are that come.
  func candles(
    _ coin: String, window: TimeWindow, from response: HTTPResponse
  ) throws -> ProviderAnswer<CandleSeries> {
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
    return ProviderAnswer(
      CandleSeries(width: native, candles: cleaned.points),
      warnings: rows.warnings(invalid: cleaned.dropped, isRounded: isRounded))
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
}
