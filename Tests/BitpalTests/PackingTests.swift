import BitpalModel
import BitpalProviders
import FoundationEssentials
import Testing

@testable import Bitpal

@Suite struct `Filling a request` {
  private let now = Date(milliseconds: 1_736_937_000_000)

  private func candidate(_ coin: String, asked: Int = 10, fetched: Int?) -> Packing.Candidate {
    Packing.Candidate(
      coin: coin, askedAt: now.adding(.seconds(-asked)), fetchedAt: fetched.map { now.adding(.seconds(-$0)) })
  }

  private func packing(coins: Int = 10, bytes: Int = 1000) -> Packing {
    Packing(room: BatchRoom(coins: coins, bytes: bytes), timeToLive: .seconds(60))
  }

  @Test func `The coins that expire first are carried along, and of equal ones the first by name`() {
    let others = [
      candidate("c", fetched: 40), candidate("a", fetched: 50), candidate("b", fetched: 50),
      candidate("d", fetched: 90),
    ]
    #expect(packing().companions(of: ["x"], among: others, at: now) == ["d", "a", "b", "c"])
    #expect(packing(coins: 3).companions(of: ["x"], among: others, at: now) == ["d", "a"])
    let refused = others + [candidate("z", fetched: nil)]
    #expect(packing(coins: 3).companions(of: ["x"], among: refused, at: now) == ["z", "d"])
  }

  @Test func `A coin without interest within the time to live is not a companion`() {
    let others = [candidate("old", asked: 61, fetched: 90), candidate("new", asked: 60, fetched: 90)]
    #expect(packing().companions(of: ["x"], among: others, at: now) == ["new"])
  }

  @Test func `A coin with more than half of its time left, and one that is asked for, is not carried along`() {
    let others = [candidate("x", fetched: 59), candidate("half", fetched: 30), candidate("young", fetched: 29)]
    #expect(packing().companions(of: ["x"], among: others, at: now) == ["half"])
  }

  @Test func `A request never becomes two: neither by coins nor by the bytes of its URL`() {
    let others = [candidate("a-long-name", fetched: 50), candidate("ab", fetched: 40), candidate("[]", fetched: 35)]
    // "xy," has three bytes, "a-long-name," twelve, "ab," three, "%5B%5D," seven.
    #expect(packing(bytes: 6).companions(of: ["xy"], among: others, at: now) == ["ab"])
    #expect(packing(bytes: 15).companions(of: ["xy"], among: others, at: now) == ["a-long-name"])
    #expect(packing(bytes: 12).companions(of: ["xy"], among: others, at: now) == ["ab"])
    #expect(packing(bytes: 13).companions(of: ["xy"], among: others, at: now) == ["ab", "[]"])
    #expect(packing(coins: 2).companions(of: ["x", "y"], among: others, at: now).isEmpty)
    #expect(packing(coins: 2).companions(of: ["x", "y", "z"], among: others, at: now).isEmpty)
    #expect(packing(bytes: 3).companions(of: ["xy", "z"], among: others, at: now).isEmpty)
  }
}

@Suite struct `A budget of 30 per minute under many questions` {
  /// A source behind a sliding window of 30 requests per minute, and prices that are fresh for a minute.
  private struct Market {
    let packing: Packing?
    var asked: [String: Date] = [:]
    var fetched: [String: Date] = [:]
    var sent: [Date] = []

    /// Asks for a coin, and returns whether its price is fresh.
    mutating func ask(_ coin: String, at now: Date) -> Bool {
      asked[coin] = now
      if let last = fetched[coin], now.since(last) <= .seconds(60) { return true }
      sent.removeAll { now.since($0) >= .seconds(60) }
      guard sent.count < 30 else { return false }
      sent.append(now)
      let candidates = asked.map { Packing.Candidate(coin: $0, askedAt: $1, fetchedAt: fetched[$0]) }
      for other in [coin] + (packing?.companions(of: [coin], among: candidates, at: now) ?? []) { fetched[other] = now }
      return true
    }
  }

  /// Returns the percentage of fresh answers in ten minutes of five questions per second about 400 coins, the n-th of which
  /// is asked for 1/n times as often as the first; those of the first minute are not counted.
  private func freshShare(_ packing: Packing?) -> Int {
    var market = Market(packing: packing)
    let weights = (1...400).map { 1 / Double($0) }
    let total = weights.reduce(0, +)
    var state: UInt64 = 42
    var (fresh, all) = (0, 0)
    for step in 0..<3000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var rest = Double(state >> 11) / Double(1 << 53) * total
      let coin = weights.firstIndex { weight in
        rest -= weight
        return rest < 0
      }
      let isFresh = market.ask("coin-\(coin ?? 0)", at: Date(milliseconds: Int64(step) * 200))
      guard step >= 300 else { continue }
      all += 1
      if isFresh { fresh += 1 }
    }
    return fresh * 100 / all
  }

  @Test func `Filled requests answer more than five of six questions freshly, and others about half`() {
    let alone = freshShare(nil)
    let filled = freshShare(Packing(room: BatchRoom(coins: 250, bytes: 3700), timeToLive: .seconds(60)))
    #expect((40...60).contains(alone), "\(alone)")
    #expect(filled >= 85, "\(filled)")
  }
}
