import BitpalModel
package import BitpalNetwork
import BitpalProviders
import BitpalReplay

/// One answer of a source without a provider file, together with its request.
package struct SampleAnswer: Sendable {
  /// The answer as the source sent it; for CSV and XML the JSON that it becomes.
  package internal(set) var body: [UInt8]

  /// The URL of the request; nil when only the body is known.
  package let url: String?

  /// The coin of the request, by our id.
  package let coin: String

  /// The ticker of the coin.
  package let symbol: String

  /// The currency of the request, lower case.
  package let currency: String

  /// The headers of the request in addition to `accept`.
  package let headers: [SampleHeader]

  /// Whether it has more values than are read.
  var isCut = false

  /// The original CSV or XML, and the form by which it became the JSON in ``body``; nil for JSON.
  var other: (form: SampleForm, sent: [UInt8])?

  /// Creates a sample.
  package init(
    body: [UInt8], url: String? = nil, coin: String = "bitcoin", symbol: String = "BTC",
    currency: String = "usd",
    headers: [SampleHeader] = []
  ) {
    self.headers = headers
    self.body = body
    self.url = url
    self.coin = coin
    self.symbol = symbol
    self.currency = currency.lowercased()
  }

  /// A redaction that removes the keys of the request from texts.
  package var redaction: Redaction {
    Redaction((url.map { SampleSecrets(in: $0).secrets } ?? []) + headers.compactMap(\.key))
  }
}

/// The parts of a sample's URL that look like a key.
///
/// In doubt a part counts as a key: a note names what was removed by mistake, and the user can put it back.
package struct SampleSecrets: Sendable {
  /// The names of the parameters with a key.
  let names: [String]

  /// Whether a part of the path looks like a key.
  let isInPath: Bool

  /// The values of the keys.
  let secrets: [Secret]

  /// A redaction that removes the values, in any encoding.
  package let redaction: Redaction

  /// Looks for keys in a URL.
  package init(in url: String) {
    let url = RequestURL(url)
    let parameters = url.query.filter { Self.isName($0.name) && $0.value?.isEmpty == false }
    let segments = url.path.split(separator: "/").map(String.init).filter { Self.isKey($0) }
    names = parameters.map(\.name)
    isInPath = !segments.isEmpty
    let values = (parameters.compactMap(\.value) + segments).map { RequestURL.decoded($0) }
    secrets = values.filter { $0.utf8.count >= Self.shortest }.map { Secret($0) }
    redaction = Redaction(secrets)
  }

  /// The shortest key in bytes; a shorter value may well be a part of the answer.
  private static let shortest = 8

  private static let nameEndings = [
    "key", "token", "secret", "signature", "sig", "password", "passwd", "pwd", "session", "sessionid", "auth",
    "authorization", "credential", "credentials", "appid", "jwt", "cookie",
  ]

  /// Whether a parameter's name indicates a key: `X-CMC_PRO_API_KEY`, `client_secret`, `sig`.
  static func isName(_ name: String) -> Bool {
    let plain = SamplePath.plain(name)
    return nameEndings.contains { plain.hasSuffix($0) }
  }

  /// Whether a part of a path looks like a key: long, with alternating letters and digits.
  ///
  /// Addresses of contracts (`0x…`) look similar, and are public.
  static func isKey(_ segment: String) -> Bool {
    guard segment.utf8.count >= 20, !segment.hasPrefix("0x") else { return false }
    let areDigits = segment.utf8.compactMap { byte -> Bool? in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): false
      default: nil
      }
    }
    // The words and dates of a path change from letters to digits only once or twice.
    return zip(areDigits, areDigits.dropFirst()).filter { $0 != $1 }.count >= 4
  }
}
