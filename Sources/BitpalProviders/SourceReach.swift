import BitpalModel
package import FoundationEssentials

/// A limit on how far back a source answers, and its cause.
public struct SourceReach: Hashable, Sendable {
  /// The cause of the limit.
  public enum Cause: Hashable, Sendable {
    /// The plan of the key, or of a client without one, ends there.
    case plan

    /// An answer holds the source's latest rows, so many at most, and older ones cannot be requested.
    case latest(rows: Int)

    /// An answer holds so many rows, and one chart sends at most so many requests.
    case requests(Int, rows: Int)
  }

  /// The cause.
  public let cause: Cause

  /// The longest window that can be answered, at the widest spacing of its rows.
  public let longest: Duration

  /// Creates a limit.
  public init(_ cause: Cause, longest: Duration) {
    self.cause = cause
    self.longest = longest
  }

  /// The cause as the end of a sentence about prices that begin later than asked.
  package var description: String {
    switch cause {
    case .plan: "its plan goes no further back"
    case .latest(let rows): "it gives only its latest \(rows), and no older ones"
    case .requests(let most, let rows):
      "it gives \(rows) per request, and a chart sends at most \(most) requests"
    }
  }

  /// Whether the limit, and not the beginning of trading, is why rows begin no earlier.
  ///
  /// - Parameters:
  ///   - first: The first row.
  ///   - end: The end of the window that was asked for.
  ///   - step: The spacing of the source's rows.
  ///   - count: The number of its rows; nil where they were put together to wider ones.
  package func explains(first: Date, end: Date, now: Date, step: Duration, count: Int?) -> Bool {
    switch cause {
    case .plan: now.since(first) + step * 2 >= longest
    case .latest(let rows): count.map { $0 + 4 >= rows } ?? (now.since(first) + step * 4 >= step * rows)
    case .requests(let most, let rows): end.since(first) + step * 4 >= step * (most * max(1, rows - 2))
    }
  }
}
