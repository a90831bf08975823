/// When a replay records.
public enum ReplayMode: String, CaseIterable, Sendable {
  /// Never: what is not in the recording is not answered. The default, and what belongs in continuous integration.
  case none

  /// When there is no recording yet: the first run records, all later ones replay.
  case once

  /// Always: the recording is replaced by this run.
  case rewrite

  /// The environment variable that decides for a whole test run: `BITPAL_REPLAY=rewrite swift test`.
  public static let variable = "BITPAL_REPLAY"
}
