import BitpalModel
package import FoundationEssentials

/// A response: status, headers and the whole decoded body.
public struct HTTPResponse: Hashable, Sendable {
  /// The HTTP status, 100…599.
  public let status: Int

  /// The headers, in the order received.
  public let headers: [HTTPHeader]

  /// The body after content decoding (gzip and the like).
  public let body: [UInt8]

  /// Creates a response.
  public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Returns the response without the secrets in its headers and its body.
  func redacted(_ redaction: Redaction) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: headers.map { HTTPHeader($0.name, redaction.text($0.value)) },
      body: redaction.bytes(body))
  }

  /// Whether the status is 200…299.
  public var isSuccess: Bool { (200...299).contains(status) }
}

extension HTTPResponse {
  /// Returns the time of the source's `Date` header; nil when it sends none that can be read.
  package func date(now: Date) -> Date? {
    headers.first(named: "date").flatMap { HTTPDate.parse($0, now: now) }
  }
}

/// A parser for the three forms of a date in an HTTP header (RFC 9110, section 5.6.7), and for that of JavaScript's
/// `Date`, which some servers write.
enum HTTPDate {
  /// Returns the instant of a text; nil for any other text.
  ///
  /// - Parameter now: The current time, which decides the century of two-digit years: a year more than 50 years ahead
  ///   is in the past.
  static func parse(_ text: String, now: Date) -> Date? {
    let text = text.lowercased()
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    if words.count > 5, words[5].hasPrefix("gmt+") || words[5].hasPrefix("gmt-") { return javaScript(words) }
    switch words.count {
    case 6 where words[5] == "gmt": return fixed(words)
    case 4 where words[3] == "gmt": return dashed(words, now: now)
    // A day below 10 is padded with a second space.
    case 5: return asctime(words)
    case 6 where words[2].isEmpty: return asctime([words[0], words[1], " " + words[3], words[4], words[5]])
    default: return nil
    }
  }

  /// Reads the fixed form, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func fixed(_ words: [String]) -> Date? {
    guard words[0].last == ",", shortDays.contains(String(words[0].dropLast())) else { return nil }
    return instant(day: words[1], month: words[2], year: number(words[3], digits: 4), time: words[4])
  }

  /// Reads the form of RFC 850, such as `Sunday, 06-Nov-94 08:49:37 GMT`.
  private static func dashed(_ words: [String], now: Date) -> Date? {
    let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard words[0].last == ",", longDays.contains(String(words[0].dropLast())), parts.count == 3,
      let twoDigits = number(parts[2], digits: 2)
    else { return nil }
    let thisYear = CivilTime(now).year
    var year = thisYear / 100 * 100 + twoDigits
    if year > thisYear + 50 { year -= 100 }
    return instant(day: parts[0], month: parts[1], year: year, time: words[2])
  }

  /// Reads the form of C's `asctime`, such as `Sun Nov  6 08:49:37 1994`.
  private static func asctime(_ words: [String]) -> Date? {
    guard shortDays.contains(words[0]) else { return nil }
    let day = words[2].first == " " ? "0" + words[2].dropFirst() : words[2]
    return instant(day: day, month: words[1], year: number(words[4], digits: 4), time: words[3])
  }

  /// Reads the form of JavaScript, such as `Tue Feb 16 2021 09:02:42 GMT+0100 (Central European Standard Time)`.
  private static func javaScript(_ words: [String]) -> Date? {
    let offset = words[5].dropFirst(4)
    guard shortDays.contains(words[0]), offset.count == 4, let hours = number(String(offset.prefix(2)), digits: 2),
      let minutes = number(String(offset.suffix(2)), digits: 2)
    else { return nil }
    let ahead = Duration.seconds((hours * 60 + minutes) * 60)
    return instant(day: words[2], month: words[1], year: number(words[3], digits: 4), time: words[4])?
      .adding(words[5].contains("+") ? .zero - ahead : ahead)
  }

  private static func instant(day: String, month: String, year: Int?, time: String) -> Date? {
    let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2) }
    guard let year, let day = number(day, digits: 2), let month = months.firstIndex(of: month), parts.count == 3,
      let hour = parts[0], let minute = parts[1], let second = parts[2]
    else { return nil }
    return CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)?.instant
  }

  private static func number(_ text: String, digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }

  private static let shortDays = longDays.map { String($0.prefix(3)) }
  private static let longDays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
}
