/// A set of ASCII characters, as two words so that testing each byte of a body is cheap; it never contains a byte
/// beyond ASCII.
struct ASCIISet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Creates the set of a text's characters.
  init(_ characters: StaticString) {
    for index in 0..<characters.utf8CodeUnitCount { insert(characters.utf8Start[index]) }
  }

  /// The control characters U+0000 to U+001F.
  static let controls = {
    var set = ASCIISet("")
    set.low = 0xFFFF_FFFF
    return set
  }()

  /// Adds a character.
  mutating func insert(_ byte: UInt8) {
    guard byte < 0x80 else { return }
    if byte < 0x40 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 0x3F) }
  }

  /// Returns the characters of either set.
  func union(_ other: ASCIISet) -> ASCIISet {
    var set = self
    set.low |= other.low
    set.high |= other.high
    return set
  }

  /// Returns whether the set contains a byte.
  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    byte < 0x80 && (byte < 0x40 ? low : high) >> UInt64(byte & 0x3F) & 1 != 0
  }
}
