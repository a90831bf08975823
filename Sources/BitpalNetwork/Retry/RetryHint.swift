import BitpalModel
import BitpalRateLimit
import FoundationEssentials

/// The time after which a response asks to be asked again.
enum RetryHint {
  /// The longest wait; longer ones are cut.
  static let longest = RequestBudget.longestPause

  /// The wait that a response asks for; nil when it says nothing that can be understood.
  ///
  /// `Retry-After` comes first; `x-ratelimit-reset` is looked at only in a refusal, because some sources send it always.
  ///
  /// - Parameter now: The wall clock, for a response that does not say its own time.
  static func wait(in response: HTTPResponse, now: Date) -> Duration? {
    // Both clocks are the source's then, so it does not matter when this machine's is wrong.
    let now = response.headers.first(named: "date").flatMap { HTTPDate.parse($0, now: now) } ?? now
    if let value = response.headers.first(named: "retry-after"), let wait = retryAfter(value, now: now) { return wait }
    guard RetryPolicy.refusals.contains(response.status) else { return nil }
    return response.headers.first(named: "x-ratelimit-reset").flatMap { rateLimitReset($0, now: now) }
  }

  /// `Retry-After`: whole seconds or an HTTP date (RFC 9110, section 10.2.3); nil for anything else.
  static func retryAfter(_ value: String, now: Date) -> Duration? {
    let value = trimmed(value)
    if let seconds = seconds(value) { return seconds }
    return HTTPDate.parse(value, now: now).map { clamped($0.since(now)) }
  }

  /// `x-ratelimit-reset`: CoinGecko's `2026-03-09 03:28:00 +0000`, Unix seconds, or, below a million, seconds from now.
  static func rateLimitReset(_ value: String, now: Date) -> Duration? {
    let value = trimmed(value)
    if let number = Int64(value), number >= 0 {
      if number < 1_000_000 { return clamped(.seconds(number)) }
      return clamped(Date(milliseconds: min(number, 253_402_300_799) * 1000).since(now))
    }
    // The space before the offset is all that keeps this from being ISO 8601.
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
