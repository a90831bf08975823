public import BitpalModel
public import BitpalProviders

/// A summary of a provider that was found, whether or not it works.
public struct ProviderSummary: Sendable {
  /// The name by which it is chosen.
  public let id: String

  /// The description of the provider and its capabilities; nil when its file or recording is bad.
  public let descriptor: ProviderDescriptor?

  /// The path of the file that describes it; nil when it is built in.
  public let file: String?

  /// Whether its key is set; nil when it takes no key.
  public let isKeySet: Bool?

  /// Whether another file with the same id takes precedence.
  package let isShadowed: Bool

  /// Whether the provider may run.
  ///
  /// It is false for a plugin from settings that are not trusted; its capabilities are then unknown.
  package let isTrusted: Bool

  /// The failure of its file or recording; nil for a provider that works.
  public let problem: BitpalError?
}
