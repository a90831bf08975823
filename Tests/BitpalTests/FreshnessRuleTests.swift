import BitpalModel
import Testing

@testable import Bitpal

@Suite struct `Whether a cached answer is served` {
  private let rule = FreshnessRule(timeToLive: .seconds(60), maxStale: .seconds(3600))

  @Test(
    arguments: [
      (nil, FetchPolicy.normal, FreshnessRule.Decision.fetch(canFallBack: false, because: "not cached")),
      (0, .normal, .serve), (60, .normal, .serve), (-300, .normal, .serve),
      (-301, .normal, .fetch(canFallBack: false, because: "not cached")),
      (61, .normal, .fetch(canFallBack: true, because: "1m 1s old, TTL 1m")),
      (3660, .normal, .fetch(canFallBack: true, because: "1h 1m old, TTL 1m")),
      (3661, .normal, .fetch(canFallBack: false, because: "1h 1m old, TTL 1m")),
      (nil, .offline, .nothing), (60, .offline, .serve), (61, .offline, .serveStale(age: .seconds(61))),
      (9_000_000, .offline, .serveStale(age: .seconds(9_000_000))),
      (nil, .refresh, .fetch(canFallBack: false, because: "--refresh")),
      (1, .refresh, .fetch(canFallBack: true, because: "--refresh")),
      (3661, .refresh, .fetch(canFallBack: false, because: "--refresh")),
    ] as [(Int?, FetchPolicy, FreshnessRule.Decision)])
  func `Age and policy decide`(age: Int?, policy: FetchPolicy, decision: FreshnessRule.Decision) {
    #expect(rule.decide(age: age.map { .seconds($0) }, policy: policy) == decision)
  }
}
