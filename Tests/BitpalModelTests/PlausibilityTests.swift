import BitpalModel
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Prices that are hardly ever true` {
  /// Monday, 2025-01-06.
  private static let monday = Date(timeIntervalSince1970: 1_736_121_600)

  /// Returns the closes of the days from Monday on; of a market that pauses, without weekends.
  private func closes(_ prices: [String], pauses: Bool = false) throws -> [ChartDataPoint] {
    var day = 0
    return try prices.map { text in
      while pauses, day % 7 > 4 { day += 1 }
      defer { day += 1 }
      return ChartDataPoint(
        timestamp: Self.monday.addingTimeInterval(Double(day) * 86_400), price: try Decimal(strict: text))
    }
  }

  private func findings(_ prices: [String], pauses: Bool = false) throws -> [Implausibility] {
    Plausibility.findings(in: try closes(prices, pauses: pauses), isDaily: true, pauses: pauses)
  }

  @Test(arguments: [
    (["640", "612.2", "6.17", "5.854"], true), (["6.17", "5.85", "582"], true), (["1", "96"], false),
    (["1", "98"], true), (["1", "102"], true), (["1", "103"], false), (["0.00001", "0.001"], true),
  ])
  func `A step by a hundred, within two percent, is a change of the unit`(prices: [String], isFound: Bool) throws {
    #expect(try findings(prices).isEmpty == !isFound)
  }

  @Test(
    arguments: [
      ("8685.55", "805.95", 120, "from 8,685.55 to 805.95 within 2m: one of the two may be wrong"),
      ("1", "5", 3600, "from 1 to 5 within 1h: one of the two may be wrong"), ("1", "5", 3601, nil),
      ("1", "4.99", 0, nil),
      (
        "1", "100", 86_400,
        "from 1 to 100 on 2025-01-06, a hundred times as much: one of the two may be in another unit, such as pence"
      ),
    ] as [(String, String, Int64, String?)])
  func `A price of five times as much, or a fifth, within an hour is a leap`(
    earlier: String, later: String, seconds: Int64, text: String?
  ) throws {
    let finding = Plausibility.finding(
      from: try Decimal(strict: earlier), to: try Decimal(strict: later), after: .seconds(seconds), now: Self.monday)
    #expect(finding?.description == text)
  }

  @Test func `A split is missing where a share is calm before and after`() throws {
    let before = ["499", "503", "500"]
    let after = ["125.1", "124", "126"]
    let found = try #require(try findings(before + after, pauses: true).first)
    #expect(found.description == "from 500 to 125.1 on 2025-01-09, 4 times less: a split may be missing")
    // Markets do this: a coin that falls to a quarter, a share that has fallen for days, and a fall by some other part.
    #expect(try findings(before + after).isEmpty)
    #expect(try findings(["900", "700", "500", "125.1", "124", "126"], pauses: true).isEmpty)
    #expect(try findings(before + ["310", "305", "311"], pauses: true).isEmpty)
  }

  @Test func `A source that stands still repeats a price with many digits`() throws {
    let moving = (1...100).map { "10\($0).37" }
    let still = try findings(moving + Array(repeating: "96841.32", count: 8) + moving)
    #expect(
      still == [.repeated(try Decimal(strict: "96841.32"), days: 8, from: Self.monday.addingTimeInterval(100 * 86_400))]
    )
    #expect(try findings(moving + Array(repeating: "96841.32", count: 7)).isEmpty)
    // A coin that is tied to the dollar, and a thing with little trade.
    #expect(try findings(moving + Array(repeating: "1.001", count: 30)).count == 1)
    #expect(try findings(moving + Array(repeating: "1.00", count: 30)).isEmpty)
    #expect(
      try findings((1...40).flatMap { Array(repeating: "5\($0).123", count: 3) } + Array(repeating: "77.123", count: 9))
        .isEmpty)
  }

  @Test func `A row on a weekend is odd only where there are hardly any`() throws {
    var shares = try closes((1...60).map { "1\($0)" }, pauses: true)
    #expect(Plausibility.findings(in: shares, isDaily: true, pauses: true).isEmpty)
    let saturday = Self.monday.addingTimeInterval(5 * 86_400)
    shares.insert(ChartDataPoint(timestamp: saturday, price: 15), at: 5)
    #expect(Plausibility.findings(in: shares, isDaily: true, pauses: true) == [.closedDays([saturday])])
    #expect(try findings((1...60).map { "1\($0)" }, pauses: false).isEmpty)
  }

  @Test func `A rate that a central bank holds for weeks is not odd, but the price of a coin is`() throws {
    let points = (0..<400).map { day in
      let held = (100..<140).contains(day)
      return ChartDataPoint(
        timestamp: Self.monday.addingTimeInterval(Double(day) * 86_400),
        price: held ? Decimal(27_020) / 1000 : Decimal(27_000 + day * 7 % 101) / 1000)
    }
    #expect(Plausibility.findings(in: points, isDaily: true, pauses: false, isRate: true) == [])
    #expect(Plausibility.findings(in: points, isDaily: true, pauses: false).count == 1)
  }

  @Test func `Prices that walk at random are never odd`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      var price: Decimal = 100
      let points = (0..<400).map { day -> ChartDataPoint in
        price *= 1 + Decimal(Int.random(in: -90...100, using: &random)) / 1000
        return ChartDataPoint(
          timestamp: Self.monday.addingTimeInterval(Double(day) * 86_400), price: price.rounded(scale: 6))
      }
      #expect(Plausibility.findings(in: points, isDaily: true, pauses: false) == [])
    }
  }
}
