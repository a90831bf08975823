/// One answer of a source that nobody has described yet, and what it was an answer to.
public struct SampleAnswer: Sendable {
  /// The answer, as the source sent it.
  public internal(set) var body: [UInt8]

  /// Where it came from; nil when only the body is known.
  public let url: String?

  /// The coin that was asked for, by our id.
  public let coin: String

  /// Its ticker.
  public let symbol: String

  /// The currency, lower case.
  public let currency: String

  /// Whether it has more values than are looked at.
  var isCut = false

  /// Creates a sample.
  public init(
    body: [UInt8], url: String? = nil, coin: String = "bitcoin", symbol: String = "BTC", currency: String = "usd"
  ) {
    self.body = body
    self.url = url
    self.coin = coin
    self.symbol = symbol
    self.currency = currency.lowercased()
  }
}
