import BitpalModel
import BitpalProviders
import FoundationEssentials
import Testing

@testable import Bitpal

@Suite struct `Refusals of a moment ago` {
  private func refusal(wait: Duration?) throws -> BitpalError {
    let limit = try #require(RateLimit(limit: 30, window: .seconds(60)))
    return .budgetUsed(provider: "coingecko", used: 30, limit: limit, wait: wait)
  }

  @Test func `A refusal holds until there is room, and for at most a second`() throws {
    let refusals = Refusals()
    #expect(refusals.refusal(by: "coingecko", at: .zero) == nil)
    let short = try refusal(wait: .milliseconds(300))
    refusals.note(short, by: "coingecko", at: .seconds(10))
    #expect(refusals.refusal(by: "coingecko", at: .milliseconds(10_299)) == short)
    #expect(refusals.refusal(by: "coingecko", at: .milliseconds(10_300)) == nil)
    #expect(refusals.refusal(by: "kraken", at: .seconds(10)) == nil)
    refusals.note(try refusal(wait: .seconds(40)), by: "coingecko", at: .seconds(20))
    #expect(refusals.refusal(by: "coingecko", at: .milliseconds(20_999)) != nil)
    #expect(refusals.refusal(by: "coingecko", at: .seconds(21)) == nil)
  }

  @Test func `A failure without a time to wait for is not remembered`() throws {
    let refusals = Refusals()
    refusals.note(try refusal(wait: nil), by: "coingecko", at: .zero)
    refusals.note(.notFound(coin: "x", provider: "coingecko"), by: "coingecko", at: .zero)
    #expect(refusals.refusal(by: "coingecko", at: .zero) == nil)
  }
}

@Suite struct `Coins that requests under way carry along` {
  private let now = Date(milliseconds: 1_736_937_000_000)

  @Test func `No other request carries them until they are released`() {
    let recent = RecentCoins()
    let keys = ["a", "b", "c"].map { AnswerKey(provider: "p", kind: .quote, coin: $0, currency: "usd") }
    recent.note(keys.map { ($0, nil) }, at: now, for: .seconds(60))
    func reserve(_ count: Int) -> [String] {
      recent.reserve(at: "p", in: "usd") { Array($0.map(\.coin).sorted().prefix(count)) }
    }
    #expect(reserve(2) == ["a", "b"])
    recent.note([(keys[0], nil)], at: now, for: .seconds(60))
    #expect(reserve(3) == ["c"])
    #expect(reserve(3) == [])
    recent.release(Array(keys.prefix(2)))
    #expect(reserve(3) == ["a", "b"])
  }
}
