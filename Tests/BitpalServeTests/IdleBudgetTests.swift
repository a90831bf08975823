import BitpalModel
import Testing

@testable import BitpalServe

@Suite struct `Budget of open pages` {
  @Test(arguments: [(5, 1, 2), (30, 1, 15), (100, 3, 50), (10, 5, 5), (20, 30, 10), (2, 9, 1)])
  func `No window holds more than half of the limit`(limit: Int, requests: Int, most: Int) throws {
    let rate = try #require(RateLimit(limit: limit, window: .seconds(60)))
    var budget = IdleBudget([rate])
    let sent = (0..<600).map { budget.take(upTo: requests, at: .seconds($0)) }
    for start in 0..<600 { #expect(sent[start..<min(start + 60, 600)].reduce(0, +) <= most) }
    // All of the half is used.
    #expect(sent.reduce(0, +) == most * 10)
  }

  @Test func `Streams use every second request of a limit of one`() {
    var budget = IdleBudget([.perMinute(1)])
    let sent = (0..<600).filter { budget.take(upTo: 9, at: .seconds($0)) > 0 }
    #expect(sent == [0, 120, 240, 360, 480])
  }

  @Test func `Several limits all apply, and without a limit streams are not limited`() throws {
    let day = try #require(RateLimit(limit: 6, window: .seconds(86_400)))
    var both = IdleBudget([.perMinute(100), day])
    let sent = ([0, 1, 2, 3, 4, 86_399, 86_400]).filter { both.take(upTo: 1, at: .seconds($0)) > 0 }
    #expect(sent == [0, 1, 2, 86_400])
    var none = IdleBudget([])
    let isFree = (0..<10).allSatisfy { _ in none.take(upTo: 100, at: .zero) == 100 }
    #expect(isFree)
  }
}
