import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The answer of `/coins/{id}/market_chart`: prices, market caps and volumes at the same jittered stamps.
struct LineBody {
  let coin: SimulatedCoin
  let days: Int
  let seed: UInt64

  func make() throws -> JSONValue {
    let stamps = stamps()
    var prices: [JSONValue] = []
    var caps: [JSONValue] = []
    var volumes: [JSONValue] = []
    for (index, stamp) in stamps.enumerated() {
      let price = coin.path.price(at: stamp)
      prices.append([.integer(stamp), WireNumber.full(price)])
      caps.append([.integer(stamp), hasNullCap(at: index) ? .null : WireNumber.full(price * coin.circulating)])
      volumes.append([.integer(stamp), try volume(at: stamp, isLast: index == stamps.count - 1)])
    }
    return ["prices": .array(prices), "market_caps": .array(caps), "total_volumes": .array(volumes)]
  }

  /// Every 5 minutes, hour or day by the length of the line, and then "now", off the grid.
  private func stamps() -> [Int] {
    let now = coin.coin.id == Quirk.steppingBack ? Moment.now - 1000 : Moment.now
    switch days {
    case 1:
      var stamps = (0..<288).map { jittered(Moment.now - Moment.day + $0 * 5 * Moment.minute) }
      // The first is inside the window and in the minute from which the 24-hour change is counted.
      stamps[0] = Moment.now - Moment.day + 1 + abs(stamps[0] - (Moment.now - Moment.day)) % 59_000
      if coin.coin.id == Quirk.steppingBack { stamps[287] = now + 955 }
      return stamps + [now]
    case ...90:
      let last = Moment.now / Moment.hour * Moment.hour
      return (1 - 24 * days...0).map { jittered(last + $0 * Moment.hour) } + [now]
    default:
      let last = Moment.now / Moment.day * Moment.day
      return (1 - days...0).map { last + $0 * Moment.day } + [now]
    }
  }

  /// The stamp near a grid time, the same in every line of the coin, so that lines of different lengths share points.
  private func jittered(_ instant: Int) -> Int {
    var random = SplitMix64(seed: seed, purpose: "stamp \(coin.coin.id) \(instant)")
    let late = random.next(in: 0...15) == 0 ? random.next(in: 0...105_000) : 0
    return instant + random.next(in: -45_000...45_000) + late
  }

  private func hasNullCap(at index: Int) -> Bool {
    coin.coin.id == Quirk.withoutCap && days == 365 && index == 77
  }

  /// The volume follows how much the price moves.
  ///
  /// The last one is that of the quote; a few are whole, as in the source.
  private func volume(at stamp: Int, isLast: Bool) throws -> JSONValue {
    if isLast { return WireNumber.full(coin.volume) }
    var random = SplitMix64(seed: seed, purpose: "volume \(coin.coin.id) \(stamp)")
    let noise = Decimal(random.next(in: 982_000_000...1_018_000_000)) / 1_000_000_000
    let value = try coin.volume * noise * coin.path.relativeVolume(at: stamp).rounded(scale: 12)
    return random.next(in: 0...149) == 0 ? WireNumber.integer(value) : WireNumber.full(value)
  }
}
