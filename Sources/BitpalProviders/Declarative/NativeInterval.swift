import BitpalModel

/// Which of a source's candle widths is asked for.
enum NativeInterval {
  /// The wanted width if the source has it, else its widest that divides the wanted one, else its narrowest.
  static func choose(
    _ wanted: Duration, among intervals: [DeclaredOperation.Interval]
  ) -> DeclaredOperation.Interval? {
    func divides(_ width: Duration) -> Bool {
      width.milliseconds > 0 && width <= wanted && wanted.milliseconds % width.milliseconds == 0
    }
    return intervals.filter { divides($0.width) }.max { $0.width < $1.width }
      ?? intervals.min { $0.width < $1.width }
  }

  /// The narrowest spacing of which no more than `most` points cover the window, else the widest.
  static func choose(
    covering window: Duration, most: Int?, among intervals: [DeclaredOperation.Interval]
  ) -> DeclaredOperation.Interval? {
    let most = Int64(most ?? defaultPoints)
    return intervals.filter { window.milliseconds / max(1, $0.width.milliseconds) < most }.min { $0.width < $1.width }
      ?? intervals.max { $0.width < $1.width }
  }

  /// About as many points as a terminal can show, where a file does not say how many a source gives.
  private static let defaultPoints = 500
}
