import FoundationEssentials

/// Sources of shares: Yahoo by the sessions of their exchanges, with an opening and a close that are far apart.
extension Wire {
  func yahooReply(_ ticker: String, _ query: [String: String]) -> Reply {
    guard let currency = Source.yahoo.market[ticker]?.first else {
      return Reply(
        status: 404,
        body:
          #"{"chart":{"result":null,"error":{"code":"Not Found","description":"No data found, symbol may be delisted"}}}"#
      )
    }
    // London's shares are in pence.
    let isPence = currency == "gbp"
    func unit(_ price: String) -> String { isPence ? ((Decimal(string: price) ?? 0) * 100).description : price }
    let zone = MarketZone(ticker)
    let code = isPence ? "GBp" : currency.uppercased()
    let last = Source.yahoo.lastTrade(ticker, now: now)
    let previous =
      Source.yahoo.sessions(ticker, from: last.day - 8 * 86_400, to: last.day - 1).last ?? last.day..<last.day
    let widths = [
      "1m": 60, "2m": 120, "5m": 300, "15m": 900, "30m": 1800, "1h": 3600, "1d": 86_400, "1wk": 604_800,
    ]
    let width = widths[query["interval"] ?? ""] ?? 86_400
    let to = query["period2"].flatMap { Int($0) } ?? now
    let from = query["period1"].flatMap { Int($0) } ?? last.day
    let reach = width < 120 ? 8 : width < 3600 ? 60 : width < 86_400 ? 730 : 100_000
    guard from >= now - reach * 86_400 else {
      return Reply(
        status: 422,
        body:
          #"{"chart":{"result":null,"error":{"code":"Unprocessable Entity","description":"\#(query["interval"] ?? "") data not available. The requested range must be within the last \#(reach) days."}}}"#
      )
    }
    let rows = rows(ticker, currency, from: from, to: min(to, now), width: width)
    let before = truth.close(.yahoo, ticker, currency, at: previous.upperBound)
    var meta = #"{"currency":"\#(code)","symbol":"\#(ticker)","shortName":"\#(ticker) Inc.","#
    meta += #""regularMarketTime":\#(last),"regularMarketPrice":\#(unit(price(ticker, currency, last))),"#
    meta +=
      #""gmtoffset":\#(zone.offset(on: now.day)),"exchangeTimezoneName":"\#(zone.rawValue)","dataGranularity":"\#(query["interval"] ?? "1d")","#
    meta += #""chartPreviousClose":\#(unit("\(before)"))}"#
    func column(_ index: Int) -> String { rows.map { unit($0.values[index]) }.joined(separator: ",") }
    let stamps = rows.map { "\($0.time)" }.joined(separator: ",")
    let names = ["open", "high", "low", "close"]
    let columns = names.enumerated().map { #""\#($1)":[\#(column($0))]"# }.joined(separator: ",")
    let result = #"{"meta":\#(meta),"timestamp":[\#(stamps)],"indicators":{"quote":[{\#(columns)}]}}"#
    return Reply(body: #"{"chart":{"result":[\#(result)],"error":null}}"#)
  }

  /// Alpha Vantage, whose every complaint is HTTP 200.
  func alphavantageReply(_ query: [String: String]) -> Reply {
    let ticker = query["symbol"] ?? ""
    let source = Source.alphavantage
    guard source.has(ticker, in: "usd") else {
      return Reply(
        body: query["function"] == "GLOBAL_QUOTE"
          ? #"{"Global Quote":{}}"# : #"{"Error Message":"Invalid API call. Please retry or visit the documentation"}"#)
    }
    let sessions = source.sessions(ticker, from: source.beginning(ticker, now: now), to: now.day - 1)
    func values(_ session: Range<Int>) -> String {
      let names = ["1. open", "2. high", "3. low", "4. close"]
      let values = candle(source, ticker, "usd", session.lowerBound, session.upperBound)
      return zip(names, values).map { #""\#($0)":"\#($1)""# }.joined(separator: ",") + #","5. volume":"7""#
    }
    if query["function"] == "GLOBAL_QUOTE", let last = sessions.last {
      let price = truth.close(source, ticker, "usd", at: last.upperBound)
      return Reply(
        body: #"{"Global Quote":{"01. symbol":"\#(ticker)","05. price":"\#(price)","07. latest trading day":"#
          + #""\#(last.lowerBound.dayText)","08. previous close":"\#(price)"}}"#)
    }
    let days = sessions.reversed().map { #""\#($0.lowerBound.dayText)":{\#(values($0))}"# }
    return Reply(body: #"{"Meta Data":{},"Time Series (Daily)":{\#(days.joined(separator: ","))}}"#)
  }

  /// The last price: of now while the exchange is open, else the close of its last session.
  func price(_ ticker: String, _ currency: String, _ last: Int) -> String {
    (last == now ? truth.spot(.yahoo, ticker, currency, now: now) : truth.close(.yahoo, ticker, currency, at: last))
      .description
  }

  private func rows(
    _ ticker: String, _ currency: String, from: Int, to: Int, width: Int
  ) -> [(time: Int, values: [String])] {
    let first = max(from, Source.yahoo.beginning(ticker, now: now))
    var rows: [(Int, [String])] = []
    let sessions = Source.yahoo.sessions(ticker, from: first.day - 7 * 86_400, to: to.day).filter {
      $0.lowerBound < now
    }
    if width == 604_800 {
      // A week is stamped with the midnight of its exchange's Monday.
      let zone = MarketZone(ticker)
      let weeks = Dictionary(grouping: sessions) { session in
        (session.lowerBound + zone.offset(on: session.lowerBound.day) - 4 * 86_400)
          .floored(to: 604_800)
      }
      for week in weeks.sorted(by: { $0.key < $1.key }) {
        let monday = week.key + 4 * 86_400
        let stamp = monday - zone.offset(on: monday)
        guard stamp >= first, stamp <= to, let begin = week.value.first, let end = week.value.last else { continue }
        // The running day is a row of its own, apart from its week.
        let isApart = end.contains(now) && week.value.count > 1
        let last = isApart ? week.value[week.value.count - 2] : end
        rows.append((stamp, candle(.yahoo, ticker, currency, begin.lowerBound, last.upperBound)))
        if isApart { rows.append((now, candle(.yahoo, ticker, currency, end.lowerBound, end.upperBound))) }
      }
      return rows
    }
    for session in sessions {
      if width == 86_400 {
        guard session.lowerBound >= first, session.lowerBound <= to else { continue }
        // The running day is stamped with the last trade.
        let stamp = session.contains(now) ? now : session.lowerBound
        rows.append((stamp, candle(.yahoo, ticker, currency, session.lowerBound, session.upperBound)))
        continue
      }
      var time = session.lowerBound
      while time < min(session.upperBound, now) {
        if time >= first, time <= to {
          rows.append((time, candle(.yahoo, ticker, currency, time, min(time + width, session.upperBound))))
        }
        time += width
      }
    }
    return rows
  }
}
