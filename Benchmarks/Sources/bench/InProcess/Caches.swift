import BitpalCache
import BitpalModel
import BitpalRateLimit
import Foundation

/// The two tiers and a budget.
struct Caches {
  private let folder: String

  init(_ world: World) {
    folder = world.home
  }

  func table() async throws -> Table {
    let cache = PriceCache(path: folder + "/tiers.db", memoryLimit: 1 << 20, diskLimit: 1 << 24) { print($0) }
    let key = AnswerKey(provider: "p", kind: .quote, coin: "bitcoin", currency: "usd")
    let coin = try Coin(
      validating: "bitcoin", symbol: "btc", name: "Bitcoin", currentPrice: Decimal(strict: "67187.3358936566"),
      priceChangePercentage24h: Decimal(strict: "3.12502"), lastUpdated: Date(milliseconds: 1_736_937_000_000))
    let answer = Sourced(
      Answer.quote(coin), about: key, source: "p", fetchedAt: Date(milliseconds: 1_736_937_000_000))
    cache.store([answer])
    let dictionary = [key: answer]
    let file = folder + "/row"
    try Data(count: 200).write(to: URL(fileURLWithPath: file))
    let limiter = BudgetLimiter(provider: "p", limits: [RateLimit.perMinute(RateLimit.largest)])

    let memory = try await Measurement.inTurns(
      repeated { _ = cache.answer(for: key) }, repeated { _ = dictionary[key]?.fetchedAt })
    let disk = try await Measurement.inTurns(
      repeated { _ = cache.answersLeftByOthers(for: [key], newEnoughFrom: .distantPast) }, repeated { Self.read(file) })
    var budget = RequestBudget([RateLimit.perMinute(RateLimit.largest)])
    let start = SystemTime().monotonic
    let take = try await Measurement.inTurns(
      repeated { _ = budget.take(at: start, patience: nil) },
      repeated { try await limiter.acquire(deadline: nil) }, repeated { _ = ContinuousClock.now })
    return Table(
      "Cache and budget, in process",
      [
        .limit("memory-tier hit", memory[0], .nanoseconds(500), "look-up in a Dictionary", memory[1]),
        .limit("SQLite-tier hit", disk[0], .microseconds(15), "open, read, close a 200-byte file", disk[1]),
        .limit("token taken, of the budget as a value", take[0], .nanoseconds(200), "reading the clock", take[2]),
        .limit(
          "token acquired of a limiter: clock, lock, task", take[1], .nanoseconds(500), "reading the clock", take[2]),
      ])
  }

  private static func read(_ path: String) {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { _ = Foundation.read(file, $0.baseAddress, $0.count) }
  }
}
