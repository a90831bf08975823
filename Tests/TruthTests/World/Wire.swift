import FoundationEssentials

/// The sources of the world on the web: what each sends to a path at an instant, in its own format.
struct Wire: Sendable {
  /// A status and a body.
  struct Reply: Sendable {
    var status = 200
    var body: String
  }

  let truth: Truth

  /// The instant of the answers, in seconds.
  let now: Int

  /// Whose prices the host of CoinGecko sends: its own, or those of the recording that is being made.
  var coingecko = Source.coingecko

  /// The answer of a source to a path with a query, both decoded.
  func reply(of source: Source, _ path: String, _ query: [String: String]) -> Reply {
    let parts = path.split(separator: "/").map(String.init)
    return switch source {
    case .coingecko, .tape: coingeckoReply(Array(parts.drop { $0 == "api" || $0 == "v3" }), query)
    case .binance: binanceReply(parts.last ?? "", query)
    case .coinbase: coinbaseReply(parts, query)
    case .yahoo: yahooReply(parts.last ?? "", query)
    case .alphavantage: alphavantageReply(query)
    case .ecb: ecbReply(parts.last ?? "")
    case .plugin: pluginReply(query)
    case .journal, .sheet: Reply(status: 404, body: "")
    }
  }

  /// What a source sends that has nothing to send for a moment, in the form of its answers.
  func nothing(of source: Source, _ path: String, _ target: String) -> String {
    switch source {
    case .yahoo: #"{"chart":{"result":[],"error":null}}"#
    case .alphavantage:
      target.contains("GLOBAL_QUOTE") ? #"{"Global Quote":{}}"# : #"{"Meta Data":{},"Time Series (Daily)":{}}"#
    case .ecb:
      #"<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"><Cube></Cube></gesmes:Envelope>"#
    case .plugin: #"{"rows":[]}"#
    case .coingecko where path.contains("market_chart"): #"{"prices":[],"market_caps":[],"total_volumes":[]}"#
    case .coingecko, .tape, .binance, .coinbase, .journal, .sheet: "[]"
    }
  }

  // MARK: What all have in common

  func open(_ source: Source, _ thing: String, _ currency: String, _ time: Int) -> String {
    truth.open(source, thing, currency, at: time).description
  }

  /// Open, high, low and close of the candle from one instant to another, as far as it has come.
  func candle(_ source: Source, _ thing: String, _ currency: String, _ start: Int, _ end: Int) -> [String] {
    let isOpen = end > now
    let last = min(end, now)
    let close = isOpen ? truth.spot(source, thing, currency, now: now) : truth.close(source, thing, currency, at: end)
    return [
      truth.open(source, thing, currency, at: start), truth.extreme(source, thing, currency, at: last, isHigh: true),
      truth.extreme(source, thing, currency, at: last, isHigh: false), close,
    ].map(\.description)
  }

  /// The currency that a text ends with, in the source's own code.
  private func pair(_ symbol: String, _ codes: [String: String]) -> (ticker: String, currency: String)? {
    codes.filter { symbol.hasSuffix($0.key) }.max { $0.key.count < $1.key.count }
      .map { (String(symbol.dropLast($0.key.count)), $0.value) }
  }

  private static let tickers = [
    "BTC": "bitcoin", "ETH": "ethereum", "NEAR": "near", "DOGE": "dogecoin", "LTC": "litecoin", "ZBR": "zebra",
  ]

  // MARK: Binance

  private func binanceReply(_ operation: String, _ query: [String: String]) -> Reply {
    guard let pair = pair(query["symbol"] ?? "", ["USDT": "usd", "EUR": "eur"]), let coin = Self.tickers[pair.ticker],
      Source.binance.has(coin, in: pair.currency)
    else { return Reply(status: 400, body: #"{"code":-1121,"msg":"Invalid symbol."}"#) }
    if operation == "24hr" {
      let price = truth.spot(.binance, coin, pair.currency, now: now)
      return Reply(
        body: #"{"lastPrice":"\#(price)","priceChangePercent":"1.25","openTime":0,"closeTime":\#(now * 1000)}"#)
    }
    let widths = [
      "1s": 1, "1m": 60, "3m": 180, "5m": 300, "15m": 900, "30m": 1800, "1h": 3600, "2h": 7200, "4h": 14_400,
      "6h": 21_600, "8h": 28_800, "12h": 43_200, "1d": 86_400, "3d": 259_200, "1w": 604_800,
    ]
    guard let width = widths[query["interval"] ?? ""], let from = query["startTime"].flatMap({ Int($0) }) else {
      return Reply(status: 400, body: #"{"code":-1120,"msg":"Invalid interval."}"#)
    }
    let end = min(now, (query["endTime"].flatMap { Int($0) } ?? now * 1000) / 1000)
    let most = min(1000, query["limit"].flatMap { Int($0) } ?? 500)
    var start = max((from + 999) / 1000, Source.binance.beginning(coin, now: now))
    // Weeks begin on Monday.
    let shift = width == 604_800 ? 4 * 86_400 : 0
    start = (start - shift + width - 1).floored(to: width) + shift
    var rows: [String] = []
    while start <= end, rows.count < most {
      let c = candle(.binance, coin, pair.currency, start, start + width)
      rows.append(
        #"[\#(start * 1000),"\#(c[0])","\#(c[1])","\#(c[2])","\#(c[3])","1.5",\#((start + width) * 1000 - 1),"9",1,"1","1","0"]"#
      )
      start += width
    }
    return Reply(body: "[" + rows.joined(separator: ",") + "]")
  }

  // MARK: Coinbase

  private func coinbaseReply(_ parts: [String], _ query: [String: String]) -> Reply {
    if parts.last == "currencies" {
      let rows = [("BTC", "Bitcoin"), ("ETH", "Ethereum"), ("LTC", "Litecoin"), ("ZBR", "Zebra")].map {
        #"{"id":"\#($0.0)","name":"\#($0.1)","details":{"type":"crypto"}}"#
      }
      return Reply(body: "[" + rows.joined(separator: ",") + #",{"id":"EUR","name":"Euro","details":{"type":"fiat"}}]"#)
    }
    let product = (parts.dropFirst().first ?? "").split(separator: "-").map(String.init)
    guard product.count == 2, let coin = Self.tickers[product[0]],
      Source.coinbase.has(coin, in: product[1].lowercased())
    else { return Reply(status: 404, body: #"{"message":"NotFound"}"#) }
    let currency = product[1].lowercased()
    if parts.last == "stats" {
      let price = truth.spot(.coinbase, coin, currency, now: now)
      return Reply(
        body: #"{"open":"\#(open(.coinbase, coin, currency, now - 86_400))","last":"\#(price)","volume":"1"}"#)
    }
    guard let width = query["granularity"].flatMap({ Int($0) }), let start = Self.instant(query["start"]),
      let end = Self.instant(query["end"])
    else { return Reply(status: 400, body: #"{"message":"Invalid start"}"#) }
    guard (end - start) / width <= 300 else {
      return Reply(
        status: 400,
        body:
          #"{"message":"granularity too small for the requested time range. Count of aggregations requested exceeds 300"}"#
      )
    }
    var rows: [String] = []
    var time = min(end, now).floored(to: width)
    let first = max(start, Source.coinbase.beginning(coin, now: now))
    // Newest first, low before high.
    while time >= first {
      let c = candle(.coinbase, coin, currency, time, time + width)
      rows.append("[\(time),\(c[2]),\(c[1]),\(c[0]),\(c[3]),1.5]")
      time -= width
    }
    return Reply(body: "[" + rows.joined(separator: ",") + "]")
  }

  /// Seconds of an instant in ISO 8601.
  static func instant(_ text: String?) -> Int? {
    text.flatMap { try? Date($0, strategy: .iso8601) }.map { Int($0.timeIntervalSince1970) }
  }

  // MARK: The central bank

  private func ecbReply(_ file: String) -> Reply {
    let last = now.day - 86_400
    let count = file.contains("90d") ? 90 : file.contains("daily") ? 0 : 420
    // The bank has no króna for nine years, of which the file has the two ends.
    let gap = count > 90 ? [Self.gap.lowerBound, Self.gap.lowerBound + 300 * 86_400] : []
    var days = (0...count).map { last - $0 * 86_400 }.filter { ![0, 6].contains($0.weekday) }
    if count == 0 { days = (0...6).map { last - $0 * 86_400 }.filter { ![0, 6].contains($0.weekday) }.prefix(1) + [] }
    let cubes = (days + gap.reversed()).map { day in
      let rates = Source.rates.filter { $0 != "isk" || day < Self.gap.lowerBound + 1 || day >= Self.gap.upperBound }
        .map { #"<Cube currency="\#($0.uppercased())" rate="\#(truth.rate($0, on: day))"/>"# }
      return #"<Cube time="\#(day.dayText)">\#(rates.joined())</Cube>"#
    }
    return Reply(
      body:
        #"<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" "#
        + #"xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube>\#(cubes.joined())</Cube></gesmes:Envelope>"#
    )
  }

  /// The days without a króna: from 2008-12-09, which has one, to 2018-02-01.
  static let gap = 1_228_780_800..<1_517_443_200

  // MARK: The plugin's source

  private func pluginReply(_ query: [String: String]) -> Reply {
    let coins = (query["ids"] ?? "").split(separator: ",").map(String.init)
      .filter { Source.plugin.has($0, in: "usd") }
    guard let from = Self.instant(query["from"]) else {
      let rows = coins.map {
        #"{"id":"\#($0)","symbol":"\#($0.prefix(3))","name":"\#($0)","price":"\#(truth.spot(.plugin, $0, "usd", now: now))"}"#
      }
      return Reply(body: #"{"rows":[\#(rows.joined(separator: ","))]}"#)
    }
    let width = now - from > 30 * 86_400 ? 86_400 : 3600
    var time = max(from, Source.plugin.beginning("", now: now)).floored(to: width)
    var rows: [String] = []
    while let coin = coins.first, time <= min(now, Self.instant(query["to"]) ?? now) {
      rows.append(#"{"time":"\#(time.instantText)","price":"\#(open(.plugin, coin, "usd", time))"}"#)
      time += width
    }
    return Reply(body: #"{"rows":[\#(rows.joined(separator: ","))]}"#)
  }
}
