import FoundationEssentials

/// CoinGecko as it answers without a key.
extension Wire {
  func coingeckoReply(_ parts: [String], _ query: [String: String]) -> Reply {
    if parts == ["coins", "list"] {
      let rows = Listing.all.map { #"{"id":"\#($0.id)","symbol":"\#($0.symbol)","name":"\#($0.name)"}"# }
      return Reply(body: "[" + rows.joined(separator: ",") + "]")
    }
    let currency = query["vs_currency"] ?? "usd"
    if parts == ["coins", "markets"] { return markets(query["ids"] ?? "", currency) }
    guard parts.count > 1, let coin = Listing.all.first(where: { $0.id == parts[1] }) else {
      return Reply(status: 404, body: #"{"error":"coin not found"}"#)
    }
    switch parts.dropFirst(2).joined(separator: "/") {
    case "": return page(of: coin)
    case "market_chart":
      guard let days = query["days"].flatMap({ Int($0) }), days <= 365 else { return Self.tooFar }
      return line(coin, currency, from: now - days * 86_400, to: now, width: Self.spacing(days))
    case "market_chart/range":
      guard let from = query["from"].flatMap({ Int($0) }), let to = query["to"].flatMap({ Int($0) }),
        from >= now - 366 * 86_400
      else { return Self.tooFar }
      let days = (to - from) / 86_400
      return line(coin, currency, from: from, to: to, width: Self.spacing(max(2, days)))
    case "ohlc":
      guard let days = query["days"].flatMap({ Int($0) }), [1, 7, 14, 30, 90, 180, 365].contains(days) else {
        return Reply(status: 400, body: #"{"error":"Invalid days parameter"}"#)
      }
      return candles(coin, currency, days)
    default: return Reply(status: 404, body: #"{"error":"Incorrect path"}"#)
    }
  }

  private static let tooFar = Reply(
    status: 401,
    body:
      #"{"error":{"status":{"error_code":10012,"error_message":"Your request exceeds the allowed time range. Public API users are limited to querying historical data within the past 365 days."}}}"#
  )

  private static func spacing(_ days: Int) -> Int { days <= 1 ? 300 : days <= 90 ? 3600 : 86_400 }

  private func markets(_ ids: String, _ currency: String) -> Reply {
    let asked = Set(ids.split(separator: ",").map(String.init))
    let rows = Listing.all.filter { asked.contains($0.id) && $0.isPriced }.map { coin in
      let price = truth.spot(coingecko, coin.id, currency, now: now)
      return #"{"id":"\#(coin.id)","symbol":"\#(coin.symbol)","name":"\#(coin.name)","current_price":\#(price),"#
        + #""market_cap":1000,"market_cap_rank":1,"total_volume":10,"price_change_percentage_24h":1.5,"#
        + #""price_change_percentage_7d_in_currency":2.5,"sparkline_in_7d":{"price":[\#(week(of: coin, currency))]},"#
        + #""last_updated":"\#((now - 30).instantText)"}"#
    }
    return Reply(body: "[" + rows.joined(separator: ",") + "]")
  }

  /// The last seven days by the hour, without times.
  private func week(of coin: Listing, _ currency: String) -> String {
    stride(from: now - 167 * 3600, through: now, by: 3600)
      .map { open(coingecko, coin.id, currency, $0) }.joined(separator: ",")
  }

  /// A coin's page, which rounds large prices.
  private func page(of coin: Listing) -> Reply {
    let prices = (coingecko.market[coin.id] ?? []).map { currency -> String in
      let price = truth.spot(coingecko, coin.id, currency, now: now)
      return #""\#(currency)":\#(Self.adaptive(price))"#
    }
    let map = coin.isPriced ? prices.joined(separator: ",") : ""
    return Reply(
      body:
        #"{"id":"\#(coin.id)","symbol":"\#(coin.symbol)","name":"\#(coin.name)","market_data":{"current_price":{\#(map)},"#
        + #""market_cap":{"usd":1000},"total_volume":{"usd":10},"market_cap_rank":1,"price_change_percentage_24h":1.5,"#
        + #""last_updated":"\#((now - 30).instantText)"}}"#)
  }

  /// A price with the digits that CoinGecko gives it where full precision is not asked for.
  static func adaptive(_ price: Decimal) -> Decimal {
    let digits = price >= 10_000 ? 0 : 2
    let parts = price.description.split(separator: ".")
    guard parts.count == 2, digits > 0 else { return Decimal(string: String(parts[0])) ?? price }
    return Decimal(string: parts[0] + "." + parts[1].prefix(digits)) ?? price
  }

  /// A line whose last point is now, off the grid.
  private func line(_ coin: Listing, _ currency: String, from: Int, to: Int, width: Int) -> Reply {
    guard coin.isPriced else { return Reply(body: #"{"prices":[],"market_caps":[],"total_volumes":[]}"#) }
    var rows: [String] = []
    var time = (from + width - 1).floored(to: width)
    while time <= to {
      rows.append("[\(time * 1000),\(open(coingecko, coin.id, currency, time))]")
      time += width
    }
    if to >= now, time - width != now { rows.append("[\(now * 1000),\(open(coingecko, coin.id, currency, now))]") }
    let others = rows.indices.map { _ in "[0,1]" }.joined(separator: ",")
    return Reply(
      body: #"{"prices":[\#(rows.joined(separator: ","))],"market_caps":[\#(others)],"total_volumes":[\#(others)]}"#)
  }

  /// Candles stamped with their close; that of the last lies in the future.
  private func candles(_ coin: Listing, _ currency: String, _ days: Int) -> Reply {
    guard coin.isPriced else { return Reply(body: "[]") }
    let width = days <= 2 ? 1800 : days <= 30 ? 14_400 : 4 * 86_400
    var start = (now - days * 86_400).floored(to: width)
    var rows: [String] = []
    while start < now {
      let c = candle(coingecko, coin.id, currency, start, start + width)
      rows.append("[\((start + width) * 1000),\(c.joined(separator: ","))]")
      start += width
    }
    return Reply(body: "[" + rows.joined(separator: ",") + "]")
  }
}
