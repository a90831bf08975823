import BitpalModel
import FoundationEssentials

/// A coin with its price path and the figures that follow from it.
struct SimulatedCoin {
  let coin: MarketCoin
  let path: PricePath
  let circulating: Decimal
  let total: Decimal?
  let max: Decimal?
  let volume: Decimal
  let ath: (price: Decimal, date: String)
  let atl: (price: Decimal, date: String)

  /// When the source last updated it.
  let lastUpdated: String

  /// 1 for the largest market cap.
  var rank = 0

  init(coin: MarketCoin, path: PricePath, seed: UInt64) throws {
    var random = SplitMix64(seed: seed, purpose: "figures " + coin.id)
    self.coin = coin
    self.path = path
    circulating = try Decimal(strict: coin.circulating)
    total = try coin.total.map { try Decimal(strict: $0) }
    max = try coin.max.map { try Decimal(strict: $0) }
    volume = try Decimal(strict: coin.volume) * Decimal(random.next(in: 985_000_000...1_015_000_000)) / 1_000_000_000
    let athDate = try Moment.sometime(on: coin.ath.day, random: &random)
    let athPrice = try Decimal(strict: coin.ath.price)
    let peak = path.peak
    ath = peak.price > athPrice ? (peak.price, Moment.iso8601(peak.instant + 411)) : (athPrice, athDate)
    atl = (try Decimal(strict: coin.atl.price), try Moment.sometime(on: coin.atl.day, random: &random))
    let age = coin.id == Quirk.withoutChange ? 7_384_207 : random.next(in: 1...18) * 1000 + random.next(in: 1...999)
    lastUpdated = Moment.iso8601(Moment.now - age)
  }

  var marketCap: Decimal { path.last * circulating }

  /// The value of all coins there will ever be; nil where their number is unknown.
  var fullyDilutedValuation: Decimal? { (max ?? total).map { path.last * $0 } }

  /// The highest and lowest price of the last 24 hours.
  var day: (high: Decimal, low: Decimal) {
    let candle = path.candle(from: Moment.now - Moment.day, to: Moment.now + Moment.minute)
    return (candle?.high ?? path.last, candle?.low ?? path.last)
  }

  /// The price 24 hours ago.
  var yesterday: Decimal { path.price(minutesAgo: 1440) ?? path.last }
}
