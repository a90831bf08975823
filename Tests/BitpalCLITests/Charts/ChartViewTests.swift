import BitpalCharts
import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import Foundation
import Testing

@testable import bitpal

@Suite struct `Charts in numbers` {
  private func question(_ type: ChartType, _ range: ChartTimeRange, name: String? = nil) -> ChartQuestion {
    ChartQuestion(
      type: type, range: range, currency: "usd", now: Sample.instant, descriptors: [Sample.fixture],
      name: { _ in name })
  }

  private func line(_ count: Int) -> LineSeries {
    LineSeries(
      points: (0..<count).map { index in
        ChartDataPoint(
          timestamp: Sample.instant.addingTimeInterval(Double(index) * 60), price: Decimal(100 + index))
      })
  }

  private func candles() throws -> CandleSeries {
    let rows = [("0.5", "0.6", "0.4", "0.55"), ("0.55", "0.551", "0.45", "0.4512345678")]
    return CandleSeries(
      width: .seconds(1800),
      candles: try rows.enumerated().map { index, row in
        CandleDataPoint(
          timestamp: Sample.instant.addingTimeInterval(Double(index - 1) * 1800), open: try Sample.decimal(row.0),
          high: try Sample.decimal(row.1), low: try Sample.decimal(row.2), close: try Sample.decimal(row.3))
      })
  }

  @Test func `A line that is longer than its range aims at is shown in part, and says so`() {
    let range = ChartTimeRange(
      name: "5M", window: .seconds(300), points: 3, candle: .seconds(60), timeToLive: .seconds(60))
    let view = ChartView(output: ChartOutput(.line(Sample.sourced(line(8), coin: "bitcoin")), question(.line, range)))
    #expect(
      view.text(.table, style: .plain) == """
        bitcoin · five minutes · line · USD
        fixture · recorded 2025-01-15 10:30Z · simulated market

        OPEN  HIGH  LOW  CLOSE  CHANGE  CHANGE %
         100   107  100    107      +7    +7.00%

        TIME                  PRICE USD
        2025-01-15 10:30:00Z        100
        2025-01-15 10:34:00Z        104
        2025-01-15 10:37:00Z        107
        3 of 8 points

        """)
    #expect(view.output.rows.count == 8)
  }

  @Test(arguments: [
    ("ethereum-classic", "Ethereum Classic", "Ethereum Classic"), ("AAPL", "Apple Inc.", "Apple Inc. (AAPL)"),
    ("bitcoin-2", "Bitcoin", "Bitcoin (bitcoin-2)"), ("VOD", "VOD", "VOD"),
    ("moon", "\u{1B}[31mMoon", "�[31mMoon (moon)"),
    ("moon", " ", "moon"),
  ])
  func `A title has the coin's name, and the id unless the name spells it`(coin: String, name: String, title: String) {
    let output = ChartOutput(
      .line(Sample.sourced(line(8), coin: coin)), question(.line, ChartTimeRange.standard[4], name: name))
    #expect(output.chart.title == title + " · one week · line · USD")
  }

  @Test func `Candles are all shown, and the open one is marked`() throws {
    let view = ChartView(
      output: ChartOutput(
        .candles(Sample.sourced(try candles(), coin: "bitcoin")), question(.candle, ChartTimeRange.standard[3])))
    #expect(
      view.text(.table, style: .plain) == """
        bitcoin · one day · candle 30m · USD
        fixture · recorded 2025-01-15 10:30Z · simulated market

        OPEN  HIGH  LOW    CLOSE     CHANGE  CHANGE %
         0.5   0.6  0.4  0.45123  -0.048765    -9.75%

        TIME                  OPEN   HIGH   LOW    CLOSE  STATE
        2025-01-15 10:00:00Z   0.5    0.6   0.4     0.55
        2025-01-15 10:30:00Z  0.55  0.551  0.45  0.45123  open

        """)
  }

  @Test func `JSON carries exact points, the width in force and the statistics`() throws {
    let view = ChartView(
      output: ChartOutput(
        .candles(Sample.sourced(try candles(), coin: "bitcoin")), question(.candle, ChartTimeRange.standard[3])))
    #expect(
      JSONValue.object(view.output.json).compact() == #"{"schema":"bitpal.chart/1","coin":"bitcoin","type":"candle","#
        + #""range":"1D","currency":"usd","provider":"fixture","candle":"30m","daily":false,"#
        + #""incomplete":"bitcoin: the prices of fixture begin on 2025-01-15","points":["#
        + #"{"time":"2025-01-15T10:00:00Z","open":"0.5","high":"0.6","low":"0.4","close":"0.55","#
        + #""change":"0.05","change_percent":"10","direction":"up","is_open":false},"#
        + #"{"time":"2025-01-15T10:30:00Z","open":"0.55","high":"0.551","low":"0.45","close":"0.4512345678","#
        + #""change":"-0.0987654322","change_percent":"-17.957351309090909091","direction":"down","is_open":true}],"#
        + #""statistics":{"high":"0.6","low":"0.4","start":"0.5","end":"0.4512345678","change":"-0.0487654322","#
        + #""change_percent":"-9.75308644"},"fetched_at":"2025-01-15T10:30:00Z","stale":false,"stale_reason":null,"source":"fixture","converted":null,"#
        + #""errors":[]}"#)
  }

  @Test func `A line has no candle width`() {
    let view = ChartView(
      output: ChartOutput(.line(Sample.sourced(line(1), coin: "bitcoin")), question(.line, ChartTimeRange.standard[1])))
    #expect(view.output.json["candle"] == .null)
    #expect(view.text(.csv, style: .plain) == "time,price\n2025-01-15T10:30:00Z,100\n")
    #expect(view.text(.jsonl, style: .plain) == #"{"time":"2025-01-15T10:30:00Z","price":"100"}"# + "\n")
  }

  @Test(arguments: [
    (5, 10, [0, 1, 2, 3, 4]), (5, 5, [0, 1, 2, 3, 4]), (5, 3, [0, 2, 4]), (10, 4, [0, 3, 6, 9]), (5, 2, [0, 4]),
    (5, 1, [4]), (0, 3, []),
  ])
  func `Picked points are evenly spread and keep both ends`(count: Int, limit: Int, expected: [Int]) {
    #expect(Array(0..<count).evenlyPicked(atMost: limit) == expected)
  }
}

@Suite struct `The canvas of a chart` {
  @Test(
    arguments: [
      (nil, nil, nil, 80, 16), (nil, nil, TerminalSize(columns: 120, rows: 40), 120, 24),
      (nil, nil, TerminalSize(columns: 60, rows: 20), 60, 11), (nil, nil, TerminalSize(columns: 60, rows: 6), 60, 5),
      (100, 7, TerminalSize(columns: 60, rows: 20), 100, 7), (100, nil, nil, 100, 16),
    ] as [(Int?, Int?, TerminalSize?, Int, Int)])
  func `Is what was asked for, else what fits the terminal`(
    width: Int?, height: Int?, terminal: TerminalSize?, columns: Int, rows: Int
  ) {
    let canvas = ChartCanvas(width: width, height: height, ascii: false, terminal: terminal)
    #expect(canvas.width == columns && canvas.height == rows)
  }
}
