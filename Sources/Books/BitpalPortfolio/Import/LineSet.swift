/// A set of lines of a file; a bit for each, because a file may have a hundred thousand rows.
struct LineSet {
  private var words: [UInt64] = []

  /// Adds a line; returns whether it is new.
  @discardableResult
  mutating func insert(_ line: Int) -> Bool {
    guard line >= 0 else { return false }
    let (place, bit) = (line >> 6, UInt64(1) << UInt64(line & 63))
    if place >= words.count { words += repeatElement(0, count: max(place + 1 - words.count, words.count)) }
    defer { words[place] |= bit }
    return words[place] & bit == 0
  }

  /// Returns whether a line is in the set.
  func contains(_ line: Int) -> Bool {
    let place = line >> 6
    return words.indices.contains(place) && words[place] & 1 << UInt64(line & 63) != 0
  }
}
