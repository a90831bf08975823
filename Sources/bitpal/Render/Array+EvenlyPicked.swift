extension Array {
  /// At most `count` elements, evenly spread, the first and the last among them; for a count below 2 only the last.
  func evenlyPicked(atMost count: Int) -> [Element] {
    guard self.count > count else { return self }
    guard count >= 2 else { return suffix(1) }
    let gaps = count - 1
    return (0...gaps).map { self[($0 * (self.count - 1) + gaps / 2) / gaps] }
  }
}
