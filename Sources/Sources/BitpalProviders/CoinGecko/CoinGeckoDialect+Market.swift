import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

extension CoinGeckoDialect {
  /// Reads quotes, and the figures and weeks that came with them, out of a page of `/coins/markets`.
  ///
  /// CoinGecko omits unknown ids without an error and sorts the page by market value. So rows are found by id, and a
  /// coin without a row is `.notFound`.
  ///
  /// - Throws: `BitpalError.unreadable` for a body that is not a list of coins.
  func quotes(_ coins: [String], from response: HTTPResponse) throws -> ProviderAnswer {
    let market = try market(of: coins, from: response)
    var answer = market.quotes
    // A server that ignores the request for weeks ignores the one for changes too, so the figures are not complete.
    guard market.hasWeeks else { return answer }
    for coin in answer.answers.keys {
      guard let detail = market.details[coin]?.answers[coin] else { continue }
      answer.extras[coin] = [detail, .line(market.weeks[coin] ?? LineSeries(points: []))]
    }
    return answer
  }

  /// Reads the largest coins, in the order of the page, with their quotes, figures and weeks.
  ///
  /// - Throws: `BitpalError.unreadable` for a body that is not a list of coins.
  func top(from response: HTTPResponse) throws -> ProviderAnswer {
    let market = try market(of: nil, from: response)
    // A page beyond the last coin is empty.
    guard !market.quotes.answers.isEmpty || rankedPage?.number ?? 1 > 1 else {
      throw reading.unreadable("it has no coins")
    }
    var answer = ProviderAnswer(.coinList(market.items), warnings: market.quotes.warnings)
    for (id, quote) in market.quotes.answers {
      let detail = market.details[id]?.answers[id]
      answer.extras[id] = [quote, detail, market.weeks[id].map { .line($0) }].compactMap(\.self)
    }
    return answer
  }

  /// Reads the market figures of a coin from its row in a market.
  ///
  /// - Throws: `BitpalError.notFound`, `.noPrice`, or `.unreadable` for another body.
  func detail(_ coin: String, from response: HTTPResponse) throws -> ProviderAnswer {
    let market = try market(of: [coin], from: response)
    guard var detail = market.details[coin] else {
      throw market.quotes.failures[coin] ?? .notFound(coin: coin, provider: descriptor.id)
    }
    detail.warnings += market.quotes.warnings
    return detail
  }

  /// The rows of a page of `/coins/markets`, by coin.
  private struct Market {
    let quotes: ProviderAnswer

    /// The figures by coin, with warnings about those that were left out.
    let details: [String: ProviderAnswer]

    /// The prices of the last seven days by coin; a row without a list of them has no entry.
    let weeks: [String: LineSeries]

    /// Whether a row has a place for a list of them, be it null.
    let hasWeeks: Bool

    /// The coins in the order of their rows, with those that have no price.
    let items: [CoinListItem]
  }

  /// Reads the rows of coins; of all coins without names.
  private func market(of coins: [String]?, from response: HTTPResponse) throws -> Market {
    var rows = QuoteRows(provider: descriptor.id)
    var details: [String: ProviderAnswer] = [:]
    var weeks: [String: LineSeries] = [:]
    var items: [CoinListItem] = []
    var (isRounded, hasWeeks) = (false, false)
    let asked = coins.map { Set($0) }
    try reading.elements(in: response.body, expecting: .array, members: Self.marketMembers) { row in
      let id = try rows.identity { try row.string(0).flatMap { $0.isEmpty ? nil : $0 } }
      // Rows of other coins are ignored, and the order of the rows does not matter.
      guard let id, asked?.contains(id) ?? true else { return }
      if let symbol = try? row.string(1), let name = try? row.string(2),
        let item = try? CoinListItem(validating: id, symbol: symbol.lowercased(), name: name)
      {
        items.append(item)
      }
      try rows.add(id, unreadable: reading.unreadable) { figures in
        guard let price = try row.number(3) else { return nil }
        let quote = try Coin(
          validating: id, symbol: try row.string(1)?.lowercased() ?? "", name: try row.string(2) ?? "",
          currentPrice: price, priceChangePercentage24h: try figures.change { try row.number(4) },
          lastUpdated: try row.instant(5))
        details[id] = try Self.detail(of: quote, row)
        weeks[id] = Self.week(of: quote, row)
        return quote
      }
      isRounded = row.hasRounded
      hasWeeks = hasWeeks || row.has(22)
    }
    if let reason = rows.reasonForNone { throw reading.unreadable(reason) }
    return Market(
      quotes: rows.answer(coins ?? items.map(\.id), isRounded: isRounded), details: details, weeks: weeks,
      hasWeeks: hasWeeks, items: items)
  }

  private static let marketMembers: KeyValuePairs<String, String> = [
    "id": "$.id", "symbol": "$.symbol", "name": "$.name", "current_price": "$.current_price",
    "price_change_percentage_24h": "$.price_change_percentage_24h", "last_updated": "$.last_updated",
    "market_cap": "$.market_cap", "total_volume": "$.total_volume", "circulating_supply": "$.circulating_supply",
    "total_supply": "$.total_supply", "max_supply": "$.max_supply", "rank": "$.market_cap_rank",
    "change_7d": "$.price_change_percentage_7d_in_currency",
    "change_30d": "$.price_change_percentage_30d_in_currency",
    "change_1y": "$.price_change_percentage_1y_in_currency", "ath": "$.ath", "ath_date": "$.ath_date", "atl": "$.atl",
    "atl_date": "$.atl_date", "image": "$.image", "week": "$.sparkline_in_7d.price",
    "change_1h": "$.price_change_percentage_1h_in_currency", "weeks": "$.sparkline_in_7d",
  ]

  /// Reads the market figures of a row.
  private static func detail(of quote: Coin, _ row: JSONMembers) throws -> ProviderAnswer {
    var figures = Figures(coin: quote.id)
    let detail = try CoinDetail(
      validating: quote, marketCap: try figures.amount("market cap") { try row.number(6) },
      totalVolume: try figures.amount("total volume") { try row.number(7) },
      circulatingSupply: try figures.amount("circulating supply") { try row.number(8) },
      totalSupply: try figures.amount("total supply") { try row.number(9) },
      maximumSupply: try figures.amount("maximum supply") { try row.number(10) },
      rank: try figures.rank { try row.number(11) },
      changes: PeriodChanges(
        hour: try figures.value("1 h change") { try row.number(21) },
        week: try figures.value("7 d change") { try row.number(12) },
        month: try figures.value("30 d change") { try row.number(13) },
        year: try figures.value("1 y change") { try row.number(14) }),
      allTimeHigh: try figures.extreme("all-time high", price: { try row.number(15) }, date: { try row.instant(16) }),
      allTimeLow: try figures.extreme("all-time low", price: { try row.number(17) }, date: { try row.instant(18) }),
      image: try figures.value("image") { try row.string(19) })
    return ProviderAnswer(.detail(detail), about: quote.id, warnings: figures.warnings)
  }

  /// Reads the prices of a row's last seven days, one per hour, the last of them in the hour of the price.
  ///
  /// The source sends no times with them (168 prices, sometimes 167), so the times of the line are only good enough for
  /// a drawing without a scale.
  ///
  /// - Returns: A line without points where the row has no time for its end; nil for a row without a list of prices.
  private static func week(of quote: Coin, _ row: JSONMembers) -> LineSeries? {
    guard let prices = try? row.numbers(20) else { return nil }
    guard let end = quote.lastUpdated else { return LineSeries(points: []) }
    let hour: Int64 = 3_600_000
    let last = end.milliseconds / hour * hour
    let points = prices.enumerated().compactMap { index, price -> ChartDataPoint? in
      guard let price, price > 0 else { return nil }
      return ChartDataPoint(timestamp: Date(milliseconds: last - Int64(prices.count - 1 - index) * hour), price: price)
    }
    return LineSeries(points: points)
  }
}
