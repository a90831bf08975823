import Bitpal
import BitpalModel
import FoundationEssentials
import TestSupport

/// A generator of values as sources, files and users write them, among them the worst: the same ones for the same seed.
struct Draw {
  private var random: SeededGenerator

  init(_ seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  static let now = Date(milliseconds: 1_736_937_000_123)

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func isTrue(_ oneIn: Int = 2) -> Bool { number(1...oneIn) == 1 }

  mutating func some<Value>(_ value: (inout Draw) throws -> Value) rethrows -> Value? {
    isTrue(3) ? nil : try value(&self)
  }

  mutating func list<Value>(_ count: ClosedRange<Int>, _ value: (inout Draw) throws -> Value) rethrows -> [Value] {
    var list: [Value] = []
    for _ in 0..<number(count) { list.append(try value(&self)) }
    return list
  }

  /// Returns a number above zero of up to 38 digits, with up to 18 of them after the point.
  mutating func decimal() throws -> Decimal {
    let digits = (0..<number(1...37)).map { _ in String(number(0...9)) }.joined()
    return try Decimal(strict: "\(number(1...9))\(digits.drop { $0 == "0" })e-\(number(0...18))")
  }

  /// Returns a change in percent.
  mutating func change() throws -> Decimal {
    try Decimal(strict: "\(isTrue() ? "-" : "")\(number(0...999)).\(number(0...999_999))")
  }

  /// Returns a text, never empty, in which one of three parts has a meaning for a program that reads it.
  mutating func text() -> String {
    let parts = [
      ",", "\"", "\"\u{301}", "\n", "\r\n", "\t", ";", "|", "=1+1", "+", "-", "@", "'", "''=", "<b>", "<\u{338}",
      "&amp;",
      "\\", "\u{0}", "\u{7}", "\u{1B}[31m", "\u{9B}", "\u{202E}", "\u{2028}", "\u{FEFF}", "{x}", "%s", "`id`", "$(id)",
    ]
    let plain = ["Bitcoin", "ä", "€", "比特币", "👨‍👩‍👧", " ", "1.5", "null", "e\u{301}", "A", "z"]
    return (0..<number(1...5)).map { _ in
      isTrue(3) ? parts[number(0...(parts.count - 1))] : plain[number(0...(plain.count - 1))]
    }.joined()
  }

  mutating func instant() -> Date {
    Date(milliseconds: Int64(number(0...4_000_000_000)) * 1000 + Int64(number(0...999)))
  }

  mutating func day() -> Date { instant().startOfDay }

  mutating func freshness() -> Freshness {
    let age = Duration.seconds(number(0...1_000_000))
    return switch number(0...4) {
    case 0: .outdated(age: age)
    case 1: .stale(age: age, because: .offline)
    case 2: .stale(age: age, because: .sourceFailed(text()))
    case 3: .stale(age: age, because: .renewing)
    default: .fresh
    }
  }

  mutating func sourced<Value: Sendable>(_ value: Value, of coin: String = "x") throws -> Sourced<Value> {
    let conversion = try some { draw in
      try Conversion(
        from: "usd", price: draw.some { try $0.decimal() }, rate: draw.decimal(), rateSource: draw.text(),
        rateTime: draw.instant())
    }
    return Sourced(
      value, about: AnswerKey(provider: "test", kind: .quote, coin: coin), source: text(), fetchedAt: instant(),
      freshness: freshness(), conversion: conversion)
  }

  mutating func coin(_ id: String? = nil) throws -> Coin {
    try Coin(
      validating: id ?? text(), symbol: text(), name: text(), currentPrice: decimal(),
      priceChangePercentage24h: some { try $0.change() }, lastUpdated: some { $0.instant() }, place: some { $0.text() })
  }

  mutating func detail() throws -> CoinDetail {
    try CoinDetail(
      validating: coin(), marketCap: some { try $0.decimal() }, totalVolume: some { try $0.decimal() },
      circulatingSupply: some { try $0.decimal() }, totalSupply: some { try $0.decimal() },
      maximumSupply: some { try $0.decimal() }, rank: some { $0.number(1...20_000) },
      changes: PeriodChanges(
        week: some { try $0.change() }, month: some { try $0.change() }, year: some { try $0.change() }),
      allTimeHigh: some { draw in PriceExtreme(price: try draw.decimal(), date: draw.some { $0.instant() }) },
      allTimeLow: some { draw in PriceExtreme(price: try draw.decimal(), date: draw.some { $0.instant() }) },
      image: some { "https://x.test/\($0.number(0...99)).png" })
  }

  mutating func points(_ count: ClosedRange<Int> = 0...6) throws -> [ChartDataPoint] {
    var time = instant()
    return try list(count) { draw in
      time = time.adding(.seconds(draw.number(1...100_000)))
      return ChartDataPoint(timestamp: time, price: try draw.decimal())
    }
  }

  mutating func candles() throws -> [CandleDataPoint] {
    try points().map { point in
      let prices = try (0..<4).map { _ in try decimal() }.sorted()
      return CandleDataPoint(
        timestamp: point.timestamp, open: prices[1], high: prices[3], low: prices[0], close: prices[2],
        volume: try some { try $0.decimal() })
    }
  }

  mutating func failure() -> CoinFailure {
    let name = text()
    let errors: [BitpalError] = [
      .notFound(coin: name, provider: text()), .noPrice(coin: name, provider: text()),
      .network(host: "x.test", reason: text()),
      .allFailed([ProviderFailure(provider: "a", error: .timedOut(provider: "a", limit: .seconds(1)))]),
    ]
    return CoinFailure(coin: name, error: errors[number(0...3)])
  }
}
