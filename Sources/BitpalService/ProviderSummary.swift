public import BitpalModel
public import BitpalProviders

/// What there is to say about a provider that was found, whether it works or not.
public struct ProviderSummary: Sendable {
  /// The name by which it is chosen.
  public let id: String

  /// What it is and can do; nil when its file or recording is bad.
  public let descriptor: ProviderDescriptor?

  /// The file that describes it; nil when it is built in.
  public let file: String?

  /// Whether its key is set; nil when it takes none.
  public let isKeySet: Bool?

  /// True when another file with the same id goes before.
  public let isShadowed: Bool

  /// False for a plugin that settings which are not trusted may not start: what it can do is not known.
  public let isTrusted: Bool

  /// What is wrong with it.
  public let problem: BitpalError?
}
