import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalModel

@Suite struct `Dates of the calendar` {
  @Test func `Every day of 130 years follows the one before`() throws {
    var last = try #require(CivilTime(year: 1969, month: 12, day: 31))
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for day in 0..<(130 * 365) {
      let civil = CivilTime(Date(milliseconds: Int64(day) * 86_400_000))
      let isLeap = last.year % 4 == 0 && (last.year % 100 != 0 || last.year % 400 == 0)
      let length = last.month == 2 && isLeap ? 29 : lengths[last.month - 1]
      let (expectedDay, isNewMonth) = last.day == length ? (1, true) : (last.day + 1, false)
      #expect(civil.day == expectedDay)
      if isNewMonth {
        #expect(civil.month == last.month % 12 + 1 && civil.year == last.year + (last.month == 12 ? 1 : 0))
      }
      last = civil
    }
  }

  @Test func `An instant is its date and time, before 1970 too`() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<2000 {
      let instant = Date(milliseconds: Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &random))
      #expect(CivilTime(instant).instant == instant)
    }
  }

  @Test(
    arguments: [
      (2023, 2, 29, 0, 0), (2024, 2, 30, 0, 0), (2024, 13, 1, 0, 0), (2024, 0, 1, 0, 0), (0, 1, 1, 0, 0),
      (10_000, 1, 1, 0, 0), (2024, 4, 31, 0, 0), (2024, 1, 1, 24, 0), (2024, 1, 1, 0, 60), (2024, 1, 0, 0, 0),
    ])
  func `An impossible date is refused`(year: Int, month: Int, day: Int, hour: Int, minute: Int) {
    #expect(CivilTime(year: year, month: month, day: day, hour: hour, minute: minute) == nil)
  }

  @Test func `A duration is read as it is written, for all units`() throws {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<500 {
      let milliseconds =
        Int64.random(in: 1...10_000_000, using: &random)
        * [1, 1000, 60_000, 86_400_000][Int.random(in: 0..<4, using: &random)]
      let duration = Duration.milliseconds(milliseconds)
      #expect(Duration(unitText: duration.unitText) == duration)
    }
    #expect(Duration.milliseconds(1200).roundedUp == .seconds(2))
    #expect(Duration.milliseconds(300).roundedUp == .milliseconds(300))
  }
}

@Suite struct `Windows of a chart` {
  private static let end = Date(milliseconds: 1_736_937_000_000)

  @Test func `A narrower window of a cut line is that of the whole line`() {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<200 {
      let points = (0..<100).map { number in
        ChartDataPoint(timestamp: Self.end.adding(.seconds(-600 * (99 - number))), price: Decimal(number + 1))
      }
      let wide = TimeWindow(ending: Self.end, length: .seconds(Int.random(in: 0...60_000, using: &random)))
      let narrow = TimeWindow(
        ending: Self.end, length: .seconds(Int.random(in: 0...60_000, using: &random)))
      guard wide.covers(narrow) else { continue }
      let cut = SeriesRules.cut(points, to: wide)
      #expect(SeriesRules.cut(cut, to: narrow) == SeriesRules.cut(points, to: narrow))
      #expect(cut.allSatisfy { wide.contains($0.timestamp) })
    }
  }

  @Test func `A merged line has each instant once, in order, and all new points`() {
    var random = SeededGenerator(seed: 22)
    func line(_ price: Int) -> LineSeries {
      let numbers = Set((0..<40).map { _ in Int.random(in: 0..<100, using: &random) }).sorted()
      return LineSeries(
        points: numbers.map {
          ChartDataPoint(timestamp: Self.end.adding(.seconds(-60 * (99 - $0))), price: Decimal(price))
        })
    }
    let window = TimeWindow(ending: Self.end, length: .seconds(6000))
    for _ in 0..<100 {
      let (older, newer) = (line(1), line(2))
      let merged = SeriesRules.merge(older, with: newer, in: window).points
      #expect(zip(merged, merged.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
      #expect(merged.filter { $0.price == 2 } == newer.points)
      // What the newer line covers is as it says: what a source has taken back does not stay.
      let first = newer.points[0].timestamp
      #expect(merged.filter { $0.price == 1 } == older.points.dropLast().filter { $0.timestamp < first })
    }
  }

  @Test(
    arguments: [
      (3600, 60), (12_000, 60), (12_001, 300), (86_400, 900), (7 * 86_400, 3600), (30 * 86_400, 14_400),
      (200 * 86_400, 86_400), (201 * 86_400, 7 * 86_400),
    ])
  func `A stretch of time has candles of a usual width, at most two hundred`(seconds: Int, width: Int) {
    let start = Self.end.adding(.seconds(-seconds))
    let range = ChartTimeRange.between(start, nil, now: Self.end, name: "x")
    #expect(range.candle == .seconds(width))
    #expect(range.timeWindow(at: Self.end) == TimeWindow(start: start, end: Self.end).named(in: .utc))
    #expect(range.with(candle: .seconds(60)).timeWindow(at: Self.end) == range.timeWindow(at: Self.end))
  }
}

@Suite struct `Notations of text` {
  @Test func `A word of a shell is quoted only where it must be`() {
    #expect(ShellWord("--now=2025-01-15T10:30Z").description == "--now=2025-01-15T10:30Z")
    #expect("'\u{301}; rm".doubling("'").unicodeScalars.elementsEqual("''\u{301}; rm".unicodeScalars))
    #expect(ShellWord("'\u{301}; rm").description.unicodeScalars.elementsEqual("''\\''\u{301}; rm'".unicodeScalars))
    for (text, word) in [("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("$HOME", "'$HOME'"), ("ü", "'ü'")] {
      #expect(ShellWord(text).description == word)
    }
  }

  @Test func `JSON escapes the controls of a terminal and of a page only for those`() {
    let text = "\u{9B}31m\u{202E}</script>\u{2028}\"\\\n\u{0}"
    #expect(JSONText.quoted(text) == "\"\u{9B}31m\u{202E}</script>\u{2028}\\\"\\\\\\n\\u0000\"")
    #expect(JSONText.quoted(text, .terminal) == "\"\\u009b31m\\u202e</script>\\u2028\\\"\\\\\\n\\u0000\"")
    #expect(
      JSONText.quoted(text, .html) == "\"\u{9B}31m\u{202E}\\u003c/script\\u003e\\u2028\\\"\\\\\\n\\u0000\"")
  }

  @Test func `XML has its reserved characters as entities, and a block of YAML only printable ones`() {
    #expect(XMLText.escaped("a<b & \"c\">") == "a&lt;b &amp; \"c\"&gt;")
    #expect(XMLText.escaped("\"", quotes: true) == "&quot;")
    // With a combining mark a quote is another Character, but the same quote for a parser.
    #expect(XMLText.escaped("\"\u{301} <\u{338}", quotes: true) == "&quot;\u{301} &lt;\u{338}")
    for text in ["a\nb", "ü €", "🚀".filter { _ in false }] { #expect(YAMLText.canHold(text)) }
    for text in ["a\tb", "\u{7}", "\u{FEFF}", "\u{2028}", "\r"] { #expect(!YAMLText.canHold(text)) }
  }

  @Test func `Any text comes back from a field of CSV`() {
    var random = SeededGenerator(seed: 5)
    let characters: [Character] = ["=", "+", "-", "@", "'", "\"", ",", "\n", "\t", "a", "1", ".", " ", "\u{FF1D}"]
    for _ in 0..<2000 {
      let text = String(
        (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in characters.randomElement(using: &random) })
      var field = CSVField.text(text)
      if field.first == "\"" { field = String(field.dropFirst().dropLast()).replacing("\"\"", with: "\"") }
      #expect(CSVField.unguarded(field) == text)
    }
  }
}
