import FoundationEssentials

/// What the right answers are, by the table and the habits of the sources alone; nothing of bitpal is asked.
struct Oracle: Sendable {
  let truth: Truth

  /// The instant of the question.
  let now: Int

  // MARK: Names

  /// The tickers that everybody means one coin by.
  private static let tickers = [
    "btc": "bitcoin", "eth": "ethereum", "near": "near", "beam": "beam-2", "uni": "uniswap", "matic": "matic-network",
    "doge": "dogecoin", "ltc": "litecoin",
  ]

  /// The id that a name means; `?` for a ticker that two coins share.
  static func meaning(of name: String) -> String {
    if name.hasPrefix("id:") { return String(name.dropFirst(3)) }
    if let known = tickers[name.lowercased()] { return known }
    if Listing.all.contains(where: { $0.id == name }) { return name }
    let alike = Listing.all.filter { $0.symbol == name }
    if alike.count > 1 { return "?" }
    return alike.first?.id ?? name
  }

  /// Whether a name is looked up in a list, so that sources without one cannot know it.
  static func needsList(_ name: String) -> Bool {
    meaning(of: name) != name && !name.hasPrefix("id:") && tickers[name.lowercased()] == nil
  }

  // MARK: Who answers

  /// Whether a source answers a question in a currency of its own.
  enum Ability { case yes, no, perhaps }

  func ability(_ source: Source, _ ask: Ask, _ thing: String, _ currency: String) -> Ability {
    guard source.has(thing, in: currency) else { return .no }
    switch ask {
    case .price, .portfolio, .gains: return .yes
    case .between(let from, let to):
      return days(source, thing, from, to).isEmpty || source.isSampled && source != .coingecko || source == .plugin
        ? .perhaps : .yes
    case .convert(let days):
      return days.map { ability(source, .history(from: $0, to: $0, ohlc: false), thing, currency) } ?? .yes
    case .coin: return source.can(.detail) ? (source == .tape ? .perhaps : .yes) : .perhaps
    case .line(let range):
      if source == .tape || source == .plugin || !source.isOnWeb { return .perhaps }
      if source == .yahoo { return ["1H", "1D", "1W"].contains(range) ? .perhaps : .yes }
      if source == .alphavantage { return ["1M", "3M"].contains(range) ? .yes : .perhaps }
      if source == .ecb { return ["1H", "1D"].contains(range) ? .perhaps : .yes }
      return source == .coingecko && range == "5Y" ? .no : .yes
    case .candles(let range):
      guard source.can(.candles) else { return .no }
      if source == .tape || source.hasSessions { return .perhaps }
      if source == .coingecko { return ["5Y"].contains(range) ? .no : ["1H", "YTD"].contains(range) ? .perhaps : .yes }
      return .yes
    case .history(let from, let to, let ohlc):
      if ohlc {
        // CoinGecko's candles are of a day as long as they are of four hours.
        if source.isSampled { return .perhaps }
        return source.can(.candles) && !days(source, thing, from, to).isEmpty ? .yes : .no
      }
      if source == .tape { return ["bitcoin", "ethereum"].contains(thing) && currency == "usd" ? .perhaps : .no }
      // A file answers with the days that it states, be they none: the next source does not fill the gaps.
      return !source.isOnWeb ? .perhaps : days(source, thing, from, to).isEmpty ? .no : .yes
    case .buy(let days): return ability(source, .history(from: days, to: days, ohlc: false), thing, currency)
    case .portfolioChart, .returns, .historyFor: return .perhaps
    }
  }

  /// The days of a stretch on which a source has a close of a thing.
  func days(_ source: Source, _ thing: String, _ from: Int, _ to: Int) -> [Int] {
    let range = stride(from: now.day - from * 86_400, through: now.day - to * 86_400, by: 86_400)
      .filter { $0 >= source.beginning(thing, now: now) }
    switch source {
    case .yahoo, .alphavantage, .ecb: return range.filter { ![0, 6].contains($0.weekday) }
    case .journal, .sheet: return range.filter(WorldFiles.days(source, thing).contains)
    default: return Array(range)
    }
  }

  // MARK: What is true

  /// Whether a source ever stated that number of that thing.
  func isTrue(_ figure: Figure) -> Bool {
    guard let source = Source(rawValue: figure.source) else { return false }
    if let conversion = figure.converted { return isTrue(figure, convertedBy: conversion, from: source) }
    return values(figure, source, figure.currency).contains { Self.isSame($0, figure.value) }
  }

  /// A price in another currency is that of the source times the rate of the day.
  private func isTrue(_ figure: Figure, convertedBy conversion: Figure.Conversion, from source: Source) -> Bool {
    let days: [Int]
    switch figure.kind {
    case .spot(let time), .sample(let time), .instant(let time), .close(let time):
      days = [time, time - 86_400, time.day]
    // A candle's prices are of any of its days.
    case .candle(_, let start, let width):
      days = Array(stride(from: start - 86_400, through: min(start + width, now), by: 86_400))
    }
    guard source != .ecb, conversion.source == "ecb" else { return false }
    let rates = Set(days.map(bankDay)).compactMap { cross(conversion.from, figure.currency, on: $0) }
    var prices = values(figure, source, conversion.from)
    // Days are converted before they become a week, so its highest price is that of any of them.
    if case .candle(let field, let start, let width) = figure.kind, field == .high || field == .low, width > 86_400 {
      for day in stride(from: start, to: min(start + width, now), by: 86_400) {
        prices += candle(field, source, figure.thing, conversion.from, day, day + 86_400)
      }
    }
    return prices.contains { price in rates.contains { Self.isSame(price * $0, figure.value) } }
  }

  /// The prices that a figure may have by the central bank's rate, of whichever source of a case.
  func converted(_ figure: Figure, _ one: Case) -> [Decimal] {
    guard one.converts || one.sources.contains(.ecb) else { return [] }
    let instant =
      switch figure.kind {
      case .close(let time), .sample(let time), .instant(let time): time
      case .spot, .candle: now
      }
    return (Source.rates + ["eur"]).flatMap { from -> [Decimal] in
      [bankDay(instant), bankDay(instant - 86_400)].compactMap { cross(from, figure.currency, on: $0) }.flatMap {
        rate in
        one.sources.flatMap { source in values(figure, source, from).map { $0 * rate } }
      }
    }
  }

  /// The true values of a figure in a currency of the source's own; several where more than one may be meant.
  func values(_ figure: Figure, _ source: Source, _ currency: String) -> [Decimal] {
    let thing = figure.thing
    guard source.has(thing, in: currency) else { return [] }
    func open(_ time: Int) -> Decimal { truth.open(source, thing, currency, at: time) }
    func close(_ time: Int) -> Decimal { truth.close(source, thing, currency, at: time) }
    switch figure.kind {
    case .spot(let fetched): return [spot(source, thing, currency, fetched == 0 ? now : fetched)].compactMap(\.self)
    case .sample(let time):
      switch source {
      case .ecb:
        return [bankDay(time), bankDay(time - 1)].compactMap { cross(String(thing.dropFirst(3)), currency, on: $0) }
      // The midnight that ends a stretch has the price of the day before.
      case .journal, .sheet:
        return [stated(source, thing, currency, time), stated(source, thing, currency, time - 1)].compactMap(\.self)
      case .alphavantage: return [closing(source, thing, currency, time.day)].compactMap(\.self)
      case .yahoo:
        // The close of a day is stamped with its beginning.
        if time == time.day {
          let isToday = time == now.day && source.lastTrade(thing, now: now) == now
          // In Sydney an hour begins then too.
          return [isToday ? open(now) : closing(source, thing, currency, time), open(time)].compactMap(\.self)
        }
        return [open(time), close(time)] + session(of: time, thing).map { close(min($0.upperBound, now)) }
      default: return [open(time), close(time)]
      }
    case .instant(let time):
      guard time == time.day else { return values(figure.at(.sample(time)), source, currency) }
      switch source {
      case .ecb, .journal, .sheet, .alphavantage, .yahoo:
        let open = source == .yahoo ? open(time) : nil
        return [closing(source, thing, currency, (time - 1).day), open].compactMap(\.self)
      default: return values(figure.at(.sample(time)), source, currency)
      }
    case .close(let day): return [closing(source, thing, currency, day)].compactMap(\.self)
    case .candle(let field, let start, let width):
      return candle(field, source, thing, currency, start, start + width)
    }
  }

  /// The price of a moment.
  private func spot(_ source: Source, _ thing: String, _ currency: String, _ time: Int) -> Decimal? {
    switch source {
    case .ecb: return cross(String(thing.dropFirst(3)), currency, on: bankDay(time))
    case .journal, .sheet: return stated(source, thing, currency, time)
    case .yahoo, .alphavantage:
      let last = source.lastTrade(thing, now: time)
      return last == time
        ? truth.spot(source, thing, currency, now: time) : truth.close(source, thing, currency, at: last)
    case .tape: return truth.spot(source, thing, currency, now: WorldFiles.start)
    default: return truth.spot(source, thing, currency, now: time)
    }
  }

  /// The close of a day; nil where the source has none.
  func closing(_ source: Source, _ thing: String, _ currency: String, _ day: Int) -> Decimal? {
    guard day >= source.beginning(thing, now: now) else {
      return source == .ecb ? cross(String(thing.dropFirst(3)), currency, on: day) : nil
    }
    switch source {
    case .ecb: return cross(String(thing.dropFirst(3)), currency, on: day)
    case .journal, .sheet: return stated(source, thing, currency, day)
    case .yahoo, .alphavantage:
      return source.sessions(thing, from: day, to: day).first.map {
        truth.close(source, thing, currency, at: $0.upperBound)
      }
    case .plugin, .coingecko, .tape: return truth.open(source, thing, currency, at: day + 86_400)
    case .binance, .coinbase: return truth.close(source, thing, currency, at: day + 86_400)
    }
  }

  /// The last price that a file states for a moment.
  private func stated(_ source: Source, _ thing: String, _ currency: String, _ time: Int) -> Decimal? {
    WorldFiles.days(source, thing).last { $0 <= time }.map { truth.close(source, thing, currency, at: $0) }
  }

  /// A field of a candle, which the source has or which is made of narrower ones or of samples.
  private func candle(
    _ field: Truth.Field, _ source: Source, _ thing: String, _ currency: String, _ start: Int, _ end: Int
  ) -> [Decimal] {
    // A recording ends when it was made.
    let now = source == .tape ? WorldFiles.start : now
    var (first, last) = (max(start, source.beginning(thing, now: now)), min(end, now))
    if source.hasSessions {
      let sessions = source.sessions(
        thing, from: max(start, source.beginning(thing, now: now)),
        to: min(end, source == .alphavantage ? now.day : end) - 1 + (end - start < 86_400 ? 86_400 : 0)
      ).filter {
        // Days and weeks are those of the exchange, which may begin on the evening before.
        end - start >= 86_400 ? $0.lowerBound < now : $0.upperBound > start && $0.lowerBound < min(end, now)
      }
      first =
        end - start >= 86_400 ? sessions.first?.lowerBound ?? start : max(start, sessions.first?.lowerBound ?? start)
      last = min(end, sessions.last?.upperBound ?? end, now)
    }
    var values: [Decimal]
    switch field {
    case .open: values = [truth.open(source, thing, currency, at: first)]
    case .close:
      // One that ends now is closed, and one that ends later is not.
      values = [truth.close(source, thing, currency, at: last)]
      if last == now { values.append(truth.spot(source, thing, currency, now: now)) }
    case .high, .low: values = [truth.extreme(source, thing, currency, at: last, isHigh: field == .high)]
    }
    guard source.isSampled else { return values }
    // Of its line, where its own candles are wider.
    let step = end - start <= 3600 ? 300 : end - start <= 86_400 ? 3600 : 86_400
    values += stride(from: start, through: last, by: step).map { truth.open(source, thing, currency, at: $0) }
    return values + [truth.spot(source, thing, currency, now: now)]
  }

  /// The session in which an instant lies.
  private func session(of time: Int, _ ticker: String) -> [Range<Int>] {
    Source.yahoo.sessions(ticker, from: time, to: time).filter { $0.lowerBound <= time && time <= $0.upperBound }
  }

  // MARK: The central bank

  /// The last day up to an instant on which the bank stated rates.
  func bankDay(_ time: Int) -> Int {
    var day = min(time.day, now.day - 86_400)
    while [0, 6].contains(day.weekday) { day -= 86_400 }
    return day
  }

  /// What one unit of a currency costs in another on a day of the bank.
  func cross(_ from: String, _ to: String, on day: Int) -> Decimal? {
    // Two days of long ago, between which there are none.
    let isOld = day == Wire.gap.lowerBound || day == Wire.gap.lowerBound + 300 * 86_400
    let isStated = ![0, 6].contains(day.weekday) && day >= Source.ecb.beginning("", now: now)
    guard isStated || isOld, from != to else { return nil }
    func rate(_ currency: String) -> Decimal? {
      if currency == "eur" { return 1 }
      return Source.rates.contains(currency) ? truth.rate(currency, on: day) : nil
    }
    guard let of = rate(from), let into = rate(to) else { return nil }
    return into / of
  }

  /// Whether two numbers agree to the fifteenth digit, as far as rates are divided.
  static func isSame(_ left: Decimal, _ right: Decimal) -> Bool {
    left == right || abs(left - right) <= abs(left) * Decimal(sign: .plus, exponent: -15, significand: 1)
  }

  // MARK: Reasons

  /// The codes that say that a source did not answer although it might have.
  static let stopped: [Condition: Set<String>] = [
    .budget: ["rate_limited"], .limited: ["rate_limited"], .down: ["refused", "network", "put_aside"],
    .hangs: ["timed_out", "put_aside"], .empty: ["no_price", "no_data", "unreadable", "not_found", "put_aside"],
    .sentence: ["unreadable", "put_aside"], .page: ["refused", "put_aside"], .cut: ["unreadable", "put_aside"],
  ]

  /// The codes that say that there is no such thing, or not in that currency or time.
  static let absent: Set<String> = [
    "not_found", "no_price", "no_data", "unsupported_currency", "ambiguous", "unsupported", "plan_limit",
    "not_recorded",
  ]
}
