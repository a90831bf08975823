/// Bytes with a few of them changed, removed or put in, at random and the same in every run.
package struct Mutations: Sequence, IteratorProtocol {
  private let whole: [UInt8]
  private let bytes: Range<Int>
  private var left: Int
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// - Parameters:
  ///   - whole: What is changed; not empty.
  ///   - bytes: What may be put in.
  ///   - count: How many there are.
  package init(of whole: [UInt8], putting bytes: Range<Int> = 0..<256, count: Int = 3000) {
    self.whole = whole
    self.bytes = bytes
    left = count
  }

  package mutating func next() -> [UInt8]? {
    guard left > 0 else { return nil }
    left -= 1
    var changed = whole
    for _ in 0..<(1 + random(below: 4)) where !changed.isEmpty {
      let place = random(below: changed.count)
      switch random(below: 3) {
      case 0: changed[place] = whole[random(below: whole.count)]
      case 1: changed.remove(at: place)
      default: changed.insert(UInt8(clamping: bytes.lowerBound + random(below: bytes.count)), at: place)
      }
    }
    return changed
  }

  private mutating func random(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
