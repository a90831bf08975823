import BitpalModel
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `A price on which sources agree` {
  private let rule = AgreementRule(atLeast: 3)

  private func votes(_ prices: [String]) throws -> [AgreementRule.Vote] {
    try prices.enumerated().map { .init(source: "s\($0)", price: try Decimal(strict: $1)) }
  }

  @Test(arguments: [
    (["100", "100.4", "100.2"], "100.2", []), (["100", "100.1", "100.2", "100.4"], "100.15", []),
    (["100", "100.1", "100.2", "10000"], "100.1", ["s3"]), (["1", "100", "100.1", "100.2", "100.3"], "100.15", ["s0"]),
    // Exactly 1 % above the median counts, and the smallest digit more does not.
    (["99", "100", "101"], "100", []),
    (["100", "100", "100", "101.00000000000000000000000000000000001"], "100", ["s3"]),
    (
      ["0.000000000000000000012", "0.000000000000000000012", "0.0000000000000000000121"], "0.000000000000000000012", []
    ),
    (["3e100", "3e100", "3.01e100"], "3e100", []),
  ])
  func `The median of the prices near the median of all`(prices: [String], median: String, leftOut: [String]) throws {
    let agreement = rule.judge(try votes(prices.map { Decimal(string: $0)?.plainText ?? $0 }))
    #expect(agreement.median == Decimal(string: median))
    #expect(agreement.leftOut.map(\.source) == leftOut)
    #expect(agreement.isReached == (agreement.counted.count >= 3))
  }

  @Test func `A source that republishes another counts once, and names it`() throws {
    let agreement = rule.judge([
      .init(source: "a", price: 10), .init(source: "b", origin: "a", price: 10), .init(source: "c", price: 10),
    ])
    #expect(agreement.counted.map(\.source) == ["a", "c"])
    #expect(agreement.leftOut == [.init(source: "b", price: 10, reason: "the same prices as a")])
    #expect(!agreement.isReached)
  }

  @Test func `A price with a fault, at zero or below never counts`() {
    let agreement = rule.judge([
      .init(source: "a", price: 10, fault: "stale, 3h old"), .init(source: "b", price: 0),
      .init(source: "c", price: -10), .init(source: "d", price: nil, fault: "busy"), .init(source: "e", price: .nan),
    ])
    #expect(agreement.counted.isEmpty && agreement.median == nil && agreement.low == nil)
    #expect(agreement.leftOut.map(\.reason) == ["stale, 3h old", "no price", "no price", "busy", "no price"])
    #expect(agreement.text.hasPrefix("no price counts; left out: a 10 (stale, 3h old)"))
  }

  @Test func `Two liars of five never move the answer by half a percent, and honest sources are refused rarely`() throws
  {
    var random = SeededGenerator(seed: 20_261_126)
    var refusedAmongHonest = 0
    var honestRounds = 0
    for round in 0..<10_000 {
      let truth = Decimal(Int.random(in: 1...9_999_999, using: &random)) / 100
      let liars = Set((0..<round % 3).map { _ in Int.random(in: 0..<5, using: &random) })
      let votes = (0..<5).map { place -> AgreementRule.Vote in
        // Honest exchanges of a liquid coin lie within a few tenths of a percent.
        let noise = Decimal(Int.random(in: -150...150, using: &random)) / 100_000
        let honest = truth * (1 + noise)
        return liars.contains(place)
          ? lie(about: truth, honest, place: place, &random) : .init(source: "s\(place)", price: honest)
      }
      let agreement = rule.judge(votes)
      let shuffled = rule.judge(votes.shuffled(using: &random))
      #expect(shuffled.median == agreement.median && shuffled.counted.count == agreement.counted.count)
      if liars.isEmpty { honestRounds += 1 }
      guard agreement.isReached else {
        if liars.isEmpty { refusedAmongHonest += 1 }
        continue
      }
      let median = try #require(agreement.median)
      let distance = abs(median - truth) / truth
      #expect(distance * 200 <= 1, "round \(round): \(truth) became \(median), \(agreement.text)")
    }
    #expect(refusedAmongHonest * 100 <= honestRounds, "\(refusedAmongHonest) of \(honestRounds) honest rounds refused")
  }

  /// Returns one of the ways in which sources were seen to be wrong.
  private func lie(
    about truth: Decimal, _ honest: Decimal, place: Int, _ random: inout SeededGenerator
  ) -> AgreementRule.Vote {
    let source = "s\(place)"
    let move = Decimal(Int.random(in: -900...900, using: &random)) / 10_000
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return .init(source: source, price: honest * 100)
    case 1: return .init(source: source, price: 1 / honest)
    // Frozen some time ago, without a time of its own.
    case 2: return .init(source: source, price: truth * (1 + move))
    case 3: return .init(source: source, price: truth * (1 + move), fault: "outdated, 1d old")
    case 4: return .init(source: source, price: Decimal(Int.random(in: 1...1_000_000, using: &random)) / 1000)
    case 5: return .init(source: source, price: 0)
    default:
      return .init(source: source, price: truth * (Bool.random(using: &random) ? 103 : 97) / 100)
    }
  }
}
