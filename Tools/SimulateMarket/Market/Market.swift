import BitpalModel
import FoundationEssentials

/// All simulated coins, the largest market cap first.
///
/// They share the market's returns, each to its degree, and add their own: so they rise and fall together, not alike.
struct Market {
  let coins: [SimulatedCoin]

  init(seed: UInt64) throws {
    let minutes = 365 * 1440
    let firstMinute = Moment.now / Moment.minute - minutes + 1
    var stream = ReturnStream(random: SplitMix64(seed: seed, purpose: "market"), dailyDeviation: 150)
    let returns = (0..<minutes).map { stream.next(minute: firstMinute + $0) }
    coins =
      try MarketCoin.all
      .map { coin in
        let slice = coin.hasYear ? returns[...] : returns.suffix(1440)
        let path = try PricePath(coin: coin, marketReturns: slice, seed: seed)
        return try SimulatedCoin(coin: coin, path: path, seed: seed)
      }
      .sorted { $0.marketCap > $1.marketCap }
      .enumerated()
      .map { index, coin in
        var ranked = coin
        ranked.rank = index + 1
        return ranked
      }
  }

  /// The coins with a year of path, in the order of the table.
  var charted: [SimulatedCoin] {
    MarketCoin.all.filter(\.hasYear).compactMap { coin in coins.first { $0.coin.id == coin.id } }
  }

  /// The path of that coin.
  func path(of id: String) throws -> PricePath {
    guard let coin = coins.first(where: { $0.coin.id == id }) else {
      throw SimulationError(message: "the market has no \(id)")
    }
    return coin.path
  }
}

/// The instant of the recording and the calendar around it, in milliseconds since 1970.
enum Moment {
  /// 2025-01-15T10:30:00Z.
  static let now = 1_736_937_000_000

  static let minute = 60_000
  static let hour = 60 * minute
  static let day = 24 * hour

  static func iso8601(_ milliseconds: Int) -> String {
    Date(milliseconds: Int64(milliseconds)).iso8601
  }

  /// Some instant of that day (`2021-11-10`), with milliseconds as the source writes them.
  static func sometime(on day: String, random: inout SplitMix64) throws -> String {
    guard let midnight = Date(utcText: day) else { throw SimulationError(message: "\"\(day)\" is not a day") }
    return iso8601(Int(midnight.milliseconds) + random.next(in: 0...86_399) * 1000 + random.next(in: 1...999))
  }
}

/// The places where the source's odd habits are acted out, each by one coin.
enum Quirk {
  /// The coin whose 1-day line ends with a stamp before the last but one (0.955 s in a recorded answer).
  static let steppingBack = "dogecoin"

  /// The coin whose quote is stale and has no 24-hour figures, as 4 of 2,044 recorded rows.
  static let withoutChange = "vechain"

  /// The coin whose 1-year line has a null market cap, as bitcoin had for one day of 2017.
  static let withoutCap = "ethereum"
}
