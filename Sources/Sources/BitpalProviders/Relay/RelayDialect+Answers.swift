import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

extension RelayDialect {
  /// Returns the quotes of `bitpal.prices/1`, with the failures that it lists for other coins, whatever its status.
  ///
  /// - Throws: The server's failure when it lists none for a coin, `.unreadable` for another body or currency.
  func quotes(
    _ coins: [String], currency: String, from response: HTTPResponse, _ query: ProviderQuery
  ) throws -> ProviderAnswer {
    let errors = try errors(in: response, about: query)
    if !errors.contains(where: { $0.coin != nil }) { try check(response, about: query) }
    try page(response, ["currency": "$.currency", "schema": "$.schema"]) { page in
      try checkSchema(["bitpal.prices/1"], page)
      try checkCurrency(currency, page)
    }
    var rows = QuoteRows(provider: descriptor.id)
    var origins: [String: AnswerOrigin] = [:]
    let ids = Dictionary(coins.map { (WellKnownCoins.name(ofID: $0), $0) }) { first, _ in first }
    try reading.elements(
      of: "$.prices", in: response.body, expecting: .object,
      members: [
        "id": "$.id", "symbol": "$.symbol", "name": "$.name", "price": "$.price", "change_24h": "$.change_24h",
        "last_updated": "$.last_updated", "source": "$.source", "fetched_at": "$.fetched_at",
        "stale_reason": "$.stale_reason", "from": "$.converted.from", "price before": "$.converted.price",
        "rate": "$.converted.rate", "rate_source": "$.converted.rate_source", "rate_time": "$.converted.rate_time",
        "volume": "$.volume",
      ]
    ) { row in
      guard let coin = try rows.identity({ try row.string("id") }).flatMap({ ids[$0] }) else { return }
      try rows.add(coin, unreadable: reading.unreadable) { figures in
        let quote = try self.quote(coin, row, &figures)
        origins[coin] = try origin(of: row)
        return quote
      }
    }
    if let reason = rows.reasonForNone { throw reading.unreadable(reason) }
    var answer = rows.answer(coins, isRounded: false)
    for case (let coin?, let error) in errors where answer.answers[coin] == nil { answer.failures[coin] = error }
    answer.failures = answer.failures.filter { coins.contains($0.key) }
    answer.origins = origins
    return answer
  }

  /// Returns the coin list of the server's source, fetched at the time of `Date` minus `Age`.
  ///
  /// - Throws: `BitpalError.unreadable` for another body, or a list without a usable coin.
  func coinList(from response: HTTPResponse) throws -> ProviderAnswer {
    var items: [CoinListItem] = []
    try reading.elements(
      in: response.body, expecting: .array, members: ["id": "$.id", "symbol": "$.symbol", "name": "$.name"]
    ) { row in
      let item = try? CoinListItem(
        validating: try row.string(0) ?? "", symbol: try row.string(1) ?? "", name: try row.string(2) ?? "")
      if let item { items.append(item) }
    }
    guard !items.isEmpty else { throw reading.unreadable("the coin list is empty") }
    let headers = response.headers
    guard let date = response.date(now: .distantFuture), let source = headers.first(named: "x-bitpal-source"),
      let age = headers.first(named: "age").flatMap({ Int($0) }), age >= 0
    else { return ProviderAnswer(.coinList(items)) }
    let origin = AnswerOrigin(source: Self.word(source), fetchedAt: date.adding(.zero - .seconds(age)))
    return ProviderAnswer(.coinList(items)).from(origin)
  }

  /// Returns the market figures of `bitpal.coin/1`.
  ///
  /// - Throws: `BitpalError.noPrice` without a price, `.unreadable` for another body, coin or currency.
  func detail(
    _ coin: String, currency: String, from response: HTTPResponse
  ) throws -> ProviderAnswer {
    let head = try head(coin, currency, response)
    let members: KeyValuePairs<String, String> = [
      "symbol": "$.symbol", "name": "$.name", "price": "$.price", "change_24h": "$.change_24h",
      "last_updated": "$.last_updated", "market_cap": "$.market_cap", "total_volume": "$.total_volume",
      "circulating_supply": "$.circulating_supply",
      "total_supply": "$.total_supply", "max_supply": "$.max_supply", "rank": "$.rank", "image": "$.image",
      "change_7d": "$.change_7d", "change_30d": "$.change_30d", "change_1y": "$.change_1y", "ath": "$.ath",
      "ath_date": "$.ath_date", "atl": "$.atl", "atl_date": "$.atl_date", "volume": "$.volume",
    ]
    return try page(response, members) { page in
      var figures = Figures(coin: coin)
      guard let quote = try quote(coin, page, &figures) else {
        throw BitpalError.noPrice(coin: coin, provider: descriptor.id)
      }
      func amount(_ name: String) throws -> Decimal? { try figures.amount(name) { try Self.decimal(page, name) } }
      func change(_ name: String) throws -> Decimal? { try figures.value(name) { try Self.decimal(page, name) } }
      func extreme(_ name: String) throws -> PriceExtreme? {
        try figures.extreme(
          name, price: { try Self.decimal(page, name) }, date: { try page.instant(name + "_date") })
      }
      let detail = try CoinDetail(
        validating: quote, marketCap: amount("market_cap"), totalVolume: amount("total_volume"),
        circulatingSupply: amount("circulating_supply"), totalSupply: amount("total_supply"),
        maximumSupply: amount("max_supply"), rank: figures.rank { try page.number("rank") },
        changes: PeriodChanges(week: change("change_7d"), month: change("change_30d"), year: change("change_1y")),
        allTimeHigh: extreme("ath"), allTimeLow: extreme("atl"),
        image: figures.value("image") { try page.string("image") })
      return ProviderAnswer(.detail(detail), about: coin, warnings: figures.warnings).from(head.origin, of: coin)
    }
  }

  /// Returns the line of `bitpal.chart/1`, or the closes of `bitpal.history/1`.
  ///
  /// - Throws: `BitpalError.noData` without rows, `.unreadable` for another body, coin or currency.
  func line(_ coin: String, currency: String, from response: HTTPResponse) throws -> ProviderAnswer {
    let (origin, isOfCloses, _, isDaily) = try head(coin, currency, response)
    var rows = SeriesRows<ChartDataPoint>()
    var isProvisional = false
    try reading.elements(
      of: isOfCloses ? "$.days" : "$.points", in: response.body, expecting: .object,
      members: ["time": isOfCloses ? "$.date" : "$.time", "price": "$.price", "provisional": "$.provisional"]
    ) { row in
      try rows.add {
        guard let time = try row.instant(0), let price = try Self.decimal(row, "price") else { return nil }
        isProvisional = row.isTrue("provisional")
        return ChartDataPoint(timestamp: time, price: price)
      }
    }
    let points = try cleaned(rows, "the line of \(coin)", SeriesRules.clean)
    let series = LineSeries(
      points: points.value, isDaily: isOfCloses || isDaily, settles: isProvisional ? .distantFuture : nil)
    return ProviderAnswer(.line(series), about: coin, warnings: points.warnings).from(origin, of: coin)
  }

  /// Returns the candles of `bitpal.chart/1`, with the width that it states.
  ///
  /// - Throws: `BitpalError.noData` without rows, `.unreadable` for another body, coin or currency, or without a width.
  func candles(_ coin: String, currency: String, from response: HTTPResponse) throws -> ProviderAnswer {
    let (origin, _, width, _) = try head(coin, currency, response)
    guard let width else { throw reading.unreadable("it does not say how wide its candles are") }
    var rows = SeriesRows<CandleDataPoint>()
    try reading.elements(
      of: "$.points", in: response.body, expecting: .object,
      members: ["time": "$.time", "open": "$.open", "high": "$.high", "low": "$.low", "close": "$.close"]
    ) { row in
      try rows.add {
        guard let time = try row.instant(0), let open = try Self.decimal(row, "open"),
          let high = try Self.decimal(row, "high"), let low = try Self.decimal(row, "low"),
          let close = try Self.decimal(row, "close")
        else { return nil }
        return CandleDataPoint(timestamp: time, open: open, high: high, low: low, close: close)
      }
    }
    let candles = try cleaned(rows, "candles of \(coin)", SeriesRules.clean)
    let series = CandleSeries(width: width, candles: candles.value)
    return ProviderAnswer(.candles(series), about: coin, warnings: candles.warnings).from(origin, of: coin)
  }

  // MARK: Parts

  /// Returns the provenance of an answer about one coin, whether it has closes, the width of its candles, and whether its points
  /// are of days.
  ///
  /// - Throws: `.unreadable` for an answer about another coin, or in another currency.
  private func head(
    _ coin: String, _ currency: String, _ response: HTTPResponse
  ) throws -> (origin: AnswerOrigin, isOfCloses: Bool, width: Duration?, isDaily: Bool) {
    let members: KeyValuePairs<String, String> = [
      "coin": "$.coin", "id": "$.id", "currency": "$.currency", "schema": "$.schema", "candle": "$.candle",
      "daily": "$.daily",
      "source": "$.source", "fetched_at": "$.fetched_at", "stale_reason": "$.stale_reason", "from": "$.converted.from",
      "price before": "$.converted.price", "rate": "$.converted.rate", "rate_source": "$.converted.rate_source",
      "rate_time": "$.converted.rate_time",
    ]
    return try page(response, members) { page in
      let name = try page.string("coin") ?? page.string("id") ?? ""
      try checkSchema(["bitpal.coin/1", "bitpal.chart/1", "bitpal.history/1"], page)
      guard name == WellKnownCoins.name(ofID: coin) else { throw reading.anotherCoin(name, asked: coin) }
      try checkCurrency(currency, page)
      let width = try page.string("candle").flatMap { Duration(unitText: $0) }.flatMap { $0 > .zero ? $0 : nil }
      return (
        try origin(of: page), try page.string("schema") == "bitpal.history/1", width,
        page.isTrue("daily")
      )
    }
  }

  private func cleaned<Point>(
    _ rows: SeriesRows<Point>, _ subject: String, _ clean: ([Point]) -> SeriesRules.Cleaned<Point>
  ) throws -> (value: [Point], warnings: [AnswerWarning]) {
    guard !rows.isEmpty else { throw BitpalError.noData(question: subject, provider: descriptor.id) }
    if rows.points.isEmpty, let problem = rows.problem { throw reading.unreadable(problem.description) }
    let cleaned = clean(rows.points)
    let points = try cleaned.usable(of: subject, provider: descriptor.id)
    return (points, rows.warnings(of: cleaned, isRounded: false))
  }

  /// Reads members of the body itself; an unreadable member makes the whole answer unreadable.
  private func page<Value>(
    _ response: HTTPResponse, _ members: KeyValuePairs<String, String>, _ read: (JSONMembers) throws -> Value
  ) throws -> Value {
    var value: Value?
    try reading.members(of: response.body, expecting: .object, members) { value = try read($0) }
    guard let value else { throw reading.unreadable("it is empty") }
    return value
  }

  private func checkSchema(_ known: [String], _ page: JSONMembers) throws {
    let schema = try page.string("schema") ?? ""
    guard known.contains(schema) else {
      throw reading.unreadable(
        "its shape is \"\(schema.printable(limit: 40))\", and this version reads \(known.joined(separator: ", "))")
    }
  }

  private func checkCurrency(_ currency: String, _ page: JSONMembers) throws {
    let other = try page.string("currency") ?? ""
    guard other == currency else {
      throw reading.unreadable("it is in \"\(other.printable(limit: 20))\", not in \(currency)")
    }
  }

  /// Returns the quote of a row; nil for a row without a price.
  private func quote(_ coin: String, _ row: JSONMembers, _ figures: inout Figures) throws -> Coin? {
    guard let price = try Self.decimal(row, "price") else { return nil }
    let quote = try Coin(
      validating: coin, symbol: try row.string("symbol") ?? "", name: try row.string("name") ?? "", currentPrice: price,
      priceChangePercentage24h: try figures.value("24 h change") { try Self.decimal(row, "change_24h") },
      lastUpdated: try row.instant("last_updated"))
    return try quote.with(volume: figures.amount("volume") { try Self.decimal(row, "volume") })
  }

  /// The time by which a rate may be newer than the answer: one of a day has the time of its end, which may still come.
  private static let longestRate: Duration = .seconds(86_400)

  /// Returns the provenance of a row, which every row must have.
  ///
  /// - Throws: `ColumnProblem` without `source` or `fetched_at`, for an unknown `stale_reason`, and for a conversion
  ///   whose rate or price is not above zero, or whose rate is newer than the answer.
  private func origin(of row: JSONMembers) throws -> AnswerOrigin {
    guard let source = try row.string("source"), !source.isEmpty, let fetchedAt = try row.instant("fetched_at") else {
      throw ColumnProblem.wrong(column: "source or fetched_at", expected: "stated", found: "null")
    }
    let mark = try row.string("stale_reason")
    guard let freshness = mark.map({ Freshness(reason: $0) }) ?? .fresh else {
      throw ColumnProblem.wrong(column: "stale_reason", expected: "a known reason", found: mark ?? "null")
    }
    var conversion: Conversion?
    if let from = try row.string("from"), let rate = try Self.decimal(row, "rate"),
      let rateSource = try row.string("rate_source"), let rateTime = try row.instant("rate_time")
    {
      let price = try Self.decimal(row, "price before")
      guard rate > 0, price ?? 1 > 0 else {
        throw ColumnProblem.wrong(column: "converted", expected: "above zero", found: "\(rate.plainText)")
      }
      guard rateTime.since(fetchedAt) < Self.longestRate else {
        throw ColumnProblem.wrong(column: "rate_time", expected: "no later than fetched_at", found: rateTime.iso8601)
      }
      conversion = Conversion(
        from: Self.word(from), price: price, rate: rate,
        rateSource: Self.word(rateSource), rateTime: rateTime)
    }
    return AnswerOrigin(
      source: Self.word(source), fetchedAt: fetchedAt, freshness: freshness, conversion: conversion)
  }

  /// Returns a name as the cache stores it: at most 200 characters, with `_` for spaces and commas.
  private static func word(_ text: String) -> String {
    String(text.printable(limit: 200).map { $0 == "," || $0.isWhitespace ? "_" : $0 })
  }

  /// Returns a number that is written as a text, with all its digits; nil for null.
  private static func decimal(_ row: JSONMembers, _ name: String) throws -> Decimal? {
    guard let text = try row.string(name) else { return nil }
    guard let number = try? Decimal(strict: text) else {
      throw ColumnProblem.wrong(column: name, expected: "a number", found: text.printable(limit: 60))
    }
    return number
  }
}
