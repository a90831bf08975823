import BitpalModel
import BitpalRateLimit
import FoundationEssentials

/// The wait that a response requests before the next attempt.
///
/// It reads the forms that public APIs document: `Retry-After` (RFC 9110) in seconds, with a fraction, as a date or an
/// instant; its variants in milliseconds (Azure, Bucket4j); `RateLimit` of the IETF drafts; resets as an instant (Binance,
/// Bybit, CoinGecko, Gate.io, GitHub, X), as seconds (CryptoCompare, Discord, RapidAPI, Reddit), milliseconds (KuCoin) or a
/// duration (OpenAI); and what bodies say (Binance's bans, Discord).
struct RetryHint {
  /// The longest wait that is believed, the longest ban that Binance documents; longer ones are shortened to it.
  static let longest: Duration = .seconds(3 * 86_400)

  private let response: HTTPResponse
  private let now: Date

  /// Whether the source limits requests, as its status or its text says.
  private let isRefusal: Bool

  /// Returns the wait that a response requests; nil when it requests none, or one that has passed.
  ///
  /// `Retry-After` comes first and counts with every status. Resets and bodies count only in a refusal, because some
  /// sources send them with every answer.
  ///
  /// - Parameter now: The wall-clock time, for a response without a `Date` header.
  static func wait(in response: HTTPResponse, now: Date) -> Duration? {
    wait(in: response, now: now, isRefusal: RetryPolicy.refusals.contains(response.status))
  }

  /// Returns the wait that a response requests whose text says that the source limits requests, whatever its status is.
  static func wait(inRefusal response: HTTPResponse, now: Date) -> Duration? {
    wait(in: response, now: now, isRefusal: true)
  }

  private static func wait(in response: HTTPResponse, now: Date, isRefusal: Bool) -> Duration? {
    // With the source's own clock, an error of this machine's clock has no effect.
    let hint = RetryHint(response: response, now: response.date(now: now) ?? now, isRefusal: isRefusal)
    return hint.wait.flatMap { $0 > .zero ? min($0, longest) : nil }
  }

  private var wait: Duration? {
    for header in response.headers where header.name.lowercased().contains("retry-after") {
      if let wait = Self.wait(header.value, of: header.name.lowercased(), now: now) { return wait }
    }
    guard isRefusal else { return nil }
    return reset ?? bodyWait
  }

  // MARK: Resets

  /// The time until the used-up window ends: the longest of several that have nothing left, otherwise the shortest.
  private var reset: Duration? {
    var resets: [(wait: Duration, isUsedUp: Bool)] = []
    for header in response.headers {
      let name = header.name.lowercased()
      if ["ratelimit", "x-ratelimit"].contains(name) { resets += Self.policies(header.value) }
      guard name.contains("reset"), name.contains("limit"), let wait = Self.wait(header.value, of: name, now: now)
      else {
        continue
      }
      let left = response.headers.first(named: name.replacing("reset", with: "remaining"))
      resets.append((wait, left.flatMap { Self.number($0[...])?.value } == 0))
    }
    // Beside a text alone, a window that is not used up is another one than that of which the text speaks.
    let usedUp = resets.filter(\.isUsedUp).map(\.wait).max()
    return usedUp ?? (RetryPolicy.refusals.contains(response.status) ? resets.map(\.wait).min() : nil)
  }

  /// Reads `RateLimit` of the drafts of httpapi-ratelimit-headers: `"day";r=0;t=30`, and `limit=9, remaining=0, reset=30`
  /// before draft 8.
  private static func policies(_ value: String) -> [(wait: Duration, isUsedUp: Bool)] {
    let isOld = value.contains("reset=")
    return (isOld ? [value[...]] : value.split(separator: ",")).compactMap { policy in
      var members: [Substring: Int64] = [:]
      for part in policy.split(whereSeparator: { ",; ".contains($0) }) {
        let pair = part.split(separator: "=")
        if pair.count == 2 { members[pair[0]] = Int64(pair[1]) }
      }
      guard let seconds = members[isOld ? "reset" : "t"], seconds >= 0 else { return nil }
      return (.seconds(min(seconds, longest.components.seconds)), members[isOld ? "remaining" : "r"] == 0)
    }
  }

  // MARK: Values

  /// Reads the value of a header: a date, a duration with units, or a number.
  ///
  /// A number from 100,000,000 on (1973) is seconds since 1970, and milliseconds or finer where it would be thousands of
  /// years ahead. A smaller one is the wait in seconds, or in milliseconds where the name says so.
  ///
  /// - Returns: The wait, zero for an instant that has passed; nil for anything else.
  static func wait(_ value: String, of name: String = "", now: Date) -> Duration? {
    let value = value.trimmed
    if let number = number(value[...]), number.rest.isEmpty || ",;".contains(number.rest.first ?? " ") {
      if number.value >= 100_000_000 {
        return min(longest, max(.zero, instant(number.value).since(now)))
      }
      // Only KuCoin's name does not contain its unit.
      let isMilliseconds = name.hasSuffix("ms") || name.contains("millisecond") || name.hasPrefix("gw-")
      return duration(isMilliseconds ? number.value / 1000 : number.value)
    }
    if let wait = duration(value[...]) { return wait }
    return date(value, now: now).map { max(.zero, $0.since(now)) }
  }

  private static func date(_ value: String, now: Date) -> Date? {
    if let date = HTTPDate.parse(value, now: now) ?? Date(utcText: value) { return date }
    // Except for the space before the offset, CoinGecko's form is ISO 8601.
    guard let space = value.lastIndex(of: " ") else { return nil }
    let offset = value[value.index(after: space)...]
    return Date(utcText: offset.first == "+" || offset.first == "-" ? value[..<space] + offset : value[...])
  }

  private static func instant(_ number: Double) -> Date {
    var seconds = number
    for _ in 0..<3 where seconds >= 100_000_000_000 { seconds /= 1000 }
    return Date(timeIntervalSince1970: seconds)
  }

  private static func duration(_ seconds: Double) -> Duration {
    min(longest, .milliseconds(Int64(min(seconds, 1e9) * 1000)))
  }

  /// Reads a duration with units: `250ms`, `1.5s`, `6m0s`, `30 seconds`, `1 hour`.
  private static func duration(_ text: Substring) -> Duration? {
    var rest = text
    var total = Duration.zero
    while let number = number(rest) {
      let word = number.rest.drop { $0 == " " }.prefix { $0.isASCII && $0.isLetter }
      guard let seconds = unit(word) else { return nil }
      total += duration(number.value * seconds)
      rest = number.rest.drop { $0 == " " }.dropFirst(word.count).drop { $0 == " " }
    }
    return rest.isEmpty && !text.isEmpty ? min(total, longest) : nil
  }

  /// Returns the seconds of a unit; nil for another word.
  private static func unit(_ word: Substring) -> Double? {
    switch word.lowercased() {
    case "ms", "millisecond", "milliseconds": 0.001
    case "s", "sec", "secs", "second", "seconds": 1
    case "m", "min", "mins", "minute", "minutes": 60
    case "h", "hour", "hours": 3600
    case "d", "day", "days": 86_400
    default: nil
    }
  }

  /// Reads digits with an optional fraction at the start of a text.
  private static func number(_ text: Substring) -> (value: Double, rest: Substring)? {
    func digits(_ text: Substring) -> Substring { text.prefix { $0.isASCII && $0.isNumber } }
    let whole = digits(text)
    var rest = text.dropFirst(whole.count)
    var fraction: Substring = ""
    if rest.first == ".", case let found = digits(rest.dropFirst()), !found.isEmpty {
      fraction = found
      rest = rest.dropFirst(1 + found.count)
    }
    guard !whole.isEmpty else { return nil }
    return Double("\(whole).\(fraction.isEmpty ? "0" : fraction)").map { ($0, rest) }
  }

  // MARK: Bodies

  /// The wait in the first 2 KiB of the body: `banned until 1659761931230`, `"retry_after": 1.3`, `try again in 30 seconds`.
  private var bodyWait: Duration? {
    let text = String(decoding: response.body.prefix(2048), as: UTF8.self).lowercased()
    for (key, isInstant) in [("until ", true), ("retry_after", false), ("retryafter", false), ("retry-after", false)] {
      guard let found = text.firstRange(of: key)?.upperBound else { continue }
      let name = text[found...].prefix { $0 == "_" || $0.isLetter }
      let value = text[found...].dropFirst(name.count).drop { " \":='".contains($0) }
      guard let number = Self.number(value), !isInstant || number.value >= 100_000_000 else { continue }
      if let wait = Self.wait("\(number.value)", of: key + name, now: now) { return wait }
    }
    for opening in ["again in ", "again after ", "retry in ", "retry after ", "wait ", "reset in ", "resets in "] {
      guard let found = text.firstRange(of: opening)?.upperBound, let number = Self.number(text[found...]) else {
        continue
      }
      let word = number.rest.drop { $0 == " " }.prefix { $0.isASCII && $0.isLetter }
      if let seconds = Self.unit(word) { return Self.duration(number.value * seconds) }
    }
    return nil
  }
}

extension String {
  /// The text without spaces and tabs at both ends.
  fileprivate var trimmed: String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
