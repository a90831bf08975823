/// The order in which coins are disposed of, which decides the cost of a disposal: a rule of a tax office, or a choice.
public enum GainMethod: String, CaseIterable, Sendable {
  /// None before the others: all cost the moving average.
  case average

  /// First in, first out.
  case fifo

  /// Last in, first out.
  case lifo

  /// Highest cost first, and among equal costs first in, first out.
  case hifo

  /// The title of a realized gain by the moving average in a portfolio of this method: with the words "average cost"
  /// where its statement of gains uses another.
  package var averageGainTitle: String { self == .average ? "Realized" : "Realized (average cost)" }
}
