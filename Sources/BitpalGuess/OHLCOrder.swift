import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The order of open, high, low and close among columns without names, found by the rules that every candle obeys.
///
/// The high is never below another price of its row, the low never above. A candle opens about where the one before has
/// closed.
struct OHLCOrder: Sendable {
  /// The positions of the columns.
  let open: Int
  let high: Int
  let low: Int
  let close: Int

  /// The confidence in high and low.
  let rangeConfidence: Confidence

  /// The confidence in open and close.
  let endsConfidence: Confidence

  /// Finds the order; nil when no columns obey the rules.
  ///
  /// - Parameter columns: The numbers of each column, all of the same length, in the order of time.
  init?(_ columns: [[Decimal]]) {
    guard let count = columns.first?.count, count > 0 else { return nil }
    let similar = Self.similar(columns)
    for chosen in Self.candidates(similar) {
      // In the order of the columns, so that the first of equal ones is the high: it usually comes before the low.
      let highs = chosen.filter { column in
        (0..<count).allSatisfy { row in chosen.allSatisfy { columns[$0][row] <= columns[column][row] } }
      }
      let lows = chosen.filter { column in
        (0..<count).allSatisfy { row in chosen.allSatisfy { columns[$0][row] >= columns[column][row] } }
      }
      guard let high = highs.first, let low = lows.first(where: { $0 != high }) else { continue }
      let ends = chosen.filter { $0 != high && $0 != low }
      guard let pair = Self.ends(ends, columns, count) else { continue }
      (self.high, self.low, open, close) = (high, low, pair.open, pair.close)
      rangeConfidence = highs.count > 1 || lows.count > 1 ? .guess : count >= 3 ? .certain : .likely
      endsConfidence = pair.confidence
      return
    }
    return nil
  }

  /// Returns the columns with numbers of similar size: the largest group within a factor of two of one of them.
  private static func similar(_ columns: [[Decimal]]) -> [Int] {
    let firsts = columns.map { $0.first ?? 0 }
    let groups = firsts.map { base in
      firsts.indices.filter { base > 0 && firsts[$0] > 0 && firsts[$0] < base * 2 && base < firsts[$0] * 2 }
    }
    return groups.max { $0.count < $1.count } ?? []
  }

  /// Returns all columns, then all but each one, which may be a volume of similar size.
  private static func candidates(_ columns: [Int]) -> [[Int]] {
    guard columns.count >= 4, columns.count <= 12 else { return [] }
    return [columns] + (columns.count > 4 ? columns.reversed().map { left in columns.filter { $0 != left } } : [])
  }

  private static func ends(
    _ columns: [Int], _ values: [[Decimal]], _ count: Int
  ) -> (open: Int, close: Int, confidence: Confidence)? {
    guard columns.count >= 2 else { return nil }
    var pairs: [(open: Int, close: Int, gap: Decimal)] = []
    for open in columns {
      for close in columns where close != open {
        let gaps = (1..<max(1, count)).map { row -> Decimal in
          let gap = values[open][row] - values[close][row - 1]
          return gap < 0 ? .zero - gap : gap
        }
        pairs.append((open, close, gaps.reduce(0, +)))
      }
    }
    // Sorting is stable: of equal pairs the one whose open comes first is taken.
    let sorted = pairs.sorted { $0.gap < $1.gap }
    guard let best = sorted.first else { return nil }
    guard count > 1, sorted.count > 1 else { return (best.open, best.close, .guess) }
    let isClear = best.gap * 2 < sorted[1].gap
    return (best.open, best.close, !isClear ? .guess : count >= 3 ? .certain : .likely)
  }
}
