import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials
import ProviderFiles
import Testing

@Suite struct `Days of a zone` {
  private static func file(_ days: String, _ operation: String = "candles") -> String {
    let fields = operation == "line" ? "price: \"$[4]\"" : #"open: "$[1]", high: "$[2]", low: "$[3]", close: "$[4]""#
    return """
      \(operation):
        get: /d/{interval}
        intervals: { 1h: h, 1d: d, 7d: w }
        time: seconds
        days: \(days)
        each: $.rows
        fields: { time: "$[0]", \(fields) }
      """
  }

  private func candles(
    _ days: String, _ body: String, width: Duration = .seconds(86_400)
  ) throws -> CandleSeries {
    try Declared(Self.file(days)).dialect().candles(
      "b", currency: "usd", window: Declared.window(.seconds(86_400 * 9)), width: width,
      from: HTTPResponse(status: 200, body: Array(body.utf8))
    ).value
  }

  private static let summerAndWinter = #""rows":[[1751860800,1,3,1,2],[1768453200,2,4,2,3]]"#

  @Test(arguments: [
    "America/New_York", "$.zone", "\":body->>'$.zone'\"", "\"iif(:id = 'b', 'America/New_York', 'UTC')\"",
  ])
  func `A row is of the date that the zone's clocks show, in both seasons`(days: String) throws {
    let series = try candles(days, #"{"zone":"America/New_York",\#(Self.summerAndWinter)}"#)
    #expect(series.candles.map(\.timestamp.dayText) == ["2025-07-07", "2026-01-15"])
    #expect(!series.isLastOpen(at: Date(milliseconds: 1_768_539_600_000)))
    #expect(series.isLastOpen(at: Date(milliseconds: 1_768_539_599_000)))
  }

  @Test func `An offset is a zone without seasons`() throws {
    let series = try candles("+08:00", #"{"rows":[[1751817600,1,3,1,2],[1768492800,2,4,2,3]]}"#)
    #expect(series.candles.map(\.timestamp.dayText) == ["2025-07-07", "2026-01-16"])
  }

  @Test func `The newest trading is part of its day and of its week`() throws {
    let body = #"{"rows":[[1768453200,2,4,2,3],[1768510800,3,5,1,4]]}"#
    for width in [Duration.seconds(86_400), .seconds(7 * 86_400)] {
      let series = try candles("America/New_York", body, width: width)
      #expect(
        series.candles == [
          CandleDataPoint(timestamp: Date(milliseconds: 1_768_435_200_000), open: 2, high: 5, low: 1, close: 4)
        ])
    }
  }

  @Test func `Narrower candles keep their instants`() throws {
    let series = try candles(
      "America/New_York", #"{"rows":[[1768453200,2,4,2,3],[1768456800,2,4,2,3]]}"#, width: .seconds(3600))
    #expect(series.candles.map(\.timestamp.milliseconds) == [1_768_453_200_000, 1_768_456_800_000])
  }

  @Test func `A missing or unknown zone is not guessed, and none is needed at midnight`() throws {
    func failure(_ zone: String) throws -> String {
      try Declared(Self.file("$.zone")).failure(
        of: .candles(
          coin: "b", currency: "usd", window: Declared.window(.seconds(86_400 * 9)), width: .seconds(86_400)),
        body: "{\(zone)\(Self.summerAndWinter)}")
    }
    let start = "mine sent an answer that cannot be read: whose day 2025-07-07T04:00:00Z belongs to is unknown: "
    #expect(try failure("") == start + "$.zone matches nothing (mine.yaml:10)")
    #expect(
      try failure(#""zone":"America/NewYork","#)
        == start + "unknown time zone \"America/NewYork\"; did you mean America/New_York? (mine.yaml:10)")
    #expect(try candles("$.zone", #"{"rows":[[1768435200,2,4,2,3]]}"#).candles.count == 1)
  }

  @Test func `A line that says whose days it has is one of closes`() throws {
    let line = try Declared(Self.file("Asia/Tokyo", "line")).dialect().line(
      "b", currency: "usd", window: Declared.window(.seconds(86_400 * 900)),
      from: HTTPResponse(status: 200, body: Array(#"{"rows":[[1751814000,0,0,0,2],[1751900400,0,0,0,3]]}"#.utf8))
    ).value
    #expect(line.isDaily && line.points.map(\.timestamp.dayText) == ["2025-07-07", "2025-07-08"])
  }
}
