import BitpalModel
public import BitpalNetwork
import BitpalProviders
import FoundationEssentials

/// A simulation of CoinGecko with three invented coins, without a network, for the check of the built-in dialect.
public struct SampleMarket: Transport {
  static let instant = Date(milliseconds: 1_736_937_000_000)
  private static let day = Int64(86_400_000)
  static let coins = [("one", "1.000000000000000001"), ("two", "67187.3358936566"), ("three", "1.234e-05")]

  /// The instants of its prices, in milliseconds.
  static var stamps: StrideThrough<Int64> {
    stride(from: instant.milliseconds - day, through: instant.milliseconds, by: 1_800_000)
  }

  /// Creates the market.
  public init() {}

  /// The questions that the market can answer.
  public static var sample: ConformanceSample {
    let window = TimeWindow(ending: instant, length: .milliseconds(day))
    return ConformanceSample(
      coins: coins.map(\.0), currency: "usd", prices: Dictionary(uniqueKeysWithValues: coins),
      line: ("one", "usd", window), candles: ("one", "usd", window, .seconds(1800)), source: SampleMarket())
  }

  /// Answers as CoinGecko does: in an order of its own, and without mention of unknown coins.
  ///
  /// - Throws: `CancellationError`.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let url = request.url
    if let response = relayed(url) { return response }
    if url.contains("vs_currency="), !url.contains("vs_currency=usd") {
      return HTTPResponse(status: 422, body: Array(#"{"error":"invalid vs_currency"}"#.utf8))
    }
    if url.contains("/coins/"), !url.contains("/coins/markets"), !url.contains("/coins/one/") {
      return HTTPResponse(status: 404, body: Array(#"{"error":"coin not found"}"#.utf8))
    }
    let stamps = Self.stamps
    let body: String
    if url.contains("/market_chart") {
      body = #"{"prices":[\#(stamps.map { "[\($0),1.53125]" }.joined(separator: ","))]}"#
    } else if url.contains("/ohlc") {
      body = "[\(stamps.map { "[\($0),1.015625,2.03125,0.5078125,1.53125]" }.joined(separator: ","))]"
    } else {
      let rows = Self.coins.reversed().map { id, price in
        #"{"id":"\#(id)","symbol":"\#(id)","name":"\#(id)","current_price":\#(price)}"#
      }
      body = "[\(rows.joined(separator: ","))]"
    }
    return HTTPResponse(status: 200, body: Array(body.utf8))
  }
}
