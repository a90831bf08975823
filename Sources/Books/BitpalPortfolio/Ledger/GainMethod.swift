/// The order in which coins are disposed of, which determines the cost of a disposal; tax offices may prescribe one.
public enum GainMethod: String, CaseIterable, Sendable {
  /// No order: all coins have the moving average cost.
  case average

  /// First in, first out.
  case fifo

  /// Last in, first out.
  case lifo

  /// Highest cost in, first out; among equal costs first in, first out.
  case hifo

  /// The title of realized gains at the moving average, in a portfolio of this method.
  ///
  /// It says "average cost" where the portfolio's statement of gains uses another method.
  package var averageGainTitle: String { self == .average ? "Realized" : "Realized (average cost)" }
}
