public import FoundationEssentials

/// A stretch of time that ends with `end` and does not contain `start`: `(start, end]`.
public struct TimeWindow: Hashable, Sendable {
  /// The instant before the first that counts.
  public let start: Date

  /// The last instant that counts.
  public let end: Date

  /// Creates a window; an `end` before `start` makes an empty one.
  public init(start: Date, end: Date) {
    self.start = start
    self.end = end
  }

  /// The window of that length which ends at `end`.
  public init(ending end: Date, length: Duration) {
    self.init(start: end.adding(.zero - length), end: end)
  }

  /// From start to end.
  public var length: Duration { end.since(start) }

  /// Whether the instant lies in the window.
  public func contains(_ instant: Date) -> Bool {
    instant > start && instant <= end
  }
}
