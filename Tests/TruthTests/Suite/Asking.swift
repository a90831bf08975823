import Bitpal
import BitpalModel
import BitpalProviders
import BitpalServe
import Foundation

/// A case in the words of each door, and what the door says in ours.
struct Asking: Sendable {
  let `case`: Case
  private let clock: TruthClock
  private let start = WorldFiles.start

  init(_ case: Case, clock: TruthClock) {
    self.case = `case`
    self.clock = clock
  }

  private var thing: String { Oracle.meaning(of: `case`.name) }

  private func day(_ ago: Int) -> Int { start.day - ago * 86_400 }

  private func date(_ ago: Int) -> Date { Date(timeIntervalSince1970: Double(day(ago))) }

  // MARK: The service

  func ask(_ service: PriceService, _ policy: FetchPolicy) async throws -> Reply {
    var reply = Reply()
    let (name, currency) = (`case`.name, `case`.currency)
    switch `case`.ask {
    case .price:
      let answer = try await service.quotes([name], currency: currency, policy: policy)
      reply.codes = answer.failures.map(\.error.code.rawValue)
      for quote in answer.quotes { add(quote, quote.value, currency, to: &reply) }
    case .coin:
      let detail = try await service.detail(name, currency: currency, policy: policy)
      add(detail, detail.value.coin, currency, to: &reply)
    case .line(let range):
      let line = try await service.line(name, range: try Self.range(range, service), currency: currency, policy: policy)
      for point in line.value.points { add(line, .sample(point.timestamp.seconds), point.price, to: &reply) }
    case .candles(let range):
      let series = try await service.candles(
        name, range: try Self.range(range, service), currency: currency, policy: policy)
      add(series, series.value.candles, width: Int(series.value.width.components.seconds), to: &reply)
    case .between(let from, let to):
      let range = ChartTimeRange.between(date(from), date(to - 1), now: service.time.now, name: "days")
      let line = try await service.line(name, range: range, currency: currency, policy: policy)
      for point in line.value.points { add(line, .sample(point.timestamp.seconds), point.price, to: &reply) }
    case .history(let from, let to, let isWhole):
      let days =
        isWhole
        ? try await service.dailyCandles(name, from: date(from), to: date(to), currency: currency, policy: policy)
        : try await service.history(name, from: date(from), to: date(to), currency: currency, policy: policy)
      reply.provisional = Set(days.value.filter(\.isProvisional).map(\.day.seconds))
      for day in days.value {
        add(days, .close(day.day.seconds), day.price, to: &reply)
        if let candle = day.candle { add(days, [candle], width: 86_400, to: &reply) }
      }
      // The service leaves out the days that a source lacks; whoever asks says so.
      if reply.figures.isEmpty { reply.codes = ["no_data"] }
    case .convert(let ago):
      let amount = try await service.convert(
        1, from: name, to: currency, on: ago.map { date($0) }, policy: policy)
      let price = amount.price
      if let ago {
        add(price, .close(day(ago)), price.value.currentPrice, to: &reply)
      } else {
        add(price, price.value, currency, to: &reply)
      }
    default: break
    }
    return reply
  }

  private static func range(_ name: String, _ service: PriceService) throws -> ChartTimeRange {
    guard let range = ChartTimeRange.standard.named(name) else { throw BitpalError.usage(name) }
    return range.standing(at: service.time.now, in: .utc)
  }

  private func add<Value>(_ answer: Sourced<Value>, _ coin: Coin, _ currency: String, to reply: inout Reply) {
    mark(answer, &reply)
    reply.figures.append(
      Figure(
        thing: coin.id, currency: currency, kind: .spot(fetched: answer.fetchedAt.seconds), value: coin.currentPrice,
        source: answer.source, converted: conversion(answer)))
  }

  private func add<Value>(_ answer: Sourced<Value>, _ kind: Figure.Kind, _ value: Decimal, to reply: inout Reply) {
    mark(answer, &reply)
    reply.figures.append(
      Figure(
        thing: answer.about.coin, currency: `case`.currency, kind: kind, value: value, source: answer.source,
        converted: conversion(answer)))
  }

  private func add<Value>(
    _ answer: Sourced<Value>, _ candles: [CandleDataPoint], width: Int, to reply: inout Reply
  ) {
    for candle in candles {
      let values = [candle.open, candle.high, candle.low, candle.close]
      for (field, value) in zip(Truth.Field.allCases, values) {
        add(answer, .candle(field, start: candle.timestamp.seconds, width: width), value, to: &reply)
      }
    }
  }

  private func mark<Value>(_ answer: Sourced<Value>, _ reply: inout Reply) {
    reply.isStale = reply.isStale || answer.freshness.isStale
    reply.isServedStale = reply.isServedStale || answer.freshness.isServedStale
    reply.fetched = min(reply.fetched ?? .max, answer.fetchedAt.seconds)
    for case .provisional(_, let day, _) in answer.warnings { reply.provisional.insert(day.seconds) }
  }

  private func conversion<Value>(_ answer: Sourced<Value>) -> Figure.Conversion? {
    answer.conversion.map {
      Figure.Conversion(
        from: $0.from, price: $0.price, rate: $0.rate, source: $0.rateSource, day: $0.rateTime.seconds.day)
    }
  }

  // MARK: The command line

  /// Files that the command reads.
  var files: [(name: String, text: String)] {
    guard case .historyFor = `case`.ask else { return [] }
    let commodity = ["bitcoin": "BTC", "ethereum": "ETH"][thing] ?? "\"\(`case`.name)\""
    return [
      (
        "main.journal",
        "\(day(7).dayText) * Trade\n    assets:things  1 \(commodity) @ 10 \(`case`.currency.uppercased())\n    assets:cash\n"
      )
    ]
  }

  /// What is recorded before the question.
  var preparations: [[String]] {
    switch `case`.ask {
    case .portfolio, .portfolioChart, .returns: [["buy", "2", `case`.name, "--price", "1", "--date", day(9).dayText]]
    case .gains: [["buy", "2", `case`.name, "--price", "1", "--date", day(9).dayText]]
    default: []
    }
  }

  /// The command line of the question.
  var words: [String] {
    let currency = ["--currency", `case`.currency]
    switch `case`.ask {
    case .price: return ["price", `case`.name] + currency
    case .coin: return ["coin", `case`.name] + currency
    case .line(let range):
      return ["chart", `case`.name, "--range", range, "--type", "line", "--points", "100000"] + currency
    case .candles(let range):
      return ["chart", `case`.name, "--range", range, "--type", "candle", "--points", "100000"] + currency
    case .between(let from, let to):
      return [
        "chart", `case`.name, "--from", day(from).dayText, "--to", day(to).dayText, "--type", "line", "--points",
        "10000",
      ]
        + currency
    case .history(let from, let to, let isWhole):
      return ["history", `case`.name, "--from", day(from).dayText, "--to", day(to).dayText] + currency
        + (isWhole ? ["--ohlc"] : [])
    case .convert(let ago):
      return ["convert", "1", `case`.name, `case`.currency] + (ago.map { ["--on", day($0).dayText] } ?? [])
    case .buy(let ago): return ["buy", "2", `case`.name, "--date", day(ago).dayText] + currency
    case .portfolio: return ["portfolio", "summary"]
    case .gains: return ["sell", "1", `case`.name, "--date", day(1).dayText]
    case .portfolioChart:
      return ["portfolio", "chart", "--from", day(7).dayText, "--to", day(1).dayText, "--points", "100"]
    case .returns: return ["portfolio", "returns"]
    case .historyFor: return ["history", "--for", "main.journal"] + currency
    }
  }

  /// What a document says.
  func reply(toWords text: String) -> Reply {
    guard let document = JSONReply(Array(text.utf8)) else { return Reply() }
    var reply = document.reply()
    // Books do not say where a price is from.
    for row in document.root["transactions"] as? [[String: Any]] ?? [] {
      guard let price = JSONReply.decimal(row["price"]) else { continue }
      let date = JSONReply.instant(row["date"] as? String ?? "")
      reply.figures.append(
        Figure(
          thing: Oracle.meaning(of: row["coin"] as? String ?? ""), currency: row["currency"] as? String ?? "",
          kind: .close(date.day),
          value: price, source: ""))
    }
    if case .portfolioChart = `case`.ask {
      for row in document.root["days"] as? [[String: Any]] ?? [] {
        guard let value = JSONReply.decimal(row["value"]) else { continue }
        reply.figures.append(
          Figure(
            thing: thing, currency: `case`.currency, kind: .close(JSONReply.instant(row["date"] as? String ?? "")),
            value: value / 2, source: ""))
      }
    }
    return reply
  }

  // MARK: What is served

  func ask(_ router: Router, _ door: Door) async throws -> Reply {
    let headers = door == .page ? [WebHeader("Host", "localhost"), WebHeader("Accept", "text/html")] : []
    let response = await router.answer(WebHead(method: "GET", target: target(door), headers: headers)).response
    return reply(to: response, door)
  }

  /// The path and query of the question.
  func target(_ door: Door) -> String {
    let name = Self.encoded(`case`.name)
    let id = Self.encoded(thing)
    let currency = `case`.currency
    switch (door, `case`.ask) {
    case (.page, _): return "/coin/\(name)"
    case (.coingecko, .price):
      return "/api/v3/simple/price?vs_currencies=\(currency)&" + (thing == "?" ? "symbols=\(name)" : "ids=\(id)")
    case (.coingecko, .coin): return "/api/v3/coins/\(id)"
    case (.coingecko, .line(let range)):
      return "/api/v3/coins/\(id)/market_chart?vs_currency=\(currency)&days=\(Self.days(range))"
    case (.coingecko, .candles(let range)):
      return "/api/v3/coins/\(id)/ohlc?vs_currency=\(currency)&days=\(Self.days(range))"
    case (.coingecko, .history(_, let to, _)):
      // CoinGecko's own form says what a coin cost when the day began.
      let text = day(to - 1).dayText.split(separator: "-").reversed().joined(separator: "-")
      return "/api/v3/coins/\(id)/history?date=\(text)"
    case (_, .price): return "/v1/price?coins=\(name)&currency=\(currency)"
    case (_, .coin): return "/v1/coin/\(name)?currency=\(currency)"
    case (_, .line(let range)): return "/v1/chart/\(name)?range=\(range)&type=line&points=10000&currency=\(currency)"
    case (_, .candles(let range)):
      return "/v1/chart/\(name)?range=\(range)&type=candle&points=10000&currency=\(currency)"
    case (.coingecko, .between(let from, let to)):
      return "/api/v3/coins/\(id)/market_chart/range?vs_currency=\(currency)&from=\(day(from))&to=\(day(to - 1))"
    case (_, .between(let from, let to)):
      return
        "/v1/chart/\(name)?from=\(day(from).dayText)&to=\(day(to).dayText)&type=line&points=10000&currency=\(currency)"
    case (_, .history(let from, let to, _)):
      return "/v1/history/\(name)?from=\(day(from).dayText)&to=\(day(to).dayText)&currency=\(currency)"
    default: return "/"
    }
  }

  private static func days(_ range: String) -> String {
    ["1H": "1", "1D": "1", "1W": "7", "1M": "30", "3M": "90", "6M": "180", "YTD": "365", "1Y": "365"][range] ?? "max"
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
  }

  /// What a response says.
  func reply(to response: WebResponse, _ door: Door) -> Reply {
    var reply: Reply
    let source = response["X-Bitpal-Source"] ?? ""
    let fetched = clock.seconds - (response["Age"].flatMap { Int($0) } ?? 0)
    switch door {
    case .native: reply = JSONReply(response.body)?.reply() ?? Reply()
    case .page:
      reply = Reply()
      let html = String(decoding: response.body, as: UTF8.self)
      reply.isStale = html.contains(#"class="badge""#)
      reply.isServedStale = reply.isStale
      if let price = Self.between(#"<p class="price"><span>"#, "</span>", in: html)?.replacing(",", with: ""),
        let value = Decimal(string: price),
        let id = Self.between(#"id="coin-"#, "\"", in: html)
      {
        reply.figures = [
          Figure(
            thing: Oracle.meaning(of: id), currency: `case`.currency, kind: .spot(fetched: 0), value: value,
            source: "page")
        ]
      }
    default:
      reply = Reply()
      let root = try? JSONSerialization.jsonObject(with: Data(response.body))
      for (id, kind, value) in figures(root, fetched) {
        reply.figures.append(
          Figure(thing: id, currency: `case`.currency, kind: kind, value: value, source: source))
      }
      // CoinGecko's candles have no room for their width.
      if case .candles = `case`.ask { reply.isAnswered = (root as? [Any])?.isEmpty == false }
      let stale = response["X-Bitpal-Stale"]
      reply.isStale = stale != nil
      reply.isServedStale = stale != nil && stale != "outdated"
    }
    for day in response["X-Bitpal-Provisional"]?.split(separator: ", ") ?? [] {
      reply.provisional.insert(JSONReply.instant(String(day)))
    }
    reply.status = response.status
    return reply
  }

  /// The numbers of CoinGecko's forms.
  private func figures(_ root: Any?, _ fetched: Int) -> [(String, Figure.Kind, Decimal)] {
    let object = root as? [String: Any] ?? [:]
    switch `case`.ask {
    case .price:
      return object.compactMap { id, row in
        JSONReply.decimal((row as? [String: Any])?[`case`.currency]).map { (id, .spot(fetched: fetched), $0) }
      }
    case .coin, .history:
      let market = (object["market_data"] as? [String: Any])?["current_price"] as? [String: Any]
      guard let value = JSONReply.decimal(market?[`case`.currency]) else { return [] }
      var kind = Figure.Kind.spot(fetched: fetched)
      if case .history(_, let to, _) = `case`.ask { kind = .close(day(to)) }
      return [(object["id"] as? String ?? "", kind, value)]
    case .line, .between:
      return (object["prices"] as? [[Any]] ?? []).compactMap { row in
        guard row.count == 2, let time = row[0] as? Int, let value = JSONReply.decimal(row[1]) else { return nil }
        return (thing, .instant(time / 1000), value)
      }
    default: return []
    }
  }

  static func between(_ start: String, _ end: String, in text: String) -> String? {
    guard let first = text.range(of: start), let last = text[first.upperBound...].range(of: end) else { return nil }
    return String(text[first.upperBound..<last.lowerBound])
  }
}

extension Date {
  /// Seconds since 1970.
  var seconds: Int { Int(timeIntervalSince1970) }
}
