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
