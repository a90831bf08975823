/// Which coins go first, and so whose cost: what a tax office or a habit decides.
public enum GainMethod: String, CaseIterable, Sendable {
  /// None before the others: all cost the moving average.
  case average

  /// Those that came first.
  case fifo

  /// Those that came last.
  case lifo

  /// Those that cost most, and of these the ones that came first.
  case hifo
}
