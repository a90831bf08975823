import BitpalCharts
import BitpalModel
import BitpalTesting
import FoundationEssentials
import Testing

@Suite struct `A chart in the terminal` {
  static let charts: [(name: String, chart: Chart)] = [
    ("line", Sample.line(Sample.walk(count: 289, spacing: .seconds(300)))),
    ("line-stale", Sample.line(Sample.walk(count: 289, spacing: .seconds(300), seed: 3), warning: "stale, 3h 5m old")),
    ("line-gap", Sample.line(gap)),
    ("line-flat", Sample.line(Sample.points(Array(repeating: "1.25", count: 24)))),
    ("line-one-point", Sample.line(Sample.points(["96841.33"]))),
    ("line-two-points", Sample.line(Sample.points(["100", "200"]))),
    ("line-tiny", Sample.line(Sample.points(["0.00000001", "0.000000012", "0.000000009", "0.00000001"]))),
    ("line-huge", Sample.line(Sample.points(["1000000", "1250000.5", "999999.99", "1000000"]))),
    ("line-nothing", Sample.line([])),
    ("line-year", Sample.line(Sample.walk(count: 366, spacing: .seconds(86_400), step: 100, seed: 9), range: "1Y")),
    (
      "candles",
      Sample.candles(Sample.candles(count: 30, width: .seconds(86_400)), width: .seconds(86_400), range: "1M")
    ),
    (
      "candles-many",
      Sample.candles(Sample.candles(count: 500, width: .seconds(1800)), width: .seconds(1800), range: "1W")
    ),
    ("candles-gap", Sample.candles(candleGap, width: .seconds(3600))),
    ("candles-flat", Sample.candles(level, width: .seconds(3600))),
    ("candles-one", Sample.candles(Sample.candles(count: 1, width: .seconds(3600)), width: .seconds(3600))),
    ("compare", Sample.comparison()), ("compare-five", Sample.five()),
  ]

  private static let gap = Sample.walk(count: 200, spacing: .seconds(300)).enumerated()
    .filter { !(80..<120).contains($0.offset) }.map(\.element)
  private static let candleGap = Sample.candles(count: 24, width: .seconds(3600)).enumerated()
    .filter { !(8..<14).contains($0.offset) }.map(\.element)
  private static let level = Sample.candles(count: 6, width: .seconds(3600)).map {
    CandleDataPoint(timestamp: $0.timestamp, open: 5, high: 5, low: 5, close: 5)
  }

  @Test(arguments: charts.map(\.name))
  func `It looks as it did`(name: String) throws {
    let chart = try #require(Self.charts.first { $0.name == name }).chart
    var text = ""
    for (title, options) in [
      ("80 columns", TerminalOptions()), ("ASCII", TerminalOptions(width: 60, height: 10, ascii: true)),
      ("20 columns", TerminalOptions(width: 20, height: 5)),
    ] {
      text += "--- \(title)\n" + TerminalChart(chart, options: options).lines().map { $0 + "\n" }.joined()
    }
    try Golden.expect(text, is: "\(name).txt")
  }

  @Test(arguments: ["line", "candles", "compare"])
  func `Colours and sizes are as they were`(name: String) throws {
    let chart = try #require(Self.charts.first { $0.name == name }).chart
    let lines = TerminalChart(chart, options: TerminalOptions(width: 120, height: 24, color: true)).lines()
    try Golden.expect(
      lines.map { $0.replacing("\u{1B}", with: "␛") + "\n" }.joined(), is: "\(name)-color.txt")
  }

  @Test(arguments: charts.map(\.name), [20, 21, 33, 80, 133, 300])
  func `No line is wider than asked, and without colour none has an escape`(name: String, width: Int) throws {
    let chart = try #require(Self.charts.first { $0.name == name }).chart
    for height in [3, 8, 40] {
      for ascii in [false, true] {
        let lines = TerminalChart(chart, options: TerminalOptions(width: width, height: height, ascii: ascii)).lines()
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines.filter { $0.count > width })")
        #expect(!lines.contains { $0.contains("\u{1B}") })
        if ascii { #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }) }
      }
    }
  }

  @Test(arguments: charts.map(\.name))
  func `Colour adds nothing but colour and the shade under a line`(name: String) throws {
    let chart = try #require(Self.charts.first { $0.name == name }).chart
    let plain = TerminalChart(chart, options: TerminalOptions()).lines()
    let coloured = TerminalChart(chart, options: TerminalOptions(color: true)).lines().map { line in
      line.replacing(/\u{1B}\[[0-9;]*m/, with: "").replacing("░", with: " ")
    }
    #expect(coloured.map { trimmed($0) } == plain)
  }

  @Test(arguments: 0..<20)
  func `The drawn maximum and minimum are those of the statistics`(seed: Int) throws {
    let points = Sample.walk(count: 2000, spacing: .seconds(60), seed: UInt64(seed))
    let statistics = try #require(ChartStatistics(line: points))
    let lines = TerminalChart(Sample.line(points), options: TerminalOptions(height: 12)).lines()
    #expect(hasDrawing(lines[3], "\u{2801}\u{2808}"), "the highest dot is not in the top row")
    #expect(lines[3 + 11].contains { ("\u{2800}"..."\u{28FF}").contains($0) }, "nothing in the bottom row")
    let text = lines.joined(separator: "\n")
    #expect(text.contains("high \(NumberFormat.price(statistics.periodHigh))"))
    #expect(text.contains("low \(NumberFormat.price(statistics.periodLow))"))
  }

  @Test func `Rising and falling candles differ without colour`() {
    let up = Sample.candles(count: 1, width: .seconds(3600)).map {
      CandleDataPoint(timestamp: $0.timestamp, open: 1, high: 9, low: 1, close: 9)
    }
    let down = up.map { CandleDataPoint(timestamp: $0.timestamp, open: 9, high: 9, low: 1, close: 1) }
    let drawn = [up, down].map { candles in
      TerminalChart(Sample.candles(candles, width: .seconds(3600)), options: TerminalOptions(height: 4)).lines()[3..<7]
        .map { $0.first { $0 != " " } ?? " " }
    }
    #expect(drawn[0].allSatisfy { $0 == "▒" } && drawn[1].allSatisfy { $0 == "█" })
  }

  private func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  /// Whether a Braille character of the line has one of the dots of the character row's top.
  private func hasDrawing(_ line: String, _ dots: String) -> Bool {
    let mask = dots.unicodeScalars.reduce(0) { $0 | ($1.value - 0x2800) }
    return line.unicodeScalars.contains { (0x2800...0x28FF).contains($0.value) && ($0.value - 0x2800) & mask != 0 }
  }
}

@Suite struct `A sparkline` {
  @Test(arguments: [
    (["1", "2", "3", "4", "5", "6", "7", "8"], 8, "▁▂▃▄▅▆▇█", "_.,-~=*#"),
    (["5", "5", "5"], 3, "▅▅▅", "~~~"), (["5"], 3, "▅  ", "~  "), ([], 3, "", ""), (["1", "9"], 2, "▁█", "_#"),
    (["1", "9"], 4, "▁  █", "_  #"), (["0.00000001", "0.00000009"], 2, "▁█", "_#"), (["1", "2"], 0, "", ""),
  ])
  func `Has a character for each interval, and a space for one without a price`(
    prices: [String], width: Int, text: String, ascii: String
  ) {
    #expect(Sparkline.text(Sample.points(prices), width: width) == text)
    #expect(Sparkline.text(Sample.points(prices), width: width, ascii: true) == ascii)
  }
}
