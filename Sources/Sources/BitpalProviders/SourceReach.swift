import BitpalModel
package import FoundationEssentials

/// A limit on how far back a source answers, and its cause.
public struct SourceReach: Hashable, Sendable {
  /// The cause of the limit.
  public enum Cause: Hashable, Sendable {
    /// The plan of the key, or of a client without a key, limits the reach.
    case plan

    /// An answer has at most this number of rows, the latest ones, and older ones cannot be requested.
    case latest(rows: Int)

    /// A chart sends at most this number of requests, each for this number of rows.
    case requests(Int, rows: Int)
  }

  /// The cause of the limit.
  public let cause: Cause

  /// The longest window that can be answered, at the widest spacing of its rows.
  public let longest: Duration

  /// Creates a limit with its cause and the longest window.
  public init(_ cause: Cause, longest: Duration) {
    self.cause = cause
    self.longest = longest
  }

  /// The cause as a clause, for a sentence about prices that begin later than requested.
  package var description: String {
    switch cause {
    case .plan: "its plan goes no further back"
    case .latest(let rows): "it gives only its latest \(rows), and no older ones"
    case .requests(let most, let rows):
      "it gives \(rows) per request, and a chart sends at most \(most) requests"
    }
  }

  /// Returns whether the limit, and not the beginning of trading, explains the time of the first row.
  ///
  /// - Parameters:
  ///   - first: The time of the first row.
  ///   - end: The end of the requested window.
  ///   - now: The present time.
  ///   - step: The spacing of the source's rows.
  ///   - count: The number of the source's rows; nil where they have been resampled to wider ones.
  package func explains(first: Date, end: Date, now: Date, step: Duration, count: Int?) -> Bool {
    switch cause {
    case .plan: now.since(first) + step * 2 >= longest
    case .latest(let rows): count.map { $0 + 4 >= rows } ?? (now.since(first) + step * 4 >= step * rows)
    // One row has no spacing.
    case .requests(let most, let rows):
      step > .zero && end.since(first) + step * 4 >= step * (most * max(1, rows - 2))
    }
  }
}
