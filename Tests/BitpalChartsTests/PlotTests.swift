import BitpalModel
import FoundationEssentials
import Testing

@testable import BitpalCharts

@Suite struct `A grid of dots` {
  @Test func `Every dot of a cell has its own Braille character`() {
    var seen: Set<Character> = []
    for y in 0..<4 {
      for x in 0..<2 {
        var grid = DotGrid(columns: 3, rows: 2)
        #expect(grid.character(1, 1) == nil)
        grid.set(2 + x, 4 + y)
        if let character = grid.character(1, 1) { seen.insert(character) }
        #expect(grid.character(0, 0) == nil && grid.character(2, 1) == nil)
      }
    }
    #expect(seen == ["⠁", "⠂", "⠄", "⡀", "⠈", "⠐", "⠠", "⢀"])
  }

  @Test func `A dot outside of the grid is ignored`() {
    var grid = DotGrid(columns: 1, rows: 1)
    for (x, y) in [(-1, 0), (0, -1), (2, 0), (0, 4), (1000, 1000)] { grid.set(x, y) }
    #expect(grid.character(0, 0) == nil)
  }

  @Test(arguments: 0..<50)
  func `A line is connected, and reaches both of its ends`(seed: Int) throws {
    var numbers = Sample.Numbers(state: UInt64(seed))
    var grid = DotGrid(columns: 20, rows: 10)
    let from = (x: Int(numbers.next() % 40), y: Int(numbers.next() % 40))
    let to = (x: Int(numbers.next() % 40), y: Int(numbers.next() % 40))
    var pen = DotGrid.Pen()
    // The first dot of a line is the last one of the line before.
    grid.line(from: from, to: from, with: &pen)
    grid.line(from: from, to: to, with: &pen)
    let dots = dots(grid)
    #expect(dots.contains([from.x, from.y]) && dots.contains([to.x, to.y]))
    #expect(dots.count == max(abs(to.x - from.x), abs(to.y - from.y)) + 1)
    for dot in dots where dot != [from.x, from.y] {
      #expect(dots.contains { $0 != dot && abs($0[0] - dot[0]) <= 1 && abs($0[1] - dot[1]) <= 1 })
    }
  }

  @Test func `A dashed pen goes on over the corners of a line`() {
    var pen = DotGrid.Pen(on: [3, 2])
    #expect((0..<10).map { _ in pen.next() } == [true, true, true, false, false, true, true, true, false, false])
    var grid = DotGrid(columns: 10, rows: 1)
    pen = DotGrid.Pen(on: [3, 2])
    grid.line(from: (0, 0), to: (0, 0), with: &pen)
    grid.line(from: (0, 0), to: (4, 0), with: &pen)
    grid.line(from: (4, 0), to: (9, 0), with: &pen)
    #expect(dots(grid).map { $0[0] }.sorted() == [0, 1, 2, 5, 6, 7])
  }

  @Test func `Cells of one role are one piece of text, and cells outside are blank`() {
    var grid = CellGrid(columns: 5, rows: 1)
    for column in 1...3 { grid[column, 0] = ("x", column < 3 ? .rise : .fall) }
    grid[9, 9] = ("y", nil)
    let line = grid.line(0)
    #expect(line.pieces.map(\.text) == [" ", "xx", "x", " "])
    #expect(line.width == 5 && grid[9, 9].character == " ")
    #expect(line.rendered(color: false) == " xxx")
    #expect(line.rendered(color: true) == " \u{1B}[32mxx\u{1B}[0m\u{1B}[31mx\u{1B}[0m")
  }

  private func dots(_ grid: DotGrid) -> Set<[Int]> {
    let bits = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
    var dots: Set<[Int]> = []
    for y in 0..<grid.height {
      for x in 0..<grid.width {
        let mask = grid.character(x / 2, y / 4)?.unicodeScalars.first.map { Int($0.value) - 0x2800 } ?? 0
        if mask & bits[y % 4][x % 2] != 0 { dots.insert([x, y]) }
      }
    }
    return dots
  }
}

@Suite struct `The shape of a candle` {
  /// The characters of a candle from the top; a space where it is not.
  private func drawn(_ top: Int, _ bodyTop: Int, _ bodyBottom: Int, _ bottom: Int, isRise: Bool) -> (String, String) {
    let glyph = CandleGlyph(
      top: top, bottom: bottom, bodyTop: bodyTop, bodyBottom: bodyBottom, isRise: isRise, isLevel: false)
    let rows = 0..<4
    return (String(rows.map { glyph.character(row: $0) ?? " " }), String(rows.map { glyph.ascii(row: $0) ?? " " }))
  }

  @Test func `A rising body is shaded and a falling one full, with thin wicks`() {
    #expect(drawn(0, 2, 5, 7, isRise: true) == ("│▒▒│", "|oo|"))
    #expect(drawn(0, 2, 5, 7, isRise: false) == ("│██│", "|##|"))
    #expect(drawn(2, 2, 5, 5, isRise: true) == (" ▒▒ ", " oo "))
    #expect(drawn(3, 3, 4, 4, isRise: true) == (" ▒▒ ", " oo "))
    #expect(drawn(3, 3, 4, 4, isRise: false) == (" ▄▀ ", " ## "))
  }

  @Test func `A wick and a body meet within a cell`() {
    #expect(drawn(0, 1, 6, 7, isRise: true) == ("╽▒▒╿", "oooo"))
    #expect(drawn(1, 3, 4, 6, isRise: true).0 == "╷╽╿╵")
    #expect(drawn(0, 1, 1, 3, isRise: true).0 == "▒│  ")
  }

  @Test func `Every candle is drawn without a hole, from its top to its bottom`() {
    for top in 0..<8 {
      for bodyTop in top..<8 {
        for bodyBottom in bodyTop..<8 {
          for bottom in bodyBottom..<8 {
            for isRise in [true, false] {
              let (text, ascii) = drawn(top, bodyTop, bodyBottom, bottom, isRise: isRise)
              let rows = text.enumerated().filter { $0.element != " " }.map(\.offset)
              #expect(rows == Array(top / 2...bottom / 2), "\(top) \(bodyTop) \(bodyBottom) \(bottom)")
              #expect(ascii.enumerated().filter { $0.element != " " }.map(\.offset) == rows)
              #expect(ascii.contains(isRise ? "o" : "#"))
            }
          }
        }
      }
    }
  }

  @Test func `An open that is the close is a level line with its wicks`() {
    for (top, bottom, character) in [(0, 3, "┼"), (0, 1, "┴"), (1, 3, "┬"), (1, 1, "─")] as [(Int, Int, Character)] {
      let glyph = CandleGlyph(top: top, bottom: bottom, bodyTop: 1, bodyBottom: 1, isRise: true, isLevel: true)
      #expect(glyph.character(row: 0) == character && glyph.ascii(row: 0) == "-")
    }
  }

  @Test(arguments: [1, 2, 7, 30, 100, 500])
  func `Candles are joined until they fit, and each has a slot of its own`(most: Int) {
    let candles = Sample.candles(count: 200, width: .seconds(3600))
    let slots = CandleSlots(CandleSeries(width: .seconds(3600), candles: candles), most: most)
    #expect(slots.count <= most && slots.candles.count <= slots.count)
    #expect(Set(slots.candles.map(\.slot)).count == slots.candles.count)
    #expect(slots.candles.map(\.candle.high).max() == candles.map(\.high).max())
    #expect(slots.candles.first?.candle.open == candles.first?.open)
    #expect(slots.candles.last?.candle.close == candles.last?.close)
    #expect(slots.end > candles.last?.timestamp ?? .distantFuture)
    if most >= 200 { #expect(slots.width == .seconds(3600)) }
  }
}

@Suite struct `Candles of unequal widths` {
  /// The openings of the intervals of a kind, and the width that its source states.
  private static let kinds: [(name: String, width: Duration, opening: @Sendable (Int) -> Date)] = [
    (
      "months", .seconds(30 * 86_400),
      { CivilTime(year: 2024 + $0 / 12, month: 1 + $0 % 12, day: 1)?.instant ?? .distantPast }
    ),
    ("weeks of New York", .seconds(7 * 86_400), { local(monday, 7 * 24 * $0, summer: newYork, hours: -5) }),
    ("days of New York", .seconds(86_400), { local(monday, 24 * $0, summer: newYork, hours: -5) }),
    ("days of Berlin", .seconds(86_400), { local(monday, 24 * $0, summer: berlin, hours: 1) }),
    ("four hours of Berlin", .seconds(4 * 3600), { local("2025-03-25T00:00Z", 4 * $0, summer: berlin, hours: 1) }),
    ("hours", .seconds(3600), { local(monday, $0, summer: berlin, hours: 0, step: 0) }),
  ]
  private static let monday = "2025-01-06T00:00Z"
  private static let newYork = ("2025-03-09T07:00Z", "2025-11-02T06:00Z")
  private static let berlin = ("2025-03-30T01:00Z", "2025-10-26T01:00Z")

  /// Returns the instant of a local time, some hours after a local start, where summer time lasts between two instants.
  private static func local(
    _ start: String, _ hours: Int, summer: (String, String), hours offset: Int, step: Int = 1
  ) -> Date {
    let winter = instant(start).adding(.seconds((hours - offset) * 3600))
    let isSummer = winter >= instant(summer.0) && winter < instant(summer.1)
    return isSummer ? winter.adding(.seconds(-3600 * step)) : winter
  }

  private static func instant(_ text: String) -> Date { Date(utcText: text) ?? .distantPast }

  private static func series(_ kind: Int, _ numbers: [Int]) -> CandleSeries {
    CandleSeries(
      width: kinds[kind].width,
      candles: numbers.map {
        CandleDataPoint(timestamp: kinds[kind].opening($0), open: 1, high: 3, low: 1, close: Decimal($0 % 2 + 1))
      })
  }

  @Test(arguments: 0..<6, 0..<20)
  func `Each has a place of its own, one after the other, and a gap is as wide as what is missing`(
    kind: Int, seed: Int
  ) {
    var numbers = Sample.Numbers(state: UInt64(seed))
    let kept = (0..<60).filter { _ in seed == 0 || numbers.next() % 4 > 0 }
    let slots = CandleSlots(Self.series(kind, kept), most: 1000)
    #expect(slots.candles.map(\.slot) == kept.map { $0 - (kept.first ?? 0) }, "\(Self.kinds[kind].name)")
    #expect(slots.count == (kept.last ?? 0) - (kept.first ?? 0) + 1)
    // A label names the opening of a candle, so it stands below that candle.
    #expect(slots.candles.allSatisfy { slots.slot(nearest: $0.candle.timestamp) == $0.slot })
    #expect(slots.slot(nearest: slots.end) == nil && slots.slot(nearest: slots.start.adding(.seconds(-1))) == nil)
  }

  @Test(arguments: 0..<6) func `They stand apart in the terminal and in a picture`(kind: Int) {
    let chart = Chart(.candles(Self.series(kind, Array(0..<60)), isLastOpen: false), title: "x")
    for width in [64, 80, 140, 300] {
      let rows = TerminalChart(chart, options: TerminalOptions(width: width, height: 8, ascii: true)).lines().dropFirst(
        2
      )
      .prefix(8).map { Array($0.prefix { $0 != "+" && $0 != "<" }) }
      let columns = (0..<width).filter { column in
        rows.contains { $0.indices.contains(column) && "o#-|".contains($0[column]) && column < $0.count - 1 }
      }
      #expect(columns.count >= 59, "\(Self.kinds[kind].name) in \(width) columns: \(columns.count)")
    }
    let places = SVGChart(chart).marks.compactMap { Double($0.place.prefix { $0 != "," }) }
    let steps = zip(places.dropFirst(), places).map { $0 - $1 }
    #expect(places.count == 60 && (steps.max() ?? 0) - (steps.min() ?? 0) < 0.3)
  }

  @Test func `A day's label stands below the candle that begins nearest to it`() {
    let slots = CandleSlots(Self.series(2, [0, 1, 2, 3, 4, 7, 8]), most: 100)
    // New York's Tuesday begins at 05:00 in UTC; Saturday and Sunday have no candle.
    #expect(slots.slot(nearest: Self.instant("2025-01-07T00:00Z")) == 1)
    #expect(slots.slot(nearest: Self.instant("2025-01-12T00:00Z")) == 6)
    #expect(slots.slot(nearest: Self.instant("2025-01-13T00:00Z")) == 7)
  }
}

@Suite struct `Texts of a picture` {
  @Test func `A pointer sees the time in the chart's zone and the value of every line`() throws {
    let berlin = try #require(ClockZone(offset: "+01:00"))
    let lines = [
      ComparedLine(name: "value", points: Sample.points(["100", "120", "90"])),
      ComparedLine(name: "cost", points: Sample.points(["80", "80"])),
    ]
    let chart = Chart(.amounts(lines), title: "x", zone: berlin)
    let texts = SVGChart(chart).marks.map(\.text)
    #expect(texts.map(\.time) == ["2025-01-15 09:30+01:00", "2025-01-15 10:30+01:00", "2025-01-15 11:30+01:00"])
    #expect(texts.map(\.value) == ["value 100.00", "value 120.00, cost 80.00", "value 90.00, cost 80.00"])
  }

  @Test func `The marks of candles have their four prices, those of nothing are none`() throws {
    let candles = Sample.candles(count: 3, width: .seconds(3600))
    let marks = SVGChart(Sample.candles(candles, width: .seconds(3600))).marks
    let price = { (value: Decimal) in NumberFormat.price(value) }
    #expect(
      marks.map(\.text.value)
        == candles.map { "O \(price($0.open)) H \(price($0.high)) L \(price($0.low)) C \(price($0.close))" })
    #expect(SVGChart(Sample.line([])).marks.isEmpty)
    #expect(SVGChart(Sample.candles([], width: .seconds(3600))).marks.isEmpty)
  }

  @Test func `Marks stand where the line is, from left to right`() throws {
    let points = Sample.points(["1", "3", "2"])
    let places = SVGChart(Sample.line(points)).marks.map { mark in
      mark.place.split(separator: ",").compactMap { Double($0) }
    }
    #expect(places.count == 3 && places.allSatisfy { $0.count == 2 })
    #expect(places[0][0] < places[1][0] && places[1][0] < places[2][0])
    // The page counts from the top.
    #expect(places[1][1] < places[2][1] && places[2][1] < places[0][1])
  }

  @Test func `A sparkline of a page is small, and is not read aloud`() throws {
    let points = Sample.walk(count: 2000, spacing: .seconds(300))
    let markup = try #require(SVGDrawing.sparkline(points)).markup
    #expect(markup.utf8.count < 300 && markup.contains("aria-hidden=\"true\""))
    #expect(markup.contains(try #require(ChartStatistics(line: points)).isPositive ? "rise" : "fall"))
    #expect(SVGDrawing.sparkline(Array(points.prefix(1))) == nil)
    // "m2 26l92-24": a move, then steps; a minus sign separates numbers too.
    #expect(try #require(SVGDrawing.sparkline(Sample.points(["1", "2"]))).markup.contains("d=\"m2 26l92-24\""))
  }

  @Test func `The change in percent is that since the first price of each line`() {
    let line = ComparedLine(name: "x", points: Sample.points(["50", "75", "25"]))
    #expect(line.values(of: line.points, in: .percent).map(\.price.plainText) == ["0", "50", "-50"])
    #expect(line.last(in: .percent) == -50 && line.last(in: .price) == 25)
    #expect(ComparedLine(name: "x", points: []).last(in: .percent) == nil)
    #expect(PriceAxis.Unit.percent.label(-50, digits: nil) == "-50.00%")
    #expect(
      PriceAxis.Unit.price.label(25, digits: 4) == "25.0000" && PriceAxis.Unit.price.label(25, digits: nil) == "25.00")
  }
}

@Suite struct `A picture of any size` {
  private static let credit = "Data provided by CoinGecko"
  private static let conversion = "converted from USD by ecb (2026-11-25)"

  /// Charts whose titles, numbers, names and labels are short and long.
  private static let charts: [Chart] = {
    let subtitle = "coingecko, ecb · fetched 2026-11-25 02:01:17Z · \(credit) · \(conversion)"
    let huge = Sample.points(["12345678901234567890123456789", "12345678901234567890123456791"])
    let names = ["aa", "a coin with a very long name", "cc", "dd", "ee", "ff"]
    let lines = names.map { ComparedLine(name: $0, points: Sample.walk(count: 40, spacing: .seconds(3600))) }
    let candles = Sample.candles(count: 400, width: .seconds(3600))
    let contents: [Chart.Content] = [
      .line(Sample.walk(count: 90, spacing: .seconds(3600))), .line(huge), .line(Sample.points(["1"])), .line([]),
      .candles(CandleSeries(width: .seconds(3600), candles: candles), isLastOpen: true), .comparison(lines),
      .amounts(lines),
    ]
    return contents.flatMap { content in
      [
        Chart(content, title: "x", zone: ClockZone(offset: "+05:30") ?? .utc),
        Chart(
          content, title: names.joined(separator: ", ") + " · 1M · candle 4h (2h wanted) · USD", subtitle: subtitle,
          unit: "USD", warning: "stale, 3h 5m old"),
      ]
    }
  }()

  /// A text of a document: its words, and an upper bound of the places that it covers.
  private struct Text {
    let words: String
    let kind: Substring
    let y: Double
    let left: Double
    let right: Double

    init?(_ attributes: Substring, _ markup: Substring) {
      func value(_ name: String) -> Substring? {
        attributes.firstRange(of: "\(name)=\"").map { attributes[$0.upperBound...].prefix { $0 != "\"" } }
      }
      guard let x = value("x").flatMap({ Double($0) }), let y = value("y").flatMap({ Double($0) }) else { return nil }
      words = String(markup).replacing(/<[^>]*>/, with: "")
      kind = value("class") ?? ""
      self.y = y
      let natural = Double(SVGText.width(words, kind == "title" ? .title : .plain)) * (kind == "tag" ? 1.12 : 1)
      let width = value("textLength").flatMap { Double($0) } ?? natural
      left = x - (value("text-anchor") == "middle" ? width / 2 : value("text-anchor") == "end" ? width : 0)
      right = left + width
    }
  }

  @Test(arguments: charts.indices, [320, 360, 480, 640, 960, 4000])
  func `Nothing is outside, and the source's credit and the rate are whole`(index: Int, width: Int) {
    let chart = Self.charts[index]
    for height in [200, 220, 240, 260, 300, 400, 480, 1000, 4000] {
      let picture = SVGChart(chart, width: width, height: height)
      let document = picture.document()
      let texts = document.matches(of: /<text ([^>]*)>(.*?)<\/text>/).compactMap { Text($0.1, $0.2) }
      let size = "\(width) by \(height)"
      #expect(texts.count > 1 && document.contains("height=\"\(picture.height)\""))
      for text in texts {
        #expect(text.left >= 0 && text.right <= Double(width) + 0.5, "\(size): \(text)")
        #expect(text.y >= 10 && text.y <= Double(picture.height) - 4, "\(size): \(text)")
      }
      let tags = texts.filter { $0.kind == "tag" }.map(\.y).sorted()
      let head = texts.filter { $0.left == (width < 480 ? 16 : 24) && !$0.kind.isEmpty }.map(\.y).max() ?? 0
      #expect(zip(tags, tags.dropFirst()).allSatisfy { $1 - $0 >= 20 })
      #expect(tags.first.map { $0 - 15 > head } ?? true, "\(size): a label covers the titles")
      for part in [Self.credit, Self.conversion] where chart.subtitle.contains(part) {
        // A part is in one line or in two, broken between words.
        #expect(texts.map(\.words).joined(separator: " ").contains(part), "\(size): \(part) is cut off")
      }
      #expect(picture.height == height || height < 300, "\(size): \(picture.height)")
    }
  }

  @Test func `The last price of candles has the colour of the last candle, not of the range`() {
    let rising = CandleDataPoint(timestamp: Sample.now, open: 1, high: 9, low: 1, close: 9)
    let falling = CandleDataPoint(timestamp: Sample.now.adding(.seconds(60)), open: 9, high: 9, low: 5, close: 6)
    let chart = Sample.candles([rising, falling], width: .seconds(60))
    let document = SVGChart(chart).document()
    #expect(document.contains("class=\"last fall\"") && document.contains("class=\"fall-tag\""))
    let rows = TerminalChart(chart, options: TerminalOptions(color: true)).lines()
    #expect(rows.contains { $0.contains("\u{1B}[31m◄ 6\u{1B}[0m") })
  }
}
