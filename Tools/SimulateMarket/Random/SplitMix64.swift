/// The generator SplitMix64 by Sebastiano Vigna: 64 bits of state, the same numbers on every machine.
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// A stream of its own for each purpose, so that one coin more or less does not change the others.
  init(seed: UInt64, purpose: String) {
    // FNV-1a: the standard library's hashes differ from run to run.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in purpose.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    var mixer = SplitMix64(seed: seed ^ hash)
    state = mixer.next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number of the range.
  ///
  /// The bias of the remainder is far below what a demo can show.
  mutating func next(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  /// Roughly normal with mean 0 and the given standard deviation: four uniform 16-bit numbers added up.
  mutating func nextNormal(deviation: Int) -> Int {
    let bits = next()
    let sum = Int(bits & 0xFFFF) + Int(bits >> 16 & 0xFFFF) + Int(bits >> 32 & 0xFFFF) + Int(bits >> 48)
    // The mean of the sum is 4 × 65535 / 2, its standard deviation 65536 / √3.
    return deviation * (sum - 131_070) / 37_837
  }
}
