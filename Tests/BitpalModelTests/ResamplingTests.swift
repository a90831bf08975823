import BitpalModel
import FoundationEssentials
import Testing

@Suite struct `Resampling keeps what it promises` {
  @Test(arguments: [1, 2, 3, 7, 48], [1, 5, 100, 333])
  func `Aggregated candles keep first open, highest high, lowest low and last close`(factor: Int, count: Int) {
    let candles = Sample.candles(count: count, seed: UInt64(factor * 1000 + count))
    let width = Duration.seconds(1800 * factor)
    let wide = Resampling.aggregate(candles, to: width)
    let groups = Dictionary(grouping: candles) { $0.timestamp.milliseconds / width.milliseconds }
    #expect(wide.count == groups.count)
    #expect(wide.map(\.timestamp) == wide.map(\.timestamp).sorted())
    for candle in wide {
      #expect(candle.timestamp.milliseconds % width.milliseconds == 0)
      let group = groups[candle.timestamp.milliseconds / width.milliseconds] ?? []
      #expect(candle.open == group.first?.open)
      #expect(candle.high == group.map(\.high).max())
      #expect(candle.low == group.map(\.low).min())
      #expect(candle.close == group.last?.close)
    }
    #expect(groups.values.map(\.count).reduce(0, +) == count)
    #expect(ChartStatistics(candles: wide) == ChartStatistics(candles: candles))
  }

  @Test func `Volumes are summed, and an unknown one makes the sum unknown`() {
    func hour(_ hour: Int, _ volume: Decimal?) -> CandleDataPoint {
      CandleDataPoint(
        timestamp: Date(milliseconds: Int64(hour) * 3_600_000), open: 1, high: 1, low: 1, close: 1, volume: volume)
    }
    let wide = Resampling.aggregate(
      [hour(0, 1), hour(1, 2), hour(2, 3), hour(3, nil), hour(4, 5)], to: .seconds(2 * 3600))
    #expect(wide.map(\.volume) == [3, nil, 5])
  }

  @Test func `An interval without candles has none when they are put together`() {
    let hours = [0, 1, 2, 3, 12, 13].map { Sample.candle(hour: $0) }
    let wide = Resampling.aggregate(hours, to: .seconds(4 * 3600))
    #expect(wide.map { $0.timestamp.milliseconds / 3_600_000 } == [0, 12])
  }

  @Test func `Samples make candles where at least three fall in each`() {
    let samples = Sample.line(minutes: Array(stride(from: 0, to: 60, by: 5)))
    let candles = Resampling.candles(from: samples, width: .seconds(900))
    #expect(candles?.map { $0.timestamp.milliseconds / 60_000 } == [0, 15, 30, 45])
    #expect(candles?.first?.open == samples[0].price)
    #expect(candles?.first?.close == samples[2].price)
    #expect(candles?.first?.high == samples[0...2].map(\.price).max())
    #expect(candles?.first?.low == samples[0...2].map(\.price).min())
    #expect(Resampling.candles(from: samples, width: .seconds(600)) == nil, "two in each are too few")
  }

  @Test(
    arguments: [
      // minutes of the samples, minutes at which the candles of a quarter of an hour open
      ([10, 15, 20, 25, 30, 35, 40], [15, 30]),
      ([0, 5, 10, 15, 20, 25, 30], [0, 15, 30]),
      ([0, 5, 10, 60, 65, 70], [0, 60]),
      ([0, 5, 10, 15, 30, 35, 40], nil),
      ([3], nil),
    ] as [([Int], [Int]?)])
  func `The first interval may be cut off, the last may have begun, and a gap stays a gap`(
    minutes: [Int], opens: [Int]?
  ) {
    let candles = Resampling.candles(from: Sample.line(minutes: minutes), width: .seconds(900))
    #expect(candles?.map { Int($0.timestamp.milliseconds / 60_000) } == opens)
  }
}

@Suite struct `A candle width is chosen` {
  private static let coinGecko = [1800, 4 * 3600, 4 * 86_400]
  private static let kraken = [60, 300, 900, 1800, 3600, 14_400, 86_400, 604_800, 1_296_000]

  @Test(arguments: [
    (60, coinGecko, 1800), (300, coinGecko, 1800), (900, coinGecko, 1800), (14_400, coinGecko, 14_400),
    (86_400, coinGecko, 14_400), (604_800, coinGecko, 14_400),
    (60, kraken, 60), (300, kraken, 300), (900, kraken, 900), (14_400, kraken, 14_400), (86_400, kraken, 86_400),
    (604_800, kraken, 604_800), (21_600, kraken, 3600), (43_200, kraken, 14_400),
    (900, [], 900), (604_800, [345_600], 345_600),
  ])
  func `The source is asked for the wanted width, else the widest that divides it, else its narrowest`(
    wanted: Int, native: [Int], asked: Int
  ) {
    #expect(Resampling.nativeWidth(for: .seconds(wanted), among: native.map { .seconds($0) }) == .seconds(asked))
  }

  @Test(arguments: [
    // wanted, what the source answered with, spacing of its line, width in force
    (14_400, 14_400, 3600, 14_400), (86_400, 14_400, 3600, 86_400), (604_800, 345_600, 86_400, 604_800),
    (900, 1800, 300, 900), (900, 1800, 301, 1800), (60, 1800, 300, 1800), (604_800, 345_600, 345_600, 345_600),
  ])
  func `The width in force is the wanted one where candles or samples make it, else the source's`(
    wanted: Int, native: Int, spacing: Int, inForce: Int
  ) {
    let candles = (0..<60).map { Sample.candle(second: $0 * native) }
    let samples = (0..<600).map { Sample.point(second: $0 * spacing) }
    let made = Resampling.candles(
      CandleSeries(width: .seconds(native), candles: candles), wanted: .seconds(wanted), samples: samples)
    #expect(made.width == .seconds(inForce))
    // Weeks begin on Mondays, and 1970 began on a Thursday.
    let origin = inForce == 604_800 ? 4 * 86_400 : 0
    #expect(made.candles.allSatisfy { (Int($0.timestamp.milliseconds / 1000) - origin) % inForce == 0 })
  }
}

@Suite struct `Candles across boundaries` {
  @Test func `An hour that begins at half past is not put into one of two wider candles`() {
    let halfPast = CandleSeries(
      width: .seconds(3600), candles: (0..<12).map { Sample.candle(second: 1800 + 3600 * $0) })
    #expect(Resampling.candles(halfPast, wanted: .seconds(4 * 3600)) == halfPast)
    let halves = CandleSeries(width: .seconds(1800), candles: (0..<12).map { Sample.candle(second: 1800 * $0) })
    #expect(Resampling.candles(halves, wanted: .seconds(4 * 3600)).width == .seconds(4 * 3600))
  }

  @Test func `The part of a wide candle that a window leaves is left out, and the begin of trading is not`() {
    let series = CandleSeries(width: .seconds(3600), candles: (14..<40).map { Sample.candle(second: 3600 * $0) })
    func window(_ hour: Int64) -> TimeWindow {
      TimeWindow(start: Date(milliseconds: hour * 3_600_000), end: Date(milliseconds: 40 * 3_600_000))
    }
    let wide = Duration.seconds(4 * 3600)
    #expect(series.withoutPart(of: wide, cutBy: window(14)).candles.first == Sample.candle(second: 16 * 3600))
    #expect(series.withoutPart(of: wide, cutBy: window(2)) == series)
    #expect(series.withoutPart(of: .seconds(5400), cutBy: window(14)) == series)
  }

  @Test func `A window begins with the candle in which it begins, and in the past ends with that in which it ends`() {
    let window = TimeWindow(start: Date(milliseconds: 14 * 3_600_000), end: Date(milliseconds: 40 * 3_600_000))
    let wide = window.onGrid(of: .seconds(4 * 3600), until: nil)
    #expect(wide.start == Date(milliseconds: 12 * 3_600_000 - 1))
    #expect(wide.end == window.end)
    let past = TimeWindow(start: window.start, end: Date(milliseconds: 41 * 3_600_000), isPast: true)
    #expect(past.onGrid(of: .seconds(4 * 3600), until: nil).end == Date(milliseconds: 44 * 3_600_000))
    #expect(
      past.onGrid(of: .seconds(4 * 3600), until: Date(milliseconds: 42 * 3_600_000)).end.milliseconds == 42 * 3_600_000)
  }
}

@Suite struct `Candles from the first one on` {
  @Test func `Each is made of as many, and none is left out`() {
    let candles = (0..<20).map { Sample.candle(second: 3600 * (7 + $0)) }
    let wide = Resampling.aggregate(candles, to: .seconds(4 * 3600), from: candles[0].timestamp)
    #expect(wide.map { $0.timestamp.milliseconds / 3_600_000 } == [7, 11, 15, 19, 23])
    #expect(wide.first?.open == candles[0].open && wide.last?.close == candles[19].close)
  }
}

@Suite struct `A line is reduced` {
  @Test(arguments: [4, 5, 17, 100, 499], 0..<12)
  func `Ends and extremes stay, in order, and no point is made up`(count: Int, seed: Int) throws {
    let points = Sample.walk(count: 500, seed: UInt64(seed))
    let reduced = Resampling.reduce(points, to: count)
    #expect(reduced.count <= count && reduced.count >= min(count, 4) - 1)
    #expect(reduced.first == points.first)
    #expect(reduced.last == points.last)
    #expect(ChartStatistics(line: reduced) == ChartStatistics(line: points))
    #expect(Set(reduced).isSubset(of: points))
    #expect(reduced.map(\.timestamp) == Set(reduced).map(\.timestamp).sorted())
  }

  @Test func `Between the ends each bucket gives one point`() {
    let points = Sample.walk(count: 1002, seed: 7)
    let reduced = Resampling.reduce(points, to: 12)
    let buckets = reduced.dropFirst().dropLast().map { point in
      ((points.firstIndex(of: point) ?? 0) - 1) / 100
    }
    #expect(buckets == Array(0..<10))
  }

  @Test func `The largest triangle wins`() {
    let prices = [0, 0, 9, 0, 0, 0, -8, 0, 0, 0].map { Decimal($0 + 10) }
    let points = prices.enumerated().map { ChartDataPoint(timestamp: Date(milliseconds: Int64($0) * 1000), price: $1) }
    #expect(Resampling.reduce(points, to: 4).map(\.price) == [10, 19, 2, 10])
  }

  @Test func `High and low in one bucket both stay`() {
    var prices = [Decimal](repeating: 5, count: 40)
    prices[20] = 9
    prices[21] = 1
    let points = prices.enumerated().map { ChartDataPoint(timestamp: Date(milliseconds: Int64($0) * 1000), price: $1) }
    for count in 4...39 {
      let reduced = Resampling.reduce(points, to: count)
      #expect(reduced.count <= count)
      #expect(ChartStatistics(line: reduced) == ChartStatistics(line: points))
    }
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 2), (3, 3), (-5, 0), (500, 500), (900, 500)])
  func `Few are few, and more than there are are all`(count: Int, expected: Int) {
    #expect(Resampling.reduce(Sample.walk(count: 500, seed: 1), to: count).count == expected)
  }

  @Test func `Prices that differ only beyond the digits of a double are distinguished`() throws {
    let prices = [
      "1.00000000000000000001", "1.00000000000000000003", "1.00000000000000000002", "1", "1.00000000000000000001",
    ]
    let points = try prices.enumerated().map {
      ChartDataPoint(timestamp: Date(milliseconds: Int64($0.offset) * 1000), price: try Decimal(strict: $0.element))
    }
    let reduced = Resampling.reduce(points, to: 4)
    #expect(ChartStatistics(line: reduced) == ChartStatistics(line: points))
  }

  @Test func `A line is cut where its source has a gap`() {
    let points = Sample.line(minutes: [0, 5, 10, 15, 40, 45, 50, 55])
    #expect(Resampling.runs(points).map(\.count) == [4, 4])
    #expect(Resampling.runs(Sample.line(minutes: [0, 5, 10, 16, 20])).map(\.count) == [5])
    #expect(Resampling.runs([]).isEmpty)
    #expect(Resampling.runs(Sample.line(minutes: [7])).map(\.count) == [1])
    #expect(Resampling.runs(Sample.line(minutes: [7, 90])).map(\.count) == [2])
  }
}

@Suite struct `Days close in UTC` {
  @Test func `A sample of midnight closes the day before`() throws {
    let points = try [
      ("2025-01-13T00:00:00Z", 1), ("2025-01-13T23:59:59.999Z", 2), ("2025-01-14T00:00:00Z", 3),
      ("2025-01-14T00:00:00.001Z", 4), ("2025-01-14T12:00:00Z", 5), ("2025-01-15T10:30:00Z", 6),
    ].map { try ChartDataPoint(timestamp: #require(Date(utcText: $0.0)), price: Decimal($0.1)) }
    let now = try #require(Date(utcText: "2025-01-15T10:30:00Z"))
    let closes = Resampling.dailyCloses(LineSeries(points: points), now: now)
    #expect(closes.map(\.dateText) == ["2025-01-12", "2025-01-13", "2025-01-14"])
    #expect(closes.map(\.price) == [1, 3, 5])
  }

  @Test func `The price of a whole day closes that day`() throws {
    let points = try ["2025-01-13", "2025-01-14", "2025-01-15"].enumerated().map { index, day in
      try ChartDataPoint(timestamp: #require(Date(utcText: day)), price: Decimal(index))
    }
    let now = try #require(Date(utcText: "2025-01-15T10:30:00Z"))
    let closes = Resampling.dailyCloses(LineSeries(points: points, isDaily: true), now: now)
    #expect(closes.map { "\($0.dateText) \($0.price)" } == ["2025-01-13 0", "2025-01-14 1"])
  }

  @Test func `The day that is not over has no close, and neither has a day without data`() throws {
    let candles = [0, 25, 26, 73, 97].map { Sample.candle(hour: $0) }
    let series = CandleSeries(width: .seconds(3600), candles: candles)
    let closes = Resampling.dailyCloses(series, now: Date(milliseconds: 100 * 3_600_000))
    #expect(closes.map(\.dateText) == ["1970-01-01", "1970-01-02", "1970-01-04"])
    #expect(closes.map(\.price) == [candles[0].close, candles[2].close, candles[3].close])
  }
}

/// Made-up series, the same in every run.
private enum Sample {
  static func point(second: Int) -> ChartDataPoint {
    ChartDataPoint(timestamp: Date(milliseconds: Int64(second) * 1000), price: Decimal(100 + second % 37))
  }

  static func line(minutes: [Int]) -> [ChartDataPoint] {
    minutes.map { point(second: $0 * 60) }
  }

  static func candle(second: Int) -> CandleDataPoint {
    let base = Decimal(100 + second % 41)
    return CandleDataPoint(
      timestamp: Date(milliseconds: Int64(second) * 1000), open: base, high: base + 3, low: base - 2, close: base + 1)
  }

  static func candle(hour: Int) -> CandleDataPoint { candle(second: hour * 3600) }

  static func candles(count: Int, seed: UInt64) -> [CandleDataPoint] {
    var numbers = Numbers(state: seed)
    return (0..<count).map { index in
      let prices = (0..<4).map { _ in Decimal(numbers.next() % 100_000) / 100 }
      return CandleDataPoint(
        timestamp: Date(milliseconds: 1_735_689_600_000 + Int64(index) * 1_800_000), open: prices[0],
        high: prices.max() ?? 0, low: prices.min() ?? 0, close: prices[3])
    }
  }

  static func walk(count: Int, seed: UInt64) -> [ChartDataPoint] {
    var numbers = Numbers(state: seed)
    var price = 1_000_000
    return (0..<count).map { index in
      price += Int(numbers.next() % 2001) - 1000
      return ChartDataPoint(timestamp: Date(milliseconds: Int64(index) * 300_000), price: Decimal(price) / 10_000)
    }
  }

  /// SplitMix64.
  private struct Numbers {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }
}
