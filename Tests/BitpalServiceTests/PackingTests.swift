import BitpalModel
import BitpalProviders
import FoundationEssentials
import Testing

@testable import BitpalService

@Suite struct `Filling a request` {
  private let now = Date(milliseconds: 1_736_937_000_000)

  private func candidate(_ coin: String, asked: Int = 10, fetched: Int) -> Packing.Candidate {
    Packing.Candidate(
      coin: coin, askedAt: now.adding(.seconds(-asked)), fetchedAt: now.adding(.seconds(-fetched)))
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
  }

  @Test func `A coin that nobody asked for within the time to live is not carried along`() {
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
