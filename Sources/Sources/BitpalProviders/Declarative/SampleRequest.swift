package import BitpalModel
package import BitpalNetwork
import BitpalReplay
import FoundationEssentials

/// The request that an answer came of: its URL with placeholders, and without its key.
package struct SampleRequest: Sendable {
  /// The headers without a key, in addition to `accept`.
  package private(set) var headers: [HTTPHeader] = []

  /// The header with a key; nil for none.
  package private(set) var secret: HTTPRequest.SecretHeader?

  /// A redaction that removes the keys of the request from texts.
  package var redaction: Redaction { Redaction(keys) }

  /// The kind of the answer: quotes, a line or candles.
  let capability: Capability
  let coin: String
  let symbol: String?
  let currency: String
  let statesCurrency: Bool

  /// The scheme and host; nil without a URL.
  private(set) var base: String?

  /// The rest of the URL, with placeholders.
  private(set) var target = ""

  /// The rest of the URL as it was requested; nil when it has a key or a time.
  private(set) var asked: String?

  /// Whether the URL names a time that no placeholder stands for.
  private(set) var hasFixedTime = false
  private var keys: [Secret] = []

  /// Whether the answer is a series: a line or candles.
  var isSeries: Bool { capability != .quotes }

  /// Reads a request.
  ///
  /// - Parameters:
  ///   - url: The URL; nil when only the answer is known.
  ///   - headers: Lines `NAME: VALUE`. In doubt a value counts as a key.
  ///   - statesCurrency: Whether the user has stated the currency of the prices.
  /// - Throws: `BitpalError.usage` for a URL or a header that a provider file cannot have, and for two keys.
  package init(
    _ url: String?, headers: [String], asking capability: Capability, coin: String, symbol: String?, currency: String,
    statesCurrency: Bool
  ) throws(BitpalError) {
    (self.capability, self.statesCurrency) = (capability, statesCurrency)
    (self.coin, self.symbol, self.currency) = (coin, symbol?.uppercased(), currency.lowercased())
    if let url { try read(url) }
    var count = target.ranges(of: "{key}").count
    for line in headers where try readHeader(line) { count += 1 }
    guard count < 2 else {
      throw .usage("more than one part of the request looks like a key", hint: "a provider file has one")
    }
  }

  /// Returns the placeholders for a whole word: the coin, the currency, or a pair of both; nil for any other.
  func template(of word: String) -> String? {
    let (ticker, lower, upper) = (symbol ?? "", symbol?.lowercased() ?? "", currency.uppercased())
    // A coin whose ticker is its id or the currency is ambiguous.
    guard !word.isEmpty, coin != lower, lower != currency else { return nil }
    var all = [currency: "{currency}"]
    all[upper] = "{CURRENCY}"
    for mark in symbol == nil ? [] : ["", "-", "_", "/"] {
      all[lower + mark + currency] = "{symbol}\(mark){currency}"
      all[ticker + mark + upper] = "{SYMBOL}\(mark){CURRENCY}"
    }
    all[lower] = "{symbol}"
    all[ticker] = "{SYMBOL}"
    all[coin] = "{id}"
    return all[word]
  }

  /// Reads a header, and returns whether it has a key.
  private mutating func readHeader(_ line: String) throws(BitpalError) -> Bool {
    let name = String(line.prefix { $0 != ":" })
    let value = String(line.dropFirst(name.count + 1).drop { $0 == " " })
    guard RequestHeader.isName(name), !value.isEmpty, RequestHeader.isValue(value) else {
      throw .usage("--header is not NAME: VALUE", hint: "write it like --header 'Accept: application/json'")
    }
    if ["accept", "accept-language", "content-type", "origin", "referer", "user-agent"].contains(name.lowercased()) {
      headers.append(HTTPHeader(name, value))
      return false
    }
    let key = value.split(separator: " ").last.map(String.init) ?? value
    keys.append(Secret(key))
    secret = HTTPRequest.SecretHeader(name, Secret(key), after: String(value.dropLast(key.count)))
    return true
  }

  private mutating func read(_ url: String) throws(BitpalError) {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard ["https:", "http:"].contains(parts[0]), parts.count > 2, parts[1].isEmpty, !parts[2].isEmpty,
      url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !url.contains(where: { "#{}\\@".contains($0) })
    else {
      throw .usage(
        "the URL is not one that a provider file can have",
        hint: "it begins with https:// and has no user, spaces, # or braces")
    }
    base = parts[0...2].joined(separator: "/")
    let rest = "/" + (parts.count > 3 ? parts[3] : "")
    asked = rest
    let path = rest.prefix { $0 != "?" }
    target = path.split(separator: "/", omittingEmptySubsequences: false).map { segment($0) }.joined(separator: "/")
    for (index, pair) in rest.dropFirst(path.count + 1).split(separator: "&").enumerated() {
      let name = pair.prefix { $0 != "=" }
      target += (index == 0 ? "?" : "&") + name
      if name.count < pair.count { target += "=" + value(String(pair.dropFirst(name.count + 1)), of: name.plainName) }
    }
  }

  /// Returns a part of the path; one that looks like a key, long and with alternating letters and digits, is redacted.
  private mutating func segment(_ text: Substring) -> String {
    let areDigits = text.utf8.filter(\.isASCIILetterOrDigit).map { $0 < UInt8(ascii: "A") }
    // Addresses of contracts look similar, and are public.
    let isKey =
      text.utf8.count >= 20 && !text.hasPrefix("0x")
      && zip(areDigits, areDigits.dropFirst()).count(where: { $0 != $1 }) > 3
    return isKey ? hide(String(text), as: Redaction.mark) : template(of: String(text)) ?? String(text)
  }

  private static let keyNames = [
    "key", "token", "secret", "signature", "sig", "password", "passwd", "pwd", "session", "sessionid", "auth",
    "authorization", "credential", "credentials", "appid", "jwt", "cookie",
  ]
  private static let starts = ["from", "start", "starttime", "since", "period1"]
  private static let ends = ["to", "end", "endtime", "until", "period2"]

  /// Returns the value of a parameter, or its placeholder.
  private mutating func value(_ text: String, of name: String) -> String {
    if Self.keyNames.contains(where: { name.hasSuffix($0) }) { return hide(text, as: "{key}") }
    if isSeries, ["interval", "granularity", "resolution", "timeframe"].contains(name) { return "{interval}" }
    guard let format = DeclaredOperation.TimeFormat(of: text) else { return template(of: text) ?? text }
    asked = nil
    let end = Self.starts.contains(name) ? "from" : Self.ends.contains(name) ? "to" : nil
    guard isSeries, let end else {
      hasFixedTime = true
      return text
    }
    return format == .seconds ? "{\(end)}" : format == .milliseconds ? "{\(end)_ms}" : "{\(end)_iso}"
  }

  private mutating func hide(_ key: String, as mark: String) -> String {
    asked = nil
    // A shorter value may well be a part of the answer.
    if key.utf8.count >= 8 { keys.append(Secret(RequestURL.decoded(key))) }
    return mark
  }
}

extension DeclaredOperation.TimeFormat {
  /// Creates the notation of a text: a number from September 2001 on, or ISO 8601; nil for any other.
  init?(of text: String) {
    if text.wholeMatch(of: /[1-3]\d{9}(\.\d+)?/) != nil {
      self = .seconds
    } else if text.wholeMatch(of: /[1-3]\d{12}/) != nil {
      self = .milliseconds
    } else if text.utf8.count >= 10, text.contains("-"), Date(utcText: text.replacing("%3A", with: ":")) != nil {
      self = .iso8601
    } else {
      return nil
    }
  }
}
