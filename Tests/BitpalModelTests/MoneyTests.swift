import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalModel

@Suite struct `Exchange rates` {
  private static func day(_ text: String) -> Date { Date(utcText: text) ?? .distantPast }

  /// The European Central Bank's rates around Easter 2024: none from Good Friday to Easter Monday.
  private static let easter = ExchangeRates(
    LineSeries(
      points: [("2024-03-27", "1.0816"), ("2024-03-28", "1.0811"), ("2024-04-02", "1.0749")].compactMap { text, rate in
        (try? Decimal(strict: rate)).map { ChartDataPoint(timestamp: day(text), price: $0) }
      }, isDaily: true))

  @Test(
    arguments: [
      ("2024-03-26T23:59:59Z", nil), ("2024-03-27T00:00:00Z", "1.0816"), ("2024-03-28T23:59:59Z", "1.0811"),
      ("2024-03-31T12:00:00Z", "1.0811"), ("2024-04-01T12:00:00Z", "1.0811"), ("2024-04-02T00:00:00Z", "1.0749"),
      ("2024-04-09T23:00:00Z", "1.0749"), ("2024-04-10T00:00:00Z", nil),
    ] as [(String, String?)])
  func `A day without a rate has the last one before, for a week at most`(instant: String, rate: String?) {
    #expect(Self.easter.rate(at: Self.day(instant))?.price.plainText == rate)
  }

  @Test func `Prices of days without a rate are left out and counted`() throws {
    let prices = ["2024-03-26", "2024-03-28", "2024-03-30", "2024-04-02", "2024-05-01"].map {
      ChartDataPoint(timestamp: Self.day($0), price: 100)
    }
    let converted = Self.easter.converting(prices, at: \.timestamp) { $0.converted(at: $1) }
    #expect(converted.prices.map(\.price.plainText) == ["108.11", "108.11", "107.49"])
    #expect(converted.withoutRate == 2)
    #expect(converted.carriedDays == [Self.day("2024-03-30")])
  }

  @Test func `A rate of zero is not a rate`() {
    let zero = ExchangeRates(LineSeries(points: [ChartDataPoint(timestamp: Self.day("2024-03-27"), price: 0)]))
    #expect(zero.rate(at: Self.day("2024-03-27")) == nil)
  }

  @Test func `A candle keeps its volume, and its high stays the highest`() throws {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<200 {
      let prices = (0..<4).map { _ in Decimal(Int.random(in: 1...1_000_000_000, using: &random)) / 1000 }
      let low = try #require(prices.min())
      let high = try #require(prices.max())
      let candle = CandleDataPoint(
        timestamp: Self.day("2024-03-27"), open: prices[0], high: high, low: low, close: prices[1], volume: 3)
      let rate = Decimal(Int.random(in: 1...3_000_000, using: &random)) / 1_000_000
      let converted = try #require(candle.converted(at: AppliedRate(price: rate)))
      #expect(converted.volume == 3)
      #expect(SeriesRules.clean([converted]).points.count == 1, "\(candle) at \(rate)")
    }
  }

  @Test(
    arguments: [
      ("GBp", "gbp", "0.01"), ("GBX", "gbp", "0.01"), ("gbx", "gbp", "0.01"), ("ZAc", "zar", "0.01"),
      ("ILA", "ils", "0.01"), ("USX", "usd", "0.01"), ("KWF", "kwd", "0.001"), ("kwf", "kwd", "0.001"),
    ])
  func `Minor units have their currency and value`(code: String, currency: String, factor: String) throws {
    let unit = try #require(MinorUnit(code))
    #expect(unit.currency == currency && unit.factor.plainText == factor)
    #expect(MinorUnit.problem(of: code) == "\(code) is \(factor) \(currency); write the amount in \(currency)")
  }

  @Test(arguments: ["GBP", "gbp", "USD", "usd", "ZAR", "EUR", "", "pence"])
  func `A currency is not taken for its minor unit`(code: String) {
    #expect(MinorUnit(code) == nil && MinorUnit.problem(of: code) == nil)
  }
}

@Suite struct `Exact sums` {
  private func parts(_ value: Decimal) throws -> DecimalParts { try #require(DecimalParts(value)) }

  @Test func `A sum less one part is the other, for values of any size`() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      let values = (0..<2).map { _ in
        Decimal(
          sign: Bool.random(using: &random) ? .plus : .minus, exponent: Int.random(in: -18...0, using: &random),
          significand: Decimal(Int64.random(in: 0...Int64.max, using: &random)))
      }
      let (left, right) = (try parts(values[0]), try parts(values[1]))
      let sum = try #require(left.adding(right))
      #expect(sum.subtracting(right)?.decimal == values[0], "\(values)")
      #expect(sum.decimal == right.adding(left)?.decimal)
    }
  }

  @Test func `The portions of a whole add up to it, to within half a unit of the 18th digit each`() throws {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<200 {
      let cost = Decimal(Int.random(in: 1...100_000_000, using: &random)) / 100
      let shares = (0..<5).map { _ in Int.random(in: 1...1_000_000, using: &random) }
      let whole = try parts(Decimal(shares.reduce(0, +)))
      let portions = try shares.map {
        try #require(try parts(cost).portion(try parts(Decimal($0)), of: whole)?.decimal)
      }
      let rest = abs(portions.reduce(0, +) - cost)
      #expect(rest <= Decimal(sign: .plus, exponent: -18, significand: Decimal(5)) / 2, "\(cost) in \(shares)")
    }
  }

  @Test func `A sum that needs more than 38 digits is refused, not rounded`() throws {
    let large = try Decimal(strict: "99999999999999999999.1")
    let small = try Decimal(strict: "0.0000000000000000000000001")
    #expect(try parts(large).adding(parts(small)) == nil)
    // A total of many rows is rounded at the 18th digit instead.
    #expect(try parts(large).totalling(parts(small))?.decimal == large)
    let largest = try Decimal(strict: "99999999999999999999999999999999999999")
    #expect(try parts(largest).totalling(parts(Decimal(strict: "0.1"))) == nil)
  }
}

@Suite struct `Codes of coins and currencies` {
  @Test(
    arguments: [
      ("LUNA", "2022-05-01", .coin("terra-luna")), ("luna", "2022-05-20", .unclear(["terra-luna", "terra-luna-2"])),
      ("LUNA", "2022-05-28", nil), ("UST", "2022-05-20", .unclear(["terrausd"])), ("DAI", "2019-11-17", .coin("sai")),
      ("DAI", "2019-12-03", nil), ("MIOTA", "2025-01-01", .coin("iota")), ("BTC", "2012-01-01", nil),
      ("STRK", "2022-05-03", .coin("strike")), ("STRK", "2024-02-20", nil), ("BEAM", "2020-04-03", .coin("beam")),
      ("TRUMP", "2024-05-15", .before(id: "official-trump", day: "2025-01-17")), ("SOL", "2020-04-10", nil),
      ("STX", "2017-10-01", .before(id: "blockstack", day: "2017-11-01")), ("TRUMP", "2025-01-17", nil),
      ("ZK", "2024-04-03", .unclear(["polyhedra-network", "zksync"])), ("ZK", "2024-06-17", nil),
    ] as [(String, String, FormerTickers.Meaning?)])
  func `A ticker means the coin of its day`(ticker: String, day: String, meaning: FormerTickers.Meaning?) throws {
    let date = try #require(Date(utcText: day + "T23:59:59Z"))
    #expect(FormerTickers.meaning(of: ticker, at: date) == meaning)
    for id in meaning?.ids ?? [] where !["terra-luna-2", "zksync", "official-trump", "blockstack"].contains(id) {
      #expect(FormerTickers.has(id: id))
    }
  }

  @Test func `A currency is a coin, and read back from it`() {
    #expect(CurrencyCoin.id(of: "EUR") == "fx:eur")
    #expect(CurrencyCoin.currency(of: "FX:Eur") == "eur")
    for id in ["eur", "fx:", "fx", "afx:eur", ""] { #expect(CurrencyCoin.currency(of: id) == nil) }
  }

  @Test(arguments: [
    ("eur", true), ("XAU", true), ("MNT", true), ("XXX", false), ("XTS", false), ("btc", false), ("eu", false),
  ])
  func `Only active codes of ISO 4217 are currencies`(code: String, isCurrency: Bool) {
    #expect(CurrencyCoin.isCurrency(code) == isCurrency)
  }
}
