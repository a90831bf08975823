import BitpalModel
import BitpalNetwork
import BitpalProviders

/// The URL of a sample, split into the base of all requests and the rest, with placeholders.
struct SampleURL: Sendable {
  /// The base URL of requests.
  let base: String

  /// The rest of the URL, with placeholders.
  let get: String

  /// The rest of the URL as it was requested; nil when it names several coins or depends on the time.
  let asked: String?

  /// Whether one request can name several coins.
  let isBatch: Bool

  /// The name of the candle width in the URL; nil when it has none.
  let interval: String?

  /// The parts that look like a key: such parameters are removed, and a key in the path is redacted.
  let secrets: SampleSecrets

  private static let intervalNames: Set<String> = [
    "interval", "granularity", "resolution", "timeframe", "period", "bucket", "step", "candle", "binsize",
  ]
  private static let startNames: Set<String> = [
    "from", "start", "since", "starttime", "timefrom", "timestart", "begin", "period1",
  ]
  private static let endNames: Set<String> = [
    "to", "end", "until", "endtime", "timeto", "timeend", "before", "period2",
  ]

  /// Splits a URL; nil for anything but an http URL without user and fragment.
  init?(_ url: String, _ names: inout SampleNames, isSeries: Bool) {
    guard let scheme = ["https://", "http://"].first(where: { url.lowercased().hasPrefix($0) }) else { return nil }
    let rest = url.dropFirst(scheme.count)
    guard rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !rest.contains(where: { "#{}\\".contains($0) }) else {
      return nil
    }
    secrets = SampleSecrets(in: url)
    let address = rest.prefix { $0 != "?" }
    let query = rest.dropFirst(address.count + 1)
    let path = secrets.redaction.text(String(address))
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let host = segments.first, !host.isEmpty, !host.contains("@") else { return nil }
    let fixed = Array(segments.dropFirst().prefix { Self.isOfTheRoot($0) })
    let own = Array(segments.dropFirst(1 + fixed.count))
    base = scheme + ([host] + fixed).joined(separator: "/")

    var isBatch = false
    // An example asks for one coin at one time, so a URL of several coins or of another time is not used for it.
    var isAnother = false
    var interval: String?
    var get = own.map { segment -> String in
      if let list = names.list(segment) {
        (isBatch, isAnother) = (true, true)
        return "/" + list
      }
      return "/" + (names.template(of: segment) ?? segment)
    }.joined()
    if get.isEmpty { get = "/" }
    var asked = own.map { "/" + $0 }.joined()
    if asked.isEmpty { asked = "/" }
    var separator = "?"
    for parameter in query.split(separator: "&") {
      let name = String(parameter.prefix { $0 != "=" })
      let value = String(parameter.dropFirst(name.count + 1))
      let plain = SamplePath.plain(name)
      if SampleSecrets.isName(name) { continue }
      var template = names.template(of: value) ?? value
      if let list = names.list(value) {
        (template, isBatch, isAnother) = (list, true, true)
      } else if template == "{id}", ["ids", "coins", "coinids"].contains(plain) {
        (template, isBatch) = ("{ids}", true)
      } else if template == "{SYMBOL}", ["symbols", "tickers"].contains(plain) {
        (template, isBatch) = ("{SYMBOLS}", true)
      } else if isSeries, Self.intervalNames.contains(plain), !value.isEmpty {
        (template, interval) = ("{interval}", value)
      } else if isSeries, plain == "days", Int(value) != nil {
        (template, isAnother) = ("{days}", true)
      } else if isSeries, let stamp = Self.stamp(plain, value) {
        (template, isAnother) = (stamp, true)
      }
      get += separator + name + (parameter.contains("=") ? "=" + template : "")
      asked += separator + parameter
      separator = "&"
    }
    // One request for several coins is possible only for latest prices.
    self.get = isSeries ? get.replacing("{ids}", with: "{id}").replacing("{SYMBOLS}", with: "{SYMBOL}") : get
    self.asked = isAnother ? nil : asked
    self.isBatch = isBatch && !isSeries
    self.interval = interval
  }

  /// Whether a segment belongs to the API as a whole: `api`, `v3`, `0`, `public`.
  private static func isOfTheRoot(_ segment: String) -> Bool {
    if ["api", "public", "rest", "exchange"].contains(segment.lowercased()) { return true }
    let digits = segment.hasPrefix("v") ? segment.dropFirst() : segment[...]
    return !digits.isEmpty && digits.utf8.count <= 4
      && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }
  }

  /// Returns the placeholder for a time, by the name of its parameter; nil for any other value.
  private static func stamp(_ name: String, _ value: String) -> String? {
    let end = startNames.contains(name) ? "from" : endNames.contains(name) ? "to" : nil
    guard let end, let instant = SampleNode.instant(value.replacing("%3A", with: ":")) else { return nil }
    switch instant.format {
    case .seconds: return "{\(end)}"
    case .milliseconds: return "{\(end)_ms}"
    case .iso8601: return "{\(end)_iso}"
    case .pattern: return nil
    }
  }
}
