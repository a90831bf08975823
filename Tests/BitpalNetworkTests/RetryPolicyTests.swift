import BitpalNetwork
import Testing

/// The tables are those of the AWS SDKs (facts as carried by awslabs/smithy-kotlin, Apache-2): a base of 1 s, doubled, no
/// luck with the jitter, a quota of 5 a retry.
@Suite struct `The retry policy` {
  struct Table: CustomTestStringConvertible {
    enum Step {
      case retry(status: Int, quota: Int, seconds: Int)
      case success(quota: Int)
      case attemptsUsedUp(status: Int, quota: Int)
      case quotaUsedUp(status: Int, quota: Int)
    }

    let testDescription: String
    var attempts = 3
    var quota = 500
    var cap = 20
    let steps: [Step]
  }

  @Test(arguments: [
    Table(
      testDescription: "succeeds in the end",
      steps: [
        .retry(status: 500, quota: 495, seconds: 1), .retry(status: 500, quota: 490, seconds: 2), .success(quota: 495),
      ]),
    Table(
      testDescription: "attempts used up",
      steps: [
        .retry(status: 502, quota: 495, seconds: 1), .retry(status: 502, quota: 490, seconds: 2),
        .attemptsUsedUp(status: 502, quota: 490),
      ]),
    Table(
      testDescription: "quota used up after one", quota: 5,
      steps: [.retry(status: 500, quota: 0, seconds: 1), .quotaUsedUp(status: 502, quota: 0)]),
    Table(testDescription: "no quota", quota: 0, steps: [.quotaUsedUp(status: 500, quota: 0)]),
    Table(
      testDescription: "waits double", attempts: 5,
      steps: [
        .retry(status: 500, quota: 495, seconds: 1), .retry(status: 500, quota: 490, seconds: 2),
        .retry(status: 500, quota: 485, seconds: 4), .retry(status: 500, quota: 480, seconds: 8),
        .attemptsUsedUp(status: 500, quota: 480),
      ]),
    Table(
      testDescription: "waits stop at the cap", attempts: 5, cap: 3,
      steps: [
        .retry(status: 500, quota: 495, seconds: 1), .retry(status: 500, quota: 490, seconds: 2),
        .retry(status: 500, quota: 485, seconds: 3), .retry(status: 500, quota: 480, seconds: 3),
        .attemptsUsedUp(status: 500, quota: 480),
      ]),
  ])
  func `Attempts, waits and quota`(_ table: Table) {
    var policy = RetryPolicy()
    policy.attempts = table.attempts
    policy.base = .seconds(1)
    policy.cap = .seconds(table.cap)
    var quota = RetryQuota(table.quota)
    for (index, step) in table.steps.enumerated() {
      func decide(_ status: Int) -> RetryPolicy.Decision {
        policy.decide(
          attempt: index + 1, outcome: .response(status: status, hint: nil), remaining: .seconds(100), random: .max)
      }
      switch step {
      case .retry(let status, let left, let seconds):
        #expect(decide(status) == .retry(after: .seconds(seconds)), "step \(index)")
        #expect(quota.pay() == true, "step \(index)")
        #expect(quota.left == left, "step \(index)")
      case .success(let left):
        #expect(decide(200) == .accept)
        quota.succeed(afterRetry: true)
        #expect(quota.left == left)
      case .attemptsUsedUp(let status, let left):
        #expect(decide(status) == .giveUp(wait: nil))
        #expect(quota.left == left)
      case .quotaUsedUp(let status, let left):
        guard case .retry = decide(status) else {
          Issue.record("step \(index)")
          continue
        }
        #expect(quota.pay() == false)
        #expect(quota.left == left)
      }
    }
  }

  @Test func `A success without a retry gives a little back, never more than there was`() {
    var quota = RetryQuota(10)
    #expect(quota.pay() == true)
    quota.succeed(afterRetry: false)
    #expect(quota.left == 6)
    for _ in 0..<10 { quota.succeed(afterRetry: true) }
    #expect(quota.left == 10)
  }

  @Test func `These statuses are worth another attempt, and no others`() {
    let retried = (100...599).filter { status in
      RetryPolicy().decide(
        attempt: 1, outcome: .response(status: status, hint: nil), remaining: .seconds(15), random: 0)
        == .retry(after: .zero)
    }
    #expect(retried == [408, 429, 500, 502, 503, 504, 522, 524])
  }

  @Test func `A source that tries again itself is asked again only after a connection that failed`() {
    func decide(_ outcome: RetryPolicy.Outcome) -> RetryPolicy.Decision {
      RetryPolicy.afterConnectionFailures.decide(
        attempt: 1, outcome: outcome, remaining: .seconds(15), random: 0)
    }
    for status in [429, 502, 503] { #expect(decide(.response(status: status, hint: .seconds(7))) == .accept) }
    #expect(decide(.connectionFailed) == .retry(after: .zero))
  }

  @Test func `The jitter is full`() {
    let policy = RetryPolicy()
    let waits = [0, .max / 2, .max].map { (random: UInt64) in
      policy.decide(attempt: 1, outcome: .connectionFailed, remaining: .seconds(15), random: random)
    }
    #expect(
      waits == [.retry(after: .zero), .retry(after: .nanoseconds(249_999_999)), .retry(after: .milliseconds(500))])
  }

  @Test(arguments: [
    // The source's wish is the least, jitter or not.
    (429, 3, 15, RetryPolicy.Decision.retry(after: .seconds(3))),
    (503, 3, 15, .retry(after: .seconds(3))),
    (503, 0, 15, .retry(after: .milliseconds(500))),
    (429, 0, 15, .retry(after: .seconds(2))),
    // What does not fit is given up at once, with the wait.
    (429, 60, 15, .giveUp(wait: .seconds(60))),
    (503, 120, 15, .giveUp(wait: .seconds(120))),
    (503, 15, 15, .giveUp(wait: .seconds(15))),
    // A ban is not argued with.
    (418, 1, 15, .giveUp(wait: .seconds(1))),
    (404, 1, 15, .accept),
    (200, 1, 15, .accept),
  ])
  func `The wait that a source asks for`(_ status: Int, _ hint: Int, _ remaining: Int, _ decision: RetryPolicy.Decision)
  {
    let outcome = RetryPolicy.Outcome.response(status: status, hint: .seconds(hint))
    #expect(
      RetryPolicy().decide(attempt: 1, outcome: outcome, remaining: .seconds(remaining), random: .max) == decision)
  }

  @Test func `A failure that another attempt cannot fix is accepted`() {
    #expect(
      RetryPolicy().decide(attempt: 1, outcome: .failedForGood, remaining: .seconds(15), random: 0) == .accept)
  }

  @Test func `However many attempts are allowed, the wait stays within the cap`() {
    var policy = RetryPolicy()
    policy.attempts = .max
    for attempt in [1, 5, 60, 1_000_000] {
      let decision = policy.decide(
        attempt: attempt, outcome: .connectionFailed, remaining: .seconds(1000), random: .max)
      guard case .retry(let wait) = decision else {
        Issue.record("\(decision)")
        continue
      }
      #expect(wait <= .seconds(20))
    }
  }
}
