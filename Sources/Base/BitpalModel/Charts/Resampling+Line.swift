package import FoundationEssentials

extension Resampling {
  /// Returns at most `count` of the points, chosen so that the line looks the same.
  ///
  /// Largest triangle, three buckets (Steinarsson 2013): the first and the last point stay, and of each bucket between
  /// them the point that spans the largest triangle with the one chosen before and the mean of the bucket after. From a
  /// count of 4 up the highest and the lowest point stay too, which the method alone does not promise; so the drawing
  /// agrees with the statistics. The points are returned unchanged, never averaged.
  ///
  /// - Parameters:
  ///   - points: By time.
  ///   - count: Below 1 gives none; 1 gives the last point.
  public static func reduce(_ points: [ChartDataPoint], to count: Int) -> [ChartDataPoint] {
    guard count < points.count else { return points }
    guard count > 2 else { return count < 1 ? [] : (count == 1 ? [] : points.prefix(1)) + points.suffix(1) }
    let coordinates = Coordinates(points)
    let (lowest, highest) = coordinates.extremes
    let pinned = [lowest, highest].filter { $0 != 0 && $0 != points.count - 1 }
    var chosen = choose(coordinates, count: count, pinned: pinned)
    // Two extremes in one bucket give one point too many; one bucket less makes room for both.
    if chosen.count > count, count > 3 { chosen = choose(coordinates, count: count - 1, pinned: pinned) }
    return chosen.prefix(count - 1).map { points[$0] } + points.suffix(1)
  }

  /// Splits the points into runs where the source has a gap: an interval of more than three times the usual spacing.
  public static func runs(_ points: [ChartDataPoint]) -> [ArraySlice<ChartDataPoint>] {
    let times = points.map(\.timestamp.milliseconds)
    let spacings = zip(times.dropFirst(), times).map { $0 - $1 }
    guard spacings.count > 1 else { return points.isEmpty ? [] : [points[...]] }
    let usual = spacings.sorted()[spacings.count / 2]
    var runs: [ArraySlice<ChartDataPoint>] = []
    var start = 0
    for (index, spacing) in spacings.enumerated() where spacing > 3 * usual {
      runs.append(points[start...index])
      start = index + 1
    }
    return runs + [points[start...]]
  }

  private static func choose(_ line: Coordinates, count: Int, pinned: [Int]) -> [Int] {
    let last = line.x.count - 1
    let buckets = count - 2
    func start(_ bucket: Int) -> Int { 1 + bucket * (last - 1) / buckets }
    var chosen = [0]
    var previous = 0
    for bucket in 0..<buckets {
      let range = start(bucket)..<start(bucket + 1)
      let kept = Set(pinned).filter(range.contains).sorted()
      if kept.isEmpty {
        let next = bucket + 1 < buckets ? start(bucket + 1)..<start(bucket + 2) : last..<(last + 1)
        previous = line.largestTriangle(from: previous, in: range, to: line.mean(of: next))
        chosen.append(previous)
      } else {
        chosen += kept
        previous = kept.last ?? previous
      }
    }
    return chosen + [last]
  }

  /// The positions of points in a plane.
  ///
  /// A `Double` suffices to compare areas; no price is made from one.
  private struct Coordinates {
    let x: [Double]
    let y: [Double]
    private let prices: [Decimal]

    init(_ points: [ChartDataPoint]) {
      let origin = points.first?.timestamp ?? .distantPast
      x = points.map { $0.timestamp.timeIntervalSince(origin) }
      y = points.map(\.price.approximation)
      prices = points.map(\.price)
    }

    /// The first lowest and the first highest point.
    var extremes: (lowest: Int, highest: Int) {
      var (lowest, highest) = (0, 0)
      for index in x.indices {
        if isLess(index, lowest) { lowest = index }
        if isLess(highest, index) { highest = index }
      }
      return (lowest, highest)
    }

    func mean(of range: Range<Int>) -> (x: Double, y: Double) {
      let count = Double(max(1, range.count))
      return (x[range].reduce(0, +) / count, y[range].reduce(0, +) / count)
    }

    func largestTriangle(from previous: Int, in range: Range<Int>, to next: (x: Double, y: Double)) -> Int {
      let (left, base) = (x[previous], y[previous])
      var best = range.lowerBound
      var largest = -1.0
      for index in range {
        let area = abs((left - next.x) * (y[index] - base) - (left - x[index]) * (next.y - base))
        if area > largest { (largest, best) = (area, index) }
      }
      return best
    }

    /// Compares two prices exactly, even where their approximations are equal.
    private func isLess(_ left: Int, _ right: Int) -> Bool {
      let difference = y[left] - y[right]
      return abs(difference) > 1e-13 * max(abs(y[left]), abs(y[right])) ? difference < 0 : prices[left] < prices[right]
    }
  }
}

extension Decimal {
  /// The nearest `Double` or one beside it: precise enough for a position in a picture, never for money.
  ///
  /// NaN is 0.
  package var approximation: Double {
    guard let parts = DecimalParts(self) else { return 0 }
    var value = UInt64(exactly: parts.coefficient).map { Double($0) } ?? Double(parts.coefficient)
    var exponent = parts.exponent
    while exponent < 0 {
      let step = min(-exponent, 22)
      value /= Self.exactPowers[step]
      exponent += step
    }
    while exponent > 0 {
      let step = min(exponent, 22)
      value *= Self.exactPowers[step]
      exponent -= step
    }
    return parts.isNegative ? -value : value
  }

  /// The powers of ten that a `Double` holds exactly.
  private static let exactPowers: [Double] = (0..<22).reduce(into: [1]) { powers, _ in
    powers.append((powers.last ?? 1) * 10)
  }
}
