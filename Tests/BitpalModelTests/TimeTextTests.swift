import BitpalModel
import FoundationEssentials
import Testing

@Suite struct `Ranges in titles` {
  @Test(arguments: [
    ("15M", "15 minutes"), ("1H", "one hour"), ("4H", "four hours"), ("1D", "one day"), ("1W", "one week"),
    ("1M", "one month"), ("3M", "three months"), ("6M", "six months"), ("YTD", "this year"), ("1Y", "one year"),
    ("5Y", "five years"), ("MAX", "all of it"),
  ])
  func `A standard range is spelled out, also where its year has begun`(name: String, title: String) throws {
    let range = try #require(ChartTimeRange.standard.named(name))
    #expect(range.spelledOut == title)
    #expect(range.standing(at: Date(milliseconds: 1_736_899_200_000), in: .utc).spelledOut == title)
  }

  @Test(arguments: [
    ("36h", "36 hours"), ("48h", "two days"), ("14d", "two weeks"), ("60d", "60 days"), ("12d", "twelve days"),
    ("2y", "two years"), ("366d", "one year"), ("367d", "367 days"), ("100w", "100 weeks"), ("100y", "100 years"),
  ])
  func `A length is spelled out in the largest unit that divides it`(name: String, title: String) throws {
    let length = try #require(ChartTimeRange.length(name))
    #expect(ChartTimeRange.lasting(length, now: Date(milliseconds: 0), name: name).spelledOut == title)
  }

  @Test func `A range from day to day keeps its name`() {
    let day = Date(milliseconds: 1_736_899_200_000)
    let range = ChartTimeRange.between(day, nil, now: day.adding(.seconds(86_400)), name: "since 2025-01-15")
    #expect(range.spelledOut == "since 2025-01-15")
  }
}

@Suite struct `Instants as text` {
  @Test(arguments: [
    ("2025-01-15", 1_736_899_200_000), ("2025-01-15T10:30:00Z", 1_736_937_000_000),
    ("2025-01-15 10:30Z", 1_736_937_000_000),
    ("2025-01-15T12:30:00+02:00", 1_736_937_000_000), ("2025-01-15T08:30:00-0200", 1_736_937_000_000),
    ("2024-01-15T08:54:30.919Z", 1_705_308_870_919),
    ("2024-01-15T08:54:30.9191234Z", 1_705_308_870_919), ("2024-01-15T08:54:30.5Z", 1_705_308_870_500),
    ("2024-02-29", 1_709_164_800_000),
    ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1000), ("2016-12-31T23:59:60Z", 1_483_228_799_000),
    ("0001-01-01", -62_135_596_800_000),
  ])
  func `ISO 8601 in its usual forms is read, without a zone as UTC`(text: String, milliseconds: Int64) {
    #expect(Date(utcText: text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "2025", "2025-1-15", "2025-02-29", "2025-13-01", "2025-01-15T", "2025-01-15T25:00Z", "2025-01-15T10:60Z",
    "2025-01-15Z10:00", "tomorrow", "2025-01-15T10:30:00.Z",
    "2025-01-15T10:30:00+24:00", "2025-01-15T10:30:00 Z", "２０２５-01-15", "0000-01-01",
  ])
  func `Anything else is refused`(text: String) {
    #expect(Date(utcText: text) == nil)
  }

  @Test func `Written times are read back, over four thousand years`() {
    var milliseconds: Int64 = -62_135_596_800_000
    while milliseconds < 253_402_300_799_999 {
      let instant = Date(milliseconds: milliseconds)
      #expect(Date(utcText: instant.iso8601)?.milliseconds == milliseconds)
      milliseconds += 86_400_000 * 397 + 12_345_678
    }
  }

  @Test func `The forms for people and for programs`() {
    let instant = Date(milliseconds: 1_736_937_000_123)
    #expect(instant.iso8601 == "2025-01-15T10:30:00.123Z")
    #expect(instant.utcText == "2025-01-15 10:30:00Z")
    #expect(instant.utcMinuteText == "2025-01-15 10:30Z")
    #expect(Date(milliseconds: 0).iso8601 == "1970-01-01T00:00:00Z")
  }

  @Test(arguments: [
    ("30s", 30_000), ("5m", 300_000), ("4h", 14_400_000), ("7d", 604_800_000), ("250ms", 250), ("2w", 1_209_600_000),
    ("0s", 0),
  ])
  func `Durations are a whole number and a unit`(text: String, milliseconds: Int64) throws {
    #expect(try #require(Duration(unitText: text)).milliseconds == milliseconds)
  }

  @Test(arguments: ["", "5", "m", "-5s", "1.5h", "5 m", "5M", "99999999999999999999s", "9223372036854775807w"])
  func `Other durations are refused`(text: String) {
    #expect(Duration(unitText: text) == nil)
  }

  @Test(arguments: [
    (Duration.milliseconds(90), "90ms"), (.milliseconds(340), "0.3s"), (.seconds(45), "45s"), (.seconds(200), "3m 20s"),
    (.seconds(7500), "2h 5m"),
    (.seconds(273_600), "3d 4h"), (.zero, "0s"), (.seconds(3600), "1h"), (.seconds(3601), "1h"),
  ])
  func `Ages are short`(duration: Duration, text: String) {
    #expect(duration.shortText == text)
  }

  @Test(arguments: ["30s", "5m", "90s", "4h", "7d", "250ms", "365d", "0s"])
  func `A duration prints as it is written in settings`(text: String) {
    #expect(Duration(unitText: text)?.unitText == text)
  }
}
