public import FoundationEssentials

/// What a recording says of itself, without its exchanges: enough to stop the clock and to name it in the cache.
public struct RecordingHead: Hashable, Sendable {
  /// The folder's name.
  public let name: String

  /// The path of the HAR file.
  public let file: String

  /// The folder.
  public let folder: String

  /// The instant at which time stands when the recording is replayed.
  public let recordedAt: Date

  /// What there is to say about the data, for every header (`simulated market`).
  public let note: String?

  /// The id of the provider that was recorded; nil where the recording does not say.
  public let provider: String?

  /// The words after `bitpal` that made the recording; empty where it does not say.
  public let command: [String]

  /// Changes whenever the HAR file changes, and with it, through the checksums in it, whenever a body does.
  public let fingerprint: String
}
