public import BitpalModel

/// A provider as the files describe it.
public struct LoadedProvider: Equatable, Sendable {
  /// What the file says, with the overrides of the settings applied.
  public let specification: ProviderSpecification

  /// What settings that are not trusted say of the provider, and is not used: `providers/kraken.yaml`, `providers.kraken`.
  public let withheld: [String]
}
