import BitpalJSON
import BitpalModel
import BitpalOutput
import FoundationEssentials
import Testing

@Suite struct `The shapes of CoinGecko's API, for any values` {
  private static let seeds = Array<UInt64>(1...30)

  /// Returns whether a value is a number with all digits of a decimal, or null for nil.
  private func holds(_ value: JSONValue?, _ number: Decimal?) -> Bool {
    value == (number.map { .number($0.plainText) } ?? .null)
  }

  @Test(arguments: seeds)
  func `A price by currency is a number with all its digits, and null where its source has failed`(seed: UInt64) throws
  {
    var draw = Draw(seed)
    let details = try draw.list(1...4) { try $0.detail() }
    let rows = details.enumerated().map { index, detail in
      CoinGeckoPrices.Row(
        "coin-\(index)", [("usd", detail.coin, detail), ("eur", detail.coin, nil)], failed: ["chf"])
    }
    let all: CoinGeckoPrices.Extras = [.marketCap, .volume, .change, .time]
    let json = try JSONReader.read(CoinGeckoPrices(rows, all, CoinGeckoNumber()).text)
    for (index, detail) in details.enumerated() {
      let row = try #require(json["coin-\(index)"])
      #expect(holds(row["usd"], detail.coin.currentPrice) && holds(row["usd_market_cap"], detail.marketCap))
      #expect(
        holds(row["usd_24h_vol"], detail.totalVolume)
          && holds(row["usd_24h_change"], detail.coin.priceChangePercentage24h))
      #expect(holds(row["eur"], detail.coin.currentPrice) && row["eur_market_cap"] == .null && row["chf"] == .null)
      #expect(row["last_updated_at"]?.digits == detail.coin.lastUpdated.map { "\($0.milliseconds / 1000)" })
    }
    let plain = try JSONReader.read(CoinGeckoPrices(rows, [], CoinGeckoNumber()).text)
    guard case .object(let first)? = plain["coin-0"] else { return #expect(Bool(false)) }
    #expect(first.members.map(\.key) == ["usd", "eur", "chf"])
  }

  @Test(arguments: seeds)
  func `A precision rounds prices alone, half to even`(seed: UInt64) throws {
    var draw = Draw(seed)
    let (detail, digits) = (try draw.detail(), draw.number(0...18))
    let number = try CoinGeckoNumber(precision: "\(digits)")
    let rows = [CoinGeckoPrices.Row("x", [("usd", detail.coin, detail)])]
    let row = try #require(try JSONReader.read(CoinGeckoPrices(rows, [.marketCap], number).text)["x"])
    #expect(holds(row["usd"], detail.coin.currentPrice.rounded(scale: digits)))
    #expect(holds(row["usd_market_cap"], detail.marketCap))
    #expect(row["usd"]?.digits?.contains("e") == false)
  }

  @Test(arguments: ["19", "-1", "x", "", "1.0"])
  func `Another precision is refused`(text: String) {
    #expect(throws: BitpalError.self) { try CoinGeckoNumber(precision: text) }
  }

  @Test(arguments: seeds)
  func `A row of the market has the figures of its coin, or null for each that is unknown`(seed: UInt64) throws {
    var draw = Draw(seed)
    let details = try draw.list(1...4) { try $0.detail() }
    let weeks = try details.map { _ in try draw.some { try $0.points() } }
    let rows = zip(details, weeks).map { CoinGeckoMarkets.Row($0, fetchedAt: Draw.now, week: $1) }
    let failed = CoinGeckoMarkets.Row(failed: "lost", symbol: "l", name: "Lost", asked: Draw.now)
    let json = try JSONReader.read(
      CoinGeckoMarkets(rows + [failed], windows: CoinGeckoMarkets.windows, CoinGeckoNumber()).text)
    #expect(json.elements.count == details.count + 1)
    for (row, (detail, week)) in zip(json.elements, zip(details, weeks)) {
      #expect(row["id"]?.text == detail.coin.id && row["name"]?.text == detail.coin.name)
      #expect(holds(row["current_price"], detail.coin.currentPrice) && holds(row["market_cap"], detail.marketCap))
      #expect(holds(row["total_volume"], detail.totalVolume) && holds(row["max_supply"], detail.maximumSupply))
      #expect(row["market_cap_rank"]?.digits == detail.rank.map { "\($0)" })
      #expect(row["image"]?.text == detail.image ?? "")
      #expect(holds(row["price_change_percentage_7d_in_currency"], detail.changes.week))
      #expect(holds(row["price_change_percentage_14d_in_currency"], nil))
      #expect(row["sparkline_in_7d"]?["price"]?.elements.compactMap(\.digits) == week?.map(\.price.plainText))
      // Typed clients require a time.
      #expect(row["last_updated"]?.text.flatMap { Date(utcText: $0) } != nil)
    }
    let last = try #require(json.elements.last)
    #expect(last["id"]?.text == "lost" && last["current_price"] == .null && last["image"]?.text == "")
  }

  @Test(arguments: seeds)
  func `A coin has its figures in maps by currency, which are empty for an unknown figure`(seed: UInt64) throws {
    var draw = Draw(seed)
    let answer = try draw.sourced(try draw.detail())
    let (detail, week) = (answer.value, try draw.some { try $0.points() })
    let json = try JSONReader.read(CoinGeckoCoin(answer, currency: "eur", week: week, hasMarket: true).text)
    let market = try #require(json["market_data"])
    #expect(holds(market["current_price"]?["eur"], detail.coin.currentPrice))
    for (key, figure) in [
      ("market_cap", detail.marketCap), ("total_volume", detail.totalVolume), ("ath", detail.allTimeHigh?.price),
      ("atl", detail.allTimeLow?.price),
    ] {
      #expect(market[key] == .object(figure.map { ["eur": .number($0.plainText)] } ?? [:]), "\(key)")
    }
    #expect(
      market["ath_date"]?["eur"]?.text.flatMap { Date(utcText: $0)?.milliseconds }
        == detail.allTimeHigh?.date?.milliseconds)
    #expect(market["sparkline_7d"]?["price"]?.elements.compactMap(\.digits) == week?.map(\.price.plainText))
    #expect(json["image"]?["large"]?.text == detail.image ?? "")
    let updated = detail.coin.lastUpdated ?? answer.fetchedAt
    #expect(json["last_updated"]?.text.flatMap { Date(utcText: $0)?.milliseconds } == updated.milliseconds)
    let bare = try JSONReader.read(CoinGeckoCoin(answer, currency: "eur", week: nil, hasMarket: false).text)
    #expect(bare["market_data"] == nil && bare["name"]?.text == detail.coin.name)
  }

  @Test(arguments: seeds)
  func `A chart has three lists of the same length, and a candle is stamped with its end`(seed: UInt64) throws {
    var draw = Draw(seed)
    let points = try draw.points(0...20)
    let chart = try JSONReader.read(CoinGeckoChart(points, CoinGeckoNumber()).text)
    let times = points.map { JSONValue.number("\($0.timestamp.milliseconds)") }
    #expect(
      chart["prices"]?.elements == zip(times, points).map { .array([$0, .number($1.price.plainText)]) })
    for key in ["market_caps", "total_volumes"] {
      #expect(chart[key]?.elements == times.map { .array([$0, .null]) })
    }
    let series = CandleSeries(width: .seconds(1800), candles: try draw.candles())
    let rows = try JSONReader.read(CoinGeckoCandles(series, CoinGeckoNumber()).text).elements
    #expect(rows.count == series.candles.count)
    for (row, candle) in zip(rows, series.candles) {
      let prices = [candle.open, candle.high, candle.low, candle.close].map(\.plainText)
      #expect(row.elements.compactMap(\.digits) == ["\(candle.timestamp.milliseconds + 1_800_000)"] + prices)
    }
  }

  @Test(arguments: seeds)
  func `A price of a day, a list, a search and a failure keep any text`(seed: UInt64) throws {
    var draw = Draw(seed)
    let coins = try draw.list(1...5) { draw in
      try CoinListItem(validating: draw.text(), symbol: draw.text(), name: draw.text())
    }
    let (coin, price) = (coins[0], try draw.decimal())
    let history = try JSONReader.read(CoinGeckoHistory(coin, price: price, currency: "usd").text)
    #expect(holds(history["market_data"]?["current_price"]?["usd"], price) && history["id"]?.text == coin.id)
    #expect(try JSONReader.read(CoinGeckoHistory(coin, price: nil, currency: "usd").text)["market_data"] == nil)
    let list = try JSONReader.read(CoinGeckoList.coins(coins, hasPlatforms: false).text).elements
    #expect(list.map { $0["symbol"]?.text } == coins.map(\.symbol) && list.allSatisfy { $0["platforms"] == nil })
    let wide = try JSONReader.read(CoinGeckoList.coins(coins, hasPlatforms: true).text).elements
    #expect(wide.allSatisfy { $0["platforms"] == .object([:]) })
    let found = try JSONReader.read(CoinGeckoList.found(coins).text)["coins"]?.elements ?? []
    #expect(found.map { $0["api_symbol"]?.text } == coins.map(\.id))
    #expect(found.map { $0["symbol"]?.text } == coins.map { $0.symbol.uppercased() })
    let message = draw.text()
    #expect(try JSONReader.read(CoinGeckoError.message(message).text)["error"]?.text == message)
    let status = try JSONReader.read(CoinGeckoError.coded(429, message).text)["status"]
    #expect(status?["error_code"]?.digits == "429" && status?["error_message"]?.text == message)
    let plan = try JSONReader.read(CoinGeckoError.ofPlan(message, Draw.now).text)["error"]?["status"]
    #expect(plan?["error_code"]?.digits == "10012" && plan?["error_message"]?.text == message)
  }

  @Test func `The change of a day in money follows from that in percent, and times have milliseconds`() throws {
    func market(_ change: Decimal?, at time: Date?) throws -> JSONValue? {
      let coin = try Coin(
        validating: "a", symbol: "a", name: "A", currentPrice: 110, priceChangePercentage24h: change, lastUpdated: time)
      let row = CoinGeckoMarkets.Row(try CoinDetail(validating: coin), fetchedAt: Date(milliseconds: 0))
      return try JSONReader.read(CoinGeckoMarkets([row], windows: [], CoinGeckoNumber(precision: nil)).text).elements
        .first
    }
    #expect(try market(10, at: nil)?["price_change_24h"]?.digits == "10")
    #expect(
      try market(-100, at: nil)?["price_change_24h"] == .null && market(nil, at: nil)?["price_change_24h"] == .null)
    #expect(try market(nil, at: nil)?["last_updated"]?.text == "1970-01-01T00:00:00.000Z")
    #expect(try market(nil, at: Date(milliseconds: 1005))?["last_updated"]?.text == "1970-01-01T00:00:01.005Z")
  }
}
