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

  /// What a realized gain by the moving average is called in a portfolio of this method: with the words "average cost"
  /// where its statement of gains is by another.
  package var averageGainTitle: String { self == .average ? "Realized" : "Realized (average cost)" }
}
