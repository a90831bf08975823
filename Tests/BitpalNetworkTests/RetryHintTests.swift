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
  func `What is not a date`(_ text: String) {
    #expect(HTTPDate.parse(text, now: now) == nil)
  }

  @Test func `A two-digit year more than 50 years ahead is in the past`() {
    #expect(HTTPDate.parse("Monday, 01-Jan-76 00:00:00 GMT", now: now)?.utcText == "2076-01-01 00:00:00Z")
    #expect(HTTPDate.parse("Monday, 01-Jan-77 00:00:00 GMT", now: now)?.utcText == "1977-01-01 00:00:00Z")
  }

  @Test(arguments: [
    (946_684_779, "Fri, 31 Dec 1999 23:59:59 GMT", 20), (946_684_800, "Fri, 31 Dec 1999 23:59:59 GMT", 0),
    (0, "120", 120), (0, " 120 ", 120), (0, "0", 0), (0, "-5", nil), (0, "1.5", nil), (0, "abc", nil),
    (0, "99999999999999999999", 3600), (0, "999999", 3600), (0, "120, 60", nil), (0, "", nil),
  ])
  func `Retry-After`(_ now: Int, _ value: String, _ wait: Int?) {
    let now = Date(timeIntervalSince1970: Double(now))
    #expect(RetryHint.retryAfter(value, now: now) == wait.map { .seconds($0) })
  }

  @Test(arguments: [
    ("2026-01-01 00:00:42 +0000", 42), ("2025-12-31 23:59:00 +0000", 0), ("2026-01-01 01:00:42 +0100", 42),
    ("2026-01-01T00:00:42Z", nil), ("1767225642", 42), ("1767225642000", 3600), ("30", 30), ("0", 0), ("-1", nil),
    ("soon", nil), ("", nil), ("9223372036854775807", 3600), ("2026-01-01 00:00:42", 42),
  ])
  func `x-ratelimit-reset`(_ value: String, _ wait: Int?) {
    #expect(RetryHint.rateLimitReset(value, now: now) == wait.map { .seconds($0) })
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
