import BitpalModel
import BitpalRateLimit
import FoundationEssentials

/// The wait that a response requests before the next attempt.
enum RetryHint {
  /// The longest wait; longer ones are shortened to it.
  static let longest = RequestBudget.longestPause

  /// Returns the wait that a response requests; nil when it has no header that can be read.
  ///
  /// `Retry-After` comes first; `x-ratelimit-reset` counts only in a refusal, because some sources always send it.
  ///
  /// - Parameter now: The wall-clock time, for a response without a `Date` header.
  static func wait(in response: HTTPResponse, now: Date) -> Duration? {
    // With the source's own clock, an error of this machine's clock has no effect.
    let now = response.headers.first(named: "date").flatMap { HTTPDate.parse($0, now: now) } ?? now
    if let value = response.headers.first(named: "retry-after"), let wait = retryAfter(value, now: now) { return wait }
    guard RetryPolicy.refusals.contains(response.status) else { return nil }
    return response.headers.first(named: "x-ratelimit-reset").flatMap { rateLimitReset($0, now: now) }
  }

  /// Reads `Retry-After`: whole seconds or an HTTP date (RFC 9110, section 10.2.3); nil for anything else.
  static func retryAfter(_ value: String, now: Date) -> Duration? {
    let value = trimmed(value)
    if let seconds = seconds(value) { return seconds }
    return HTTPDate.parse(value, now: now).map { clamped($0.since(now)) }
  }

  /// Reads `x-ratelimit-reset`: CoinGecko's `2026-03-09 03:28:00 +0000`, Unix seconds, or, below a million, seconds
  /// from now.
  static func rateLimitReset(_ value: String, now: Date) -> Duration? {
    let value = trimmed(value)
    if let number = Int64(value), number >= 0 {
      if number < 1_000_000 { return clamped(.seconds(number)) }
      return clamped(Date(milliseconds: min(number, 253_402_300_799) * 1000).since(now))
    }
    // Except for the space before the offset, CoinGecko's form is ISO 8601.
    guard let space = value.lastIndex(of: " ") else { return nil }
    let offset = value[value.index(after: space)...]
    let text = offset.first == "+" || offset.first == "-" ? value[..<space] + offset : value[...]
    return Date(utcText: text).map { clamped($0.since(now)) }
  }

  private static func seconds(_ value: String) -> Duration? {
    guard !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int64(value).map { clamped(.seconds(min($0, longest.components.seconds))) } ?? longest
  }

  private static func clamped(_ wait: Duration) -> Duration { min(max(wait, .zero), longest) }

  private static func trimmed(_ value: String) -> String {
    String(value.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
