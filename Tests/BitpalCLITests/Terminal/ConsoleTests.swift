import BitpalModel
import Testing

@testable import bitpal

@Suite struct `The words of -v` {
  @Test(arguments: [
    (TraceEvent.settings(file: nil), "settings: built-in defaults"),
    (.settings(file: "config.yaml"), "settings: config.yaml"),
    (.recordingOpened(path: "Fixtures/market", entries: 1), "recording: Fixtures/market, 1 exchange"),
    (
      .cacheHit(tier: "disk", key: "quotes bitcoin usd", age: .seconds(12), timeToLive: .seconds(60)),
      "disk: quotes bitcoin usd is 12s old, TTL 1m"
    ),
    (.cacheMiss(key: "k", reason: "never asked for"), "asking for k: never asked for"),
    (.stored(tier: "memory", key: "k"), "memory: stored k"),
    (.cacheFailed("it is read-only"), "cache: it is read-only"),
    (.joinedFlight(key: "k"), "waited for another process that asks for k"),
    (
      .limiterWaited(provider: "p", wait: .milliseconds(1500), reason: "why"),
      "limiter: holds a request back for 1s: why"
    ),
    (.request("curl https://x"), "request: curl https://x"),
    (.response(status: 200, bytes: 2, took: .milliseconds(40)), "response: HTTP 200, 2 bytes, after 40ms"),
    (
      .retrying(attempt: 1, wait: .seconds(2), reason: "HTTP 503"), "attempt 1 failed: HTTP 503; next in 2s"
    ),
    (.decoded(rows: 1, dropped: 0), "read 1 row"), (.decoded(rows: 3, dropped: 2), "read 3 rows, left out 2"),
    (.fellBack(provider: "p", reason: "timed out"), "skipped p: timed out"),
  ])
  func `Every step is one line`(event: TraceEvent, text: String) {
    #expect(TraceText.text(of: event) == text)
  }
}

@Suite struct `Exit statuses` {
  @Test(arguments: [
    (ErrorCode.notFound, 1), (.ambiguous, 1), (.noPrice, 1), (.notRecorded, 1), (.noData, 1), (.unsupported, 1),
    (.unsupportedCurrency, 1), (.usage, 2), (.configuration, 3), (.unauthorized, 4), (.planLimit, 4), (.refused, 4),
    (.network, 4), (.timedOut, 4), (.offline, 4), (.rateLimited, 5), (.unreadable, 6), (.recordingDamaged, 6),
    (.dataFile, 7),
  ])
  func `Every failure has one`(code: ErrorCode, status: Int) {
    #expect(Int(ExitStatus(code).rawValue) == status)
  }

  @Test(arguments: [
    (2, [], 0), (1, [ErrorCode.notFound], 1), (1, [.network], 1), (0, [.notFound], 1), (0, [.network, .timedOut], 4),
    (0, [.rateLimited], 5), (0, [.rateLimited, .notFound], 1), (0, [], 0),
  ])
  func `Something answered and something not is 1; nothing answered is the common reason`(
    answered: Int, failures: [ErrorCode], status: Int
  ) {
    #expect(Int(ExitStatus(answered: answered, failures: failures).rawValue) == status)
  }
}
