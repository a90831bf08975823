/// Whether an answer may come from the cache, the source, or both.
public enum FetchPolicy: Hashable, Sendable {
  /// From the cache while fresh, else from the source; an old answer when the source fails.
  case normal

  /// From the cache only, however old; the source is never asked.
  case offline

  /// From the source; an old answer when it fails.
  case refresh
}
