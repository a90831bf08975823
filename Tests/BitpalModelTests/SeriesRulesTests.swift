import FoundationEssentials
import Testing

@testable import BitpalModel

@Suite struct `Series out of what sources send` {
  private func point(_ seconds: Int64, _ price: Int) -> ChartDataPoint {
    ChartDataPoint(timestamp: Date(milliseconds: seconds * 1000), price: Decimal(price))
  }

  private func candle(_ seconds: Int64, _ open: Int, _ high: Int, _ low: Int, _ close: Int) -> CandleDataPoint {
    CandleDataPoint(
      timestamp: Date(milliseconds: seconds * 1000), open: Decimal(open), high: Decimal(high), low: Decimal(low),
      close: Decimal(close))
  }

  @Test func `Points are sorted, and of one instant the last counts`() {
    let cleaned = SeriesRules.clean([point(3, 30), point(1, 10), point(2, 20), point(3, 31), point(1, 11)])
    #expect(cleaned.points == [point(1, 11), point(2, 20), point(3, 31)])
    #expect(cleaned.dropped == 0)
  }

  @Test func `Two rows of one time that are far apart are named`() {
    let near = SeriesRules.clean([point(1, 100), point(1, 110)])
    #expect(near.points == [point(1, 110)] && near.dropped == 0 && near.fault == nil)
    let far = SeriesRules.clean([point(2, 7), point(1, 100), point(1, 111)])
    #expect(far.points == [point(1, 111), point(2, 7)] && far.dropped == 1)
    #expect(far.fault == "1970-01-01T00:00:01Z: 100 is far from 111, which has the same time")
    // A row without a price says nothing about the other one.
    let zero = SeriesRules.clean([point(1, 100), point(1, 0)])
    #expect(zero.points == [point(1, 100)] && zero.fault == "1970-01-01T00:00:01Z: 0 is not a price")
  }

  @Test(
    arguments: [(50, 1, 10), (50, 60, 11), (50, 50, 11), (50, nil, 11), (nil, 60, 11), (0, 0, 11)]
      as [(Int?, Int?, Int)])
  func `The candle of more trades counts among two of one time, otherwise the later one`(
    earlier: Int?, later: Int?, close: Int
  ) {
    func candle(_ close: Int, _ volume: Int?) -> CandleDataPoint {
      CandleDataPoint(
        timestamp: Date(milliseconds: 0), open: 10, high: 12, low: 9, close: Decimal(close),
        volume: volume.map { Decimal($0) })
    }
    let cleaned = SeriesRules.clean([candle(10, earlier), candle(11, later)])
    #expect(cleaned.points.map(\.close) == [Decimal(close)] && cleaned.dropped == 0)
    // What is fetched now replaces what was kept, whatever was traded.
    let kept = CandleSeries(width: .seconds(60), candles: [candle(10, earlier), self.candle(60, 1, 1, 1, 1)])
    let fetched = CandleSeries(width: .seconds(60), candles: [candle(11, later)])
    let window = TimeWindow(ending: Date(milliseconds: 120_000), length: .seconds(300))
    #expect(SeriesRules.merge(kept, with: fetched, in: window).candles.map(\.close) == [11])
  }

  @Test func `A price that is not above zero is dropped and counted, and the first is named`() {
    let cleaned = SeriesRules.clean([point(1, -1), point(2, 0), point(3, 5)])
    #expect(cleaned.points == [point(3, 5)])
    #expect(cleaned.dropped == 2)
    #expect(cleaned.fault == "1970-01-01T00:00:01Z: -1 is not a price")
  }

  @Test func `A candle that contradicts itself is dropped and counted`() {
    let good = candle(60, 10, 12, 9, 11)
    let cleaned = SeriesRules.clean([
      candle(0, 10, 9, 8, 9), candle(120, 10, 12, 11, 11), candle(180, 0, 1, -1, 0), good,
    ])
    #expect(cleaned.points == [good])
    #expect(cleaned.dropped == 3)
    #expect(cleaned.fault == "1970-01-01: the high 9 is below 10")
  }

  @Test func `A candle within the one before it is merged into that, and a short week or month is not`() {
    let day: Int64 = 86_400
    let week = candle(0, 14, 20, 13, 19)
    #expect(
      SeriesRules.merged([week, candle(2 * day, 18, 21, 17, 20)], width: .seconds(7 * day)) == [
        candle(0, 14, 21, 13, 20)
      ])
    for (width, next): (Int64, Int64) in [(7 * day, 167 * 3600), (30 * day, 28 * day), (day, 23 * 3600), (300, 300)] {
      let candles = [week, candle(next, 1, 1, 1, 1)]
      #expect(SeriesRules.merged(candles, width: .seconds(width)) == candles)
    }
    #expect(SeriesRules.merged([week, candle(299, 1, 1, 1, 1)], width: .seconds(300)).count == 1)
  }

  @Test func `A window holds its end and not its start`() {
    let window = TimeWindow(ending: Date(milliseconds: 10_000), length: .seconds(5))
    #expect(
      SeriesRules.cut([point(5, 1), point(6, 2), point(10, 3), point(11, 4)], to: window) == [
        point(6, 2), point(10, 3),
      ])
  }

  @Test func `The open candle and the one in which the window begins stay`() {
    let window = TimeWindow(ending: Date(milliseconds: 600_000), length: .seconds(300))
    let candles = [0, 120, 240, 300, 540, 600, 660].map { candle($0, 1, 1, 1, 1) }
    let cut = SeriesRules.cut(candles, width: .seconds(120), to: window)
    #expect(cut.map { $0.timestamp.milliseconds / 1000 } == [240, 300, 540, 600])
  }

  @Test func `Whether the last candle is open depends on its width`() {
    let series = CandleSeries(width: .seconds(60), candles: [candle(540, 1, 1, 1, 1)])
    #expect(series.isLastOpen(at: Date(milliseconds: 599_000)))
    #expect(!series.isLastOpen(at: Date(milliseconds: 600_000)))
  }

  @Test func `Statistics of a line and of candles`() throws {
    let line = try #require(ChartStatistics(line: [point(1, 10), point(2, 40), point(3, 5), point(4, 12)]))
    #expect(line.periodHigh == 40 && line.periodLow == 5 && line.startPrice == 10 && line.endPrice == 12)
    #expect(line.priceChange == 2 && line.percentageChange == 20 && line.isPositive)
    let candles = try #require(ChartStatistics(candles: [candle(1, 10, 15, 9, 11), candle(2, 11, 12, 4, 5)]))
    #expect(candles.periodHigh == 15 && candles.periodLow == 4 && candles.startPrice == 10 && candles.endPrice == 5)
    #expect(candles.percentageChange == -50 && !candles.isPositive)
    #expect(ChartStatistics(line: []) == nil && ChartStatistics(candles: []) == nil)
    #expect(ChartStatistics(line: [point(1, 0), point(2, 5)])?.percentageChange == nil)
  }

  @Test func `A range that begins with the year begins at the first midnight of the zone`() throws {
    let now = try #require(Date(utcText: "2025-01-15T10:30:00Z"))
    let year = try #require(ChartTimeRange.standard.named("ytd"))
    #expect(year.timeWindow(at: now).start.iso8601 == "2025-01-01T00:00:00Z")
    let zone = ClockZone(name: "Zone", firstOffset: 3600)
    let standing = year.standing(at: now, in: zone)
    #expect(
      standing.timeWindow(at: now)
        == TimeWindow(start: try #require(Date(utcText: "2024-12-31T23:00:00Z")), end: now).named(in: zone))
    #expect(standing.name == "YTD" && standing.candle == .seconds(4 * 3600))
    #expect(standing.keyText == "2024-12-31T23:00:00Z")
  }

  @Test func `A range between two instants is over, and stays fresh, when its end has passed`() throws {
    let now = try #require(Date(utcText: "2025-01-15T10:30:00Z"))
    let start = now.adding(.seconds(-30 * 86_400))
    let past = ChartTimeRange.between(start, start.adding(.seconds(86_400)), now: now, name: "a day")
    #expect(past.timeWindow(at: now).isPast && past.timeWindow(at: now).length == .seconds(86_400))
    #expect(past.timeToLive == .seconds(30 * 86_400) && past.candle == .seconds(900))
    #expect(past.keyText == "2024-12-16T10:30:00Z..2024-12-17T10:30:00Z")
    let open = ChartTimeRange.between(start, nil, now: now, name: "since")
    #expect(!open.timeWindow(at: now).isPast && open.timeWindow(at: now.adding(.seconds(60))).start == start)
    #expect(open.timeToLive == .seconds(300) && open.keyText == "2024-12-16T10:30:00Z")
  }

  @Test func `Every range has a name of its own in the cache`() {
    let keys = ChartTimeRange.standard.map(\.keyText)
    #expect(Set(keys).count == keys.count)
    #expect(ChartTimeRange.standard.named("max")?.timeWindow(at: Date(milliseconds: 1_736_937_000_000)).isAll == true)
  }

  @Test(arguments: [("15M", "1H"), ("4H", "1H"), ("1D", "1D"), ("1Y", "1Y"), ("YTD", "YTD"), ("MAX", "MAX")])
  func `A range that lines lack moves to the closest`(asked: String, given: String) throws {
    let ranges = ChartTimeRange.standard
    let range = try #require(ranges.named(asked.lowercased()))
    #expect(ranges.closest(to: range, for: .line)?.name == given)
    #expect(ranges.closest(to: range, for: .candle)?.name == asked)
  }
}

@Suite struct `Newer series over older ones` {
  private let window = TimeWindow(start: Date(milliseconds: 1000), end: Date(milliseconds: 9000))

  private func line(_ points: (Int64, Int)...) -> LineSeries {
    LineSeries(points: points.map { ChartDataPoint(timestamp: Date(milliseconds: $0 * 1000), price: Decimal($1)) })
  }

  private func candles(width: Int, _ candles: (Int64, Int)...) -> CandleSeries {
    CandleSeries(
      width: .seconds(width),
      candles: candles.map { seconds, price in
        CandleDataPoint(
          timestamp: Date(milliseconds: seconds * 1000), open: Decimal(price), high: Decimal(price),
          low: Decimal(price),
          close: Decimal(price))
      })
  }

  @Test func `Settled points stay, new ones count, the older line's live point goes`() {
    let merged = SeriesRules.merge(line((1, 1), (2, 2), (3, 3), (4, 4)), with: line((3, 30), (5, 50)), in: window)
    // The start of the window stays, because a range that was named has it.
    #expect(merged == line((1, 1), (2, 2), (3, 30), (5, 50)))
  }

  @Test func `An open candle is replaced, and another width replaces all candles`() {
    let older = candles(width: 2, (0, 1), (2, 2), (4, 3))
    #expect(
      SeriesRules.merge(older, with: candles(width: 2, (4, 30), (6, 40)), in: window)
        == candles(width: 2, (0, 1), (2, 2), (4, 30), (6, 40)))
    #expect(SeriesRules.merge(older, with: candles(width: 1, (4, 30)), in: window) == candles(width: 1, (4, 30)))
  }
}
