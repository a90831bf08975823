import BitpalModel
import Testing

@testable import BitpalServe

@Suite struct `What open pages may ask` {
  @Test(arguments: [(5, 1, 2), (30, 1, 15), (100, 3, 50), (10, 5, 5)])
  func `No window holds more than half of the limit`(limit: Int, requests: Int, most: Int) throws {
    let rate = try #require(RateLimit(limit: limit, window: .seconds(60)))
    var budget = IdleBudget([rate])
    var sent: [Int] = []
    for second in 0..<600 where budget.take(requests, at: .seconds(second)) { sent.append(second) }
    for start in 0..<600 {
      #expect(sent.filter { ($0 - start) >= 0 && $0 - start < 60 }.count * requests <= most)
    }
    // All of the half is used.
    #expect(sent.count * requests >= most / requests * requests * 10)
  }

  @Test func `A refresh that needs more than half goes as rarely as makes the average half`() throws {
    var budget = IdleBudget([.perMinute(5)])
    let sent = (0..<600).filter { budget.take(9, at: .seconds($0)) }
    // 9 requests are 1.8 windows, so one refresh per 3.6 windows.
    #expect(sent == [0, 216, 432])
  }

  @Test func `Of several limits all hold, and without one there is none`() throws {
    let day = try #require(RateLimit(limit: 6, window: .seconds(86_400)))
    var both = IdleBudget([.perMinute(100), day])
    let sent = ([0, 1, 2, 3, 4, 86_399, 86_400]).filter { both.take(1, at: .seconds($0)) }
    #expect(sent == [0, 1, 2, 86_400])
    var none = IdleBudget([])
    let isFree = (0..<10).allSatisfy { _ in none.take(100, at: .zero) }
    #expect(isFree)
  }
}
