public import BitpalModel

/// A provider as the files describe it.
public struct LoadedProvider: Equatable, Sendable {
  /// What the file says, with the overrides of the settings applied.
  public let specification: ProviderSpecification

  /// What was left out for the user's safety, one sentence each.
  public let warnings: [String]
}
