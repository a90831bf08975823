import BitpalModel
import BitpalProviders
import FoundationEssentials

/// Finds open, high, low and close among columns without names, by the rules that every candle obeys.
///
/// The high is nowhere below another price of its row, the low nowhere above; and a candle opens about where the one
/// before has closed.
struct OHLCOrder: Sendable {
  /// The columns' positions.
  let open: Int
  let high: Int
  let low: Int
  let close: Int

  /// How sure high and low are.
  let rangeConfidence: Confidence

  /// How sure open and close are.
  let endsConfidence: Confidence

  /// - Parameters:
  ///   - columns: The numbers of each column, all of the same length, in the order of time.
  init?(_ columns: [[Decimal]]) {
    guard let count = columns.first?.count, count > 0 else { return nil }
    let similar = Self.similar(columns)
    for chosen in Self.candidates(similar) {
      // In the order of the columns, so that of equal ones the first is the high: it usually stands before the low.
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

  /// The columns whose numbers are of one size: those most of which are within a factor of two of another.
  private static func similar(_ columns: [[Decimal]]) -> [Int] {
    let firsts = columns.map { $0.first ?? 0 }
    let groups = firsts.map { base in
      firsts.indices.filter { base > 0 && firsts[$0] > 0 && firsts[$0] < base * 2 && base < firsts[$0] * 2 }
    }
    return groups.max { $0.count < $1.count } ?? []
  }

  /// All of them, else all but one that may be a volume of the same size.
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
    // Sorting is stable: of equal pairs the one whose open stands first is taken.
    let sorted = pairs.sorted { $0.gap < $1.gap }
    guard let best = sorted.first else { return nil }
    guard count > 1, sorted.count > 1 else { return (best.open, best.close, .guess) }
    let isClear = best.gap * 2 < sorted[1].gap
    return (best.open, best.close, !isClear ? .guess : count >= 3 ? .certain : .likely)
  }
}
