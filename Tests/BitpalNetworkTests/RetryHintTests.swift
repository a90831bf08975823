import BitpalModel
import Foundation
import Testing

@testable import BitpalNetwork

@Suite struct `When to come back` {
  private let now = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Fri, 31 Dec 1999 23:59:59 GMT", 946_684_799),
    ("Thu, 18 Aug 2050 02:01:18 GMT", 2_544_400_878),
    ("THU, 18 Aug 2050 02:01:18 GMT", 2_544_400_878),
    ("Thu, 18 AUG 2050 02:01:18 GMT", 2_544_400_878),
    ("Thu, 18 Aug 2050 02:01:18 gMT", 2_544_400_878),
    ("Thursday, 18-Aug-50 02:01:18 GMT", 2_544_400_878),
    ("Thu Aug  8 02:01:18 2050", 2_543_536_878),
    ("Thu Aug 18 02:01:18 2050", 2_544_400_878),
    ("Tue, 19 Jan 2038 14:14:08 GMT", 2_147_523_248),
    ("Sun, 21 Nov 2286 04:46:39 GMT", 10_000_039_599),
  ])
  func `A date in a header`(_ text: String, _ seconds: Int) {
    #expect(HTTPDate.parse(text, now: now)?.timeIntervalSince1970 == Double(seconds))
  }

  @Test(arguments: [
    "Thu, 18 Aug 2050 02:01:18 UTC", "Thu, 18 Aug 2050 02:01:18 AEST", "Thu, 18 Aug 50 02:01:18 GMT",
    "Thu 18 Aug 2050 02:01:18 GMT", "Thu, 18  Aug  2050 02:01:18 GMT", "Thu, 18-Aug-2050 02:01:18 GMT",
    "Thu, 18 Aug 2050 02.01.18 GMT", "Thu, 18 Aug 2050 2:01:18 GMT", "Thu, 32 Aug 2050 02:01:18 GMT",
    "Thu, 18 Aug 2050 25:01:18 GMT", "", "0 GMT", "tomorrow", "Sun Nov  16 08:49:37 1994", "Sun Nov 6 08:49:37 1994",
    "Thu, 18 Aug 2050 02:01:18:00 GMT", "Xyz, 18 Aug 2050 02:01:18 GMT", "Thu, 18 Xyz 2050 02:01:18 GMT", "      ",
  ])
  func `Texts that are not a date`(_ text: String) {
    #expect(HTTPDate.parse(text, now: now) == nil)
  }

  @Test func `A two-digit year more than 50 years ahead is in the past`() {
    #expect(HTTPDate.parse("Monday, 01-Jan-76 00:00:00 GMT", now: now)?.utcText == "2076-01-01 00:00:00Z")
    #expect(HTTPDate.parse("Monday, 01-Jan-77 00:00:00 GMT", now: now)?.utcText == "1977-01-01 00:00:00Z")
  }

  @Test(arguments: [
    ("Tue Feb 16 2021 09:02:42 GMT+0100 (Central European Standard Time)", 1_613_462_562),
    ("Tue Feb 16 2021 09:02:42 GMT-0530", 1_613_485_962), ("Tue Feb 16 2021 09:02:42 GMT", nil),
    ("Tue Feb 16 2021 09:02:42 GMT+1", nil),
  ])
  func `A date as JavaScript writes it`(_ text: String, _ seconds: Int?) {
    #expect(HTTPDate.parse(text, now: now)?.timeIntervalSince1970 == seconds.map(Double.init))
  }

  @Test(arguments: [
    ("Thu, 01 Jan 2026 00:00:20 GMT", 20_000), ("Fri, 31 Dec 1999 23:59:59 GMT", 0), ("120", 120_000),
    (" 120 ", 120_000), ("0", 0), ("1.5", 1500), ("0.503", 503), ("292.052427053", 292_052), ("-5", nil), ("abc", nil),
    ("", nil), ("120, 60", 120_000), ("40, 40;window=60", 40_000), ("120 60", nil), ("1.", nil), (".5", nil),
    ("99999999999999999999", 259_200_000), ("999999", 259_200_000), ("1e3", nil), ("inf", nil),
    ("2026-01-01 00:00:42 +0000", 42_000), ("2025-12-31 23:59:00 +0000", 0), ("2026-01-01 01:00:42 +0100", 42_000),
    ("2026-01-01T00:00:42Z", 42_000), ("2026-01-01T00:00:42.250Z", 42_250), ("2026-01-01 00:00:42", 42_000),
    ("1767225642", 42_000), ("1767225642.5", 42_500), ("1767225642000", 42_000), ("1767225642000000", 42_000),
    ("1767225642000000000", 42_000), ("soon", nil), ("9223372036854775807", 259_200_000),
    ("250ms", 250), ("6m0s", 360_000), ("1.5s", 1500), ("30 seconds", 30_000), ("1 hour", 3_600_000), ("1h30", nil),
    ("5 apples", nil), ("99999999999d", 259_200_000),
  ])
  func `The value of a header`(_ value: String, _ wait: Int?) {
    #expect(RetryHint.wait(value, now: now) == wait.map { .milliseconds($0) })
  }

  @Test(arguments: [
    "retry-after-ms", "x-ms-retry-after-ms", "x-rate-limit-retry-after-milliseconds", "gw-ratelimit-reset",
  ])
  func `The name of a header may state that the unit is milliseconds`(_ name: String) {
    #expect(RetryHint.wait("1500", of: name, now: now) == .milliseconds(1500))
    // An instant is one whatever the name is.
    #expect(RetryHint.wait("1767225642000", of: name, now: now) == .seconds(42))
  }

  @Test(arguments: [
    (#"{"code":-1003,"msg":"Way too many requests; IP banned until 1767225642000."}"#, 42_000),
    (#"{"message": "limited", "retry_after": 1.337}"#, 1337), (#"{"retryAfter":"30"}"#, 30_000),
    (#"{"retry_after_ms": 1500}"#, 1500), ("Please try again in 12 seconds.", 12_000), ("Retry after 5m", 300_000),
    ("You must wait 1 hour", 3_600_000), ("wait 5 apples", nil), ("until tomorrow", nil), ("until 12", nil),
    ("", nil), (String(repeating: "x", count: 3000) + "retry_after: 5", nil),
  ])
  func `A wait in the body counts only in a refusal`(_ body: String, _ wait: Int?) {
    func hint(_ status: Int) -> Duration? {
      RetryHint.wait(in: HTTPResponse(status: status, body: Array(body.utf8)), now: now)
    }
    #expect(hint(429) == wait.map { .milliseconds($0) })
    #expect(hint(418) == wait.map { .milliseconds($0) })
    #expect(hint(200) == nil && hint(503) == nil)
  }

  @Test func `The used-up one of several windows counts`() {
    func wait(_ headers: KeyValuePairs<String, String>) -> Duration? {
      RetryHint.wait(in: HTTPResponse(status: 429, headers: headers.map { HTTPHeader($0.key, $0.value) }), now: now)
    }
    let both: KeyValuePairs = [
      "x-ratelimit-remaining-minute": "0", "x-ratelimit-reset-minute": "40", "x-ratelimit-remaining-day": "7",
      "x-ratelimit-reset-day": "80000",
    ]
    #expect(wait(both) == .seconds(40))
    #expect(wait(["x-ratelimit-reset-minute": "40", "x-ratelimit-reset-day": "80000"]) == .seconds(40))
    #expect(wait(["RateLimit": #""burst";r=9;t=3, "day";r=0;t=40"#]) == .seconds(40))
    #expect(wait(["RateLimit": "limit=100, remaining=0, reset=50"]) == .seconds(50))
    #expect(wait(["RateLimit": "limit=100"]) == nil)
    #expect(wait(["X-Speed-Limit": "9", "X-Reset": "40"]) == nil)
  }

  @Test func `A wait that has passed is none, so that a source is not asked again at once`() {
    for header in [HTTPHeader("Retry-After", "0"), HTTPHeader("x-ratelimit-reset", "1767225599")] {
      #expect(RetryHint.wait(in: HTTPResponse(status: 429, headers: [header]), now: now) == nil)
    }
  }

  @Test func `Retry-After comes first, and a reset counts only in a refusal`() {
    func wait(_ status: Int, _ headers: [(String, String)]) -> Duration? {
      RetryHint.wait(
        in: HTTPResponse(status: status, headers: headers.map { HTTPHeader($0.0, $0.1) }), now: now)
    }
    let reset = ("x-ratelimit-reset", "2026-01-01 00:00:42 +0000")
    #expect(wait(429, [reset, ("Retry-After", "7")]) == .seconds(7))
    #expect(wait(429, [reset, ("retry-after", "abc")]) == .seconds(42))
    #expect(wait(418, [reset]) == .seconds(42))
    #expect(wait(503, [reset]) == nil)
    #expect(wait(503, [("Retry-After", "7")]) == .seconds(7))
    #expect(wait(429, []) == nil)
  }

  @Test func `A source's time is measured on the source's clock`() {
    let response = HTTPResponse(
      status: 429,
      headers: [
        HTTPHeader("Date", "Mon, 09 Mar 2026 03:27:00 GMT"),
        HTTPHeader("x-ratelimit-reset", "2026-03-09 03:28:00 +0000"),
      ])
    #expect(RetryHint.wait(in: response, now: now) == .seconds(60))
  }
}
