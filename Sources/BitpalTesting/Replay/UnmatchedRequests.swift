/// What happens to a request that the recording has no answer to.
public enum UnmatchedRequests: Hashable, Sendable {
  /// It fails with a `ReplayMiss`, which names the nearest recorded request.
  case strict

  /// It goes to the live transport, and is not recorded.
  case passthrough
}
