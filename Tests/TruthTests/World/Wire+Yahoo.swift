import FoundationEssentials

/// Yahoo: shares by the sessions of their exchanges, with an opening and a close that are far apart.
extension Wire {
  func yahooReply(_ ticker: String, _ query: [String: String]) -> Reply {
    guard let currency = Source.yahoo.market[ticker]?.first else {
      return Reply(
        status: 404,
        body: #"{"chart":{"result":null,"error":{"code":"Not Found","description":"No data found, symbol may be delisted"}}}"#)
    }
    let code = currency == "GBp" ? currency : currency.uppercased()
    let last = Self.lastTrade(ticker, now: now)
    let previous = Self.sessions(ticker, from: last.day - 8 * 86_400, to: last.day - 1).last ?? last.day..<last.day
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
        body: #"{"chart":{"result":null,"error":{"code":"Unprocessable Entity","description":"\#(query["interval"] ?? "") data not available. The requested range must be within the last \#(reach) days."}}}"#)
    }
    let rows = rows(ticker, currency, from: from, to: min(to, now), width: width)
    let before = truth.close(.yahoo, ticker, currency, at: previous.upperBound)
    var meta = #"{"currency":"\#(code)","symbol":"\#(ticker)","shortName":"\#(ticker) Inc.","#
    meta += #""regularMarketTime":\#(last),"regularMarketPrice":\#(price(ticker, currency, last)),"#
    meta += #""chartPreviousClose":\#(before)}"#
    func column(_ index: Int) -> String { rows.map { $0.values[index] }.joined(separator: ",") }
    let stamps = rows.map { "\($0.time)" }.joined(separator: ",")
    let names = ["open", "high", "low", "close"]
    let columns = names.enumerated().map { #""\#($1)":[\#(column($0))]"# }.joined(separator: ",")
    let result = #"{"meta":\#(meta),"timestamp":[\#(stamps)],"indicators":{"quote":[{\#(columns)}]}}"#
    return Reply(body: #"{"chart":{"result":[\#(result)],"error":null}}"#)
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
    let sessions = Self.sessions(ticker, from: first.day - 7 * 86_400, to: to.day).filter { $0.lowerBound < now }
    if width == 604_800 {
      // A week is stamped with New York's Monday.
      let weeks = Dictionary(grouping: sessions) { ($0.lowerBound - 4 * 86_400).floored(to: 604_800) }
      for week in weeks.sorted(by: { $0.key < $1.key }) {
        guard let begin = week.value.first, let end = week.value.last else { continue }
        let stamp = begin.lowerBound.day + 5 * 3600
        if stamp >= first, stamp <= to { rows.append((stamp, candle(.yahoo, ticker, currency, begin.lowerBound, end.upperBound))) }
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

  /// When a thing is traded: on weekdays, in New York's winter from 14:30 to 21:00 UTC, in Europe's from 8:00 to 16:30.
  static func sessions(_ ticker: String, from: Int, to: Int) -> [Range<Int>] {
    let isEuropean = ticker.contains(".")
    let (open, close): (Int, Int) = isEuropean ? (28_800, 59_400) : (52_200, 75_600)
    let days = stride(from: from.day, through: to, by: 86_400).filter { ![0, 6].contains($0.weekday) }
    return days.map { day in (day + open)..<(day + close) }
  }

  /// The instant of the last trade.
  static func lastTrade(_ ticker: String, now: Int) -> Int {
    let sessions = sessions(ticker, from: now - 8 * 86_400, to: now).filter { $0.lowerBound < now }
    return min(now, sessions.last?.upperBound ?? now)
  }
}
