import BitpalModel
public import BitpalNetwork
import BitpalProviders
import BitpalReplay

/// One answer of a source that nobody has described yet, and what it was an answer to.
public struct SampleAnswer: Sendable {
  /// The answer, as the source sent it.
  public internal(set) var body: [UInt8]

  /// Where it came from; nil when only the body is known.
  public let url: String?

  /// What was sent to have it; nil when it was asked for with a GET.
  public let sent: String?

  /// The coin that was asked for, by our id.
  public let coin: String

  /// Its ticker.
  public let symbol: String

  /// The currency, lower case.
  public let currency: String

  /// The headers it was asked with, besides `accept`.
  public let headers: [SampleHeader]

  /// Whether it has more values than are looked at.
  var isCut = false

  /// What the source sent, where that is CSV or XML, and how it became the JSON that ``body`` is; nil for JSON.
  var other: (form: SampleForm, sent: [UInt8])?

  /// Creates a sample.
  public init(
    body: [UInt8], url: String? = nil, sent: String? = nil, coin: String = "bitcoin", symbol: String = "BTC",
    currency: String = "usd",
    headers: [SampleHeader] = []
  ) {
    self.headers = headers
    self.body = body
    self.url = url
    self.sent = sent
    self.coin = coin
    self.symbol = symbol
    self.currency = currency.lowercased()
  }

  /// Removes from what the source says the keys that it was asked with.
  public var redaction: Redaction {
    Redaction((url.map { SampleSecrets(in: $0).secrets } ?? []) + headers.compactMap(\.key))
  }
}

/// What in the URL of a sample looks like a key.
///
/// A key is taken for one too many rather than one too few: what is left out by mistake is told, and can be put back.
public struct SampleSecrets: Sendable {
  /// The names of the parameters that were found.
  let names: [String]

  /// Whether a part of the path looks like one.
  let isInPath: Bool

  /// The values.
  let secrets: [Secret]

  /// Removes the values, in whatever encoding they appear.
  public let redaction: Redaction

  /// Looks for keys in a URL.
  public init(in url: String) {
    let url = RequestURL(url)
    let parameters = url.query.filter { Self.isName($0.name) && $0.value?.isEmpty == false }
    let segments = url.path.split(separator: "/").map(String.init).filter { Self.isKey($0) }
    names = parameters.map(\.name)
    isInPath = !segments.isEmpty
    let values = (parameters.compactMap(\.value) + segments).map { RequestURL.decoded($0) }
    secrets = values.filter { $0.utf8.count >= Self.shortest }.map { Secret($0) }
    redaction = Redaction(secrets)
  }

  /// Shorter values are no keys, and may well stand in the answer.
  private static let shortest = 8

  private static let nameEndings = [
    "key", "token", "secret", "signature", "sig", "password", "passwd", "pwd", "session", "sessionid", "auth",
    "authorization", "credential", "credentials", "appid", "jwt", "cookie",
  ]

  /// Whether a parameter's name says that it is a key: `X-CMC_PRO_API_KEY`, `client_secret`, `sig`.
  static func isName(_ name: String) -> Bool {
    let plain = SamplePath.plain(name)
    return nameEndings.contains { plain.hasSuffix($0) }
  }

  /// Whether a part of a path looks like a key: long, with letters and digits in turn.
  ///
  /// Addresses of contracts (`0x…`) look alike, and are public.
  static func isKey(_ segment: String) -> Bool {
    guard segment.utf8.count >= 20, !segment.hasPrefix("0x") else { return false }
    let areDigits = segment.utf8.compactMap { byte -> Bool? in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): false
      default: nil
      }
    }
    // The words and dates of a path change from letters to digits once or twice.
    return zip(areDigits, areDigits.dropFirst()).filter { $0 != $1 }.count >= 4
  }
}
