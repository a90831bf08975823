public import BitpalModel

/// One provider file found, or the built-in one.
public struct ProviderListing: Equatable, Sendable {
  /// The id by which the file would be chosen.
  public let id: String

  /// The absolute path of the file; nil for what is built in.
  public let file: String?

  /// Whether another one with the same id comes first, so that this one is never used.
  public let isShadowed: Bool

  /// The provider, or what is wrong with its file.
  public let outcome: Result<LoadedProvider, BitpalError>
}
