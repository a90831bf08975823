import Glibc

/// The generator SplitMix64 by Sebastiano Vigna: the same numbers for the same seed on every machine.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to below 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a number from 0 to below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

  /// Returns the time to the next event of a Poisson process, in microseconds.
  ///
  /// - Parameter rate: Events per second.
  mutating func wait(rate: Double) -> Double { -log(1 - unit()) / rate * 1e6 }
}

/// Draws from Zipf's law with exponent 1: the n-th coin is asked for 1/n times as often as the first.
///
/// Walker's alias method: two look-ups per draw.
struct ZipfDraw {
  private var threshold: [Double]
  private var alias: [Int32]

  init(_ count: Int) {
    let weights = (1...count).map { 1 / Double($0) }
    let mean = weights.reduce(0, +) / Double(count)
    var left = weights.map { $0 / mean }
    threshold = Array(repeating: 1, count: count)
    alias = (0..<count).map { Int32($0) }
    var small = left.indices.filter { left[$0] < 1 }
    var large = left.indices.filter { left[$0] >= 1 }
    while let low = small.popLast(), let high = large.popLast() {
      (threshold[low], alias[low]) = (left[low], Int32(high))
      left[high] -= 1 - left[low]
      if left[high] < 1 { small.append(high) } else { large.append(high) }
    }
  }

  /// Returns the position of a coin, from 0.
  func draw(_ random: inout SeededRandom) -> Int {
    let column = random.below(threshold.count)
    return random.unit() < threshold[column] ? column : Int(alias[column])
  }
}
