/// Whether an answer is within its time to live.
public enum Freshness: Hashable, Sendable {
  /// Within its time to live.
  case fresh

  /// Past it, and served all the same: how old it is, and why nothing newer was served.
  case stale(age: Duration, reason: String)

  /// True for ``stale(age:reason:)``.
  public var isStale: Bool { self != .fresh }
}
