import BitpalModel
import BitpalNetwork
import Foundation
import TestSupport

/// The sources of the shipped files as far as charts go, with the caps of the real ones: a request beyond them is refused, or
/// its answer is cut as the real one cuts it.
///
/// A price is a function of time: whoever opens at an instant opens at the minutes since 1970, and closes at those of its end.
struct CappedSource: Transport {
  let now: Date

  /// The first day that was traded.
  let listed: Date

  /// What was refused.
  let refused = Notes<String>()
  let asked = Notes<String>()

  static let day: Int64 = 86_400

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    asked.add(request.url)
    guard let url = URLComponents(string: request.url) else { return refusal(request, 400) }
    var query: [String: String] = [:]
    for item in url.queryItems ?? [] { query[item.name] = item.value }
    let text: String? =
      switch url.host ?? "" {
      case "api.exchange.coinbase.com": coinbase(query)
      case "api.kraken.com": kraken(query)
      case "api.kucoin.com": kucoin(query)
      case "www.bitstamp.net": bitstamp(query)
      case "api.binance.com": binance(query)
      case "api.gemini.com": gemini(url.path)
      case "api.coinpaprika.com": coinpaprika(url.path, query)
      case "stooq.com": stooq(query)
      case "www.alphavantage.co": alphavantage()
      case "query1.finance.yahoo.com": yahoo(query)
      case "www.ecb.europa.eu": ecb(url.path)
      case "api.frankfurter.dev": frankfurter(url.path)
      case "api.coingecko.com": coingecko(url.path, query)
      default: nil
      }
    if text == nil, url.host == "api.coingecko.com" {
      let body = #"{"error":{"status":{"error_code":10012,"error_message":"your plan goes back 365 days"}}}"#
      return HTTPResponse(status: 401, body: Array(body.utf8))
    }
    return text.map { HTTPResponse(status: 200, body: Array($0.utf8)) } ?? refusal(request, 400)
  }

  private func refusal(_ request: HTTPRequest, _ status: Int) -> HTTPResponse {
    refused.add(request.url)
    return HTTPResponse(status: status, body: Array(#"{"message":"too much"}"#.utf8))
  }

  // MARK: Prices

  struct Row {
    let time: Int64
    let width: Int64
    var open: Int64 { time / 60 }
    var close: Int64 { (time + width) / 60 }
    var high: Int64 { close + 1 }
    var low: Int64 { open - 1 }
  }

  /// The grid of a width from one instant to another, both included, as far as there was trade.
  private func rows(_ width: Int64, from start: Int64, to end: Int64, onlyWeekdays: Bool = false) -> [Row] {
    let first = max(start, Int64(listed.timeIntervalSince1970))
    let last = min(end, Int64(now.timeIntervalSince1970))
    guard first <= last else { return [] }
    let begin = (first + width - 1) / width * width
    return stride(from: begin, through: last, by: Int64.Stride(width)).compactMap { time in
      let isWeekend = [2, 3].contains(time / Self.day % 7)
      return onlyWeekdays && isWeekend ? nil : Row(time: time, width: width)
    }
  }

  /// The latest rows; those before them, millions of minutes, are not made.
  private func latest(_ width: Int64, _ count: Int) -> [Row] {
    let start = Int64(now.timeIntervalSince1970) - width * Int64(count + 1)
    return Array(rows(width, from: start, to: end).suffix(count))
  }
  private var end: Int64 { .max / 2 }

  // MARK: Sources

  private func coinbase(_ query: [String: String]) -> String? {
    guard let width = query["granularity"].flatMap({ Int64($0) }), let start = query["start"].flatMap(Self.seconds),
      let end = query["end"].flatMap(Self.seconds), (end - start) / width <= 300
    else { return nil }
    let rows = rows(width, from: start, to: end).reversed()
    return Self.list(rows.map { "[\($0.time),\($0.low),\($0.high),\($0.open),\($0.close),1]" })
  }

  private func kraken(_ query: [String: String]) -> String? {
    guard let minutes = query["interval"].flatMap({ Int64($0) }),
      [1, 5, 15, 30, 60, 240, 1440, 10080, 21600].contains(minutes), let since = query["since"].flatMap({ Int64($0) })
    else { return nil }
    let rows = latest(minutes * 60, 720).filter { $0.time >= since }.map {
      "[\($0.time),\"\($0.open)\",\"\($0.high)\",\"\($0.low)\",\"\($0.close)\",\"1\",\"1\",1]"
    }
    return #"{"error":[],"result":{"XXBTZUSD":\#(Self.list(rows)),"last":1}}"#
  }

  private static let units: [String: Int64] = [
    "1min": 60, "5min": 300, "15min": 900, "30min": 1800, "1hour": 3600, "4hour": 14_400, "12hour": 43_200,
    "1day": 86_400, "1week": 604_800, "1m": 60, "5m": 300, "15m": 900, "30m": 1800, "1h": 3600, "1hr": 3600,
    "4h": 14_400, "6hr": 21_600, "6h": 21_600, "12h": 43_200, "1d": 86_400, "24h": 86_400, "1wk": 604_800,
    "1w": 604_800, "3min": 180, "2hour": 7200, "6hour": 21_600, "8hour": 28_800, "2h": 7200, "8h": 28_800,
    "3d": 259_200, "3m": 180, "2m": 120,
  ]

  private func kucoin(_ query: [String: String]) -> String? {
    guard let width = query["type"].flatMap({ Self.units[$0] }), let from = query["startAt"].flatMap({ Int64($0) }),
      let to = query["endAt"].flatMap({ Int64($0) })
    else { return nil }
    let rows = rows(width, from: from, to: to).suffix(1500).reversed().map {
      "[\"\($0.time)\",\"\($0.open)\",\"\($0.close)\",\"\($0.high)\",\"\($0.low)\",\"1\",\"1\"]"
    }
    return #"{"code":"200000","data":\#(Self.list(rows))}"#
  }

  private func bitstamp(_ query: [String: String]) -> String? {
    guard let width = query["step"].flatMap({ Int64($0) }), let from = query["start"].flatMap({ Int64($0) }),
      let to = query["end"].flatMap({ Int64($0) })
    else { return nil }
    let rows = rows(width, from: from, to: to).suffix(1000).map {
      #"{"timestamp":"\#($0.time)","open":"\#($0.open)","high":"\#($0.high)","low":"\#($0.low)","close":"\#($0.close)","volume":"1"}"#
    }
    return #"{"data":{"pair":"BTC/USD","ohlc":\#(Self.list(rows))}}"#
  }

  private func binance(_ query: [String: String]) -> String? {
    guard let width = query["interval"].flatMap({ Self.units[$0] }),
      let from = query["startTime"].flatMap({ Int64($0) }), let to = query["endTime"].flatMap({ Int64($0) })
    else { return nil }
    let rows = rows(width, from: (from + 999) / 1000, to: to / 1000).prefix(1000).map {
      "[\($0.time)000,\"\($0.open)\",\"\($0.high)\",\"\($0.low)\",\"\($0.close)\",\"1\"]"
    }
    return Self.list(rows)
  }

  private func gemini(_ path: String) -> String? {
    guard let width = path.split(separator: "/").last.flatMap({ Self.units[String($0)] }) else { return nil }
    return Self.list(
      latest(width, 1300).reversed().map { "[\($0.time)000,\($0.open),\($0.high),\($0.low),\($0.close),1]" })
  }

  private func coinpaprika(_ path: String, _ query: [String: String]) -> String? {
    guard let from = query["start"].flatMap({ Int64($0) }), let to = query["end"].flatMap({ Int64($0) }) else {
      return nil
    }
    if path.hasSuffix("ohlcv/historical") {
      let rows = rows(Self.day, from: from, to: to).prefix(366).map {
        #"{"time_open":"\#(Self.iso($0.time))","open":\#($0.open),"high":\#($0.high),"low":\#($0.low),"close":\#($0.close)}"#
      }
      return Self.list(rows)
    }
    guard let width = query["interval"].flatMap({ Self.units[$0] }) else { return nil }
    return Self.list(
      rows(width, from: from, to: to).prefix(1000).map {
        #"{"timestamp":"\#(Self.iso($0.time))","price":\#($0.open)}"#
      })
  }

  private func stooq(_ query: [String: String]) -> String {
    let rows = rows(query["i"] == "w" ? Self.day * 7 : Self.day, from: 0, to: end, onlyWeekdays: query["i"] != "w").map
    {
      "\(Self.iso($0.time).prefix(10)),\($0.open),\($0.high),\($0.low),\($0.close),1"
    }
    return (["Date,Open,High,Low,Close,Volume"] + rows).joined(separator: "\n")
  }

  private func alphavantage() -> String {
    let days = rows(Self.day, from: 0, to: end, onlyWeekdays: true).suffix(100).map {
      #""\#(Self.iso($0.time).prefix(10))":{"1. open":"\#($0.open)","2. high":"\#($0.high)","3. low":"\#($0.low)","4. close":"\#($0.close)","5. volume":"1"}"#
    }
    return #"{"Meta Data":{"2. Symbol":"IBM"},"Time Series (Daily)":{\#(days.joined(separator: ","))}}"#
  }

  private func yahoo(_ query: [String: String]) -> String? {
    guard let width = query["interval"].flatMap({ Self.units[$0] }), let from = query["period1"].flatMap({ Int64($0) }),
      let to = query["period2"].flatMap({ Int64($0) }), let step = query["interval"]
    else { return nil }
    // A day of New York opens at 14:30.
    let rows = rows(width, from: from / width * width, to: to, onlyWeekdays: width <= Self.day)
    func list(_ value: (Row) -> Int64) -> String { Self.list(rows.map { "\(value($0))" }) }
    let times = list { $0.time + (width == Self.day ? 52_200 : 0) }
    let quote =
      #"{"open":\#(list(\.open)),"high":\#(list(\.high)),"low":\#(list(\.low)),"close":\#(list(\.close))}"#
    return
      #"{"chart":{"result":[{"meta":{"currency":"USD","symbol":"AAPL","gmtoffset":-18000,"exchangeTimezoneName":"America/New_York","dataGranularity":"\#(step)"},"timestamp":\#(times),"indicators":{"quote":[\#(quote)]}}],"error":null}}"#
  }

  private func ecb(_ path: String) -> String {
    let days = rows(Self.day, from: 0, to: end, onlyWeekdays: true)
    let cubes = days.suffix(path.hasSuffix("90d.xml") ? 64 : .max).reversed().map {
      "<Cube time='\(Self.iso($0.time).prefix(10))'><Cube currency='USD' rate='\($0.close)'/><Cube currency='SEK' rate='1'/></Cube>"
    }
    return "<gesmes:Envelope xmlns:gesmes='g' xmlns='e'><Cube>\(cubes.joined())</Cube></gesmes:Envelope>"
  }

  private func frankfurter(_ path: String) -> String? {
    let days = (path.split(separator: "/").last ?? "").split(separator: ".").compactMap { Self.seconds(String($0)) }
    guard days.count == 2 else { return nil }
    let rates = rows(Self.day, from: days[0], to: days[1], onlyWeekdays: true).map {
      #""\#(Self.iso($0.time).prefix(10))":{"USD":\#($0.close)}"#
    }
    return #"{"base":"EUR","rates":{\#(rates.joined(separator: ","))}}"#
  }

  /// Its free plan goes back 365 days.
  private func coingecko(_ path: String, _ query: [String: String]) -> String? {
    let now = Int64(now.timeIntervalSince1970)
    guard let days = query["days"].flatMap({ Int64($0) }) ?? (query["from"] == nil ? nil : 365), days <= 365 else {
      return nil
    }
    if path.hasSuffix("ohlc") {
      let width: Int64 = days <= 2 ? 1800 : days <= 30 ? 14_400 : 4 * Self.day
      let rows = rows(width, from: now - days * Self.day, to: now).map {
        "[\($0.time + width)000,\($0.open),\($0.high),\($0.low),\($0.close)]"
      }
      return Self.list(rows)
    }
    let from = query["from"].flatMap { Int64($0) } ?? now - days * Self.day
    let to = query["to"].flatMap { Int64($0) } ?? now
    guard from >= now - 366 * Self.day else { return nil }
    let width: Int64 = to - from <= Self.day ? 300 : to - from <= 90 * Self.day ? 3600 : Self.day
    let rows = rows(width, from: from, to: to).map { "[\($0.time)000,\($0.open)]" }
    return #"{"prices":\#(Self.list(rows)),"market_caps":[],"total_volumes":[]}"#
  }

  // MARK: Texts

  private static func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }
  private static func iso(_ seconds: Int64) -> String { Date(milliseconds: seconds * 1000).iso8601 }
  private static func seconds(_ text: String) -> Int64? { Date(utcText: text).map { $0.milliseconds / 1000 } }
}
