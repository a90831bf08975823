package import BitpalModel
package import BitpalProviders

/// A summary of a provider that was found, whether or not it works.
package struct ProviderSummary: Sendable {
  /// The name by which it is chosen.
  package let id: String

  /// The description of the provider and its capabilities; nil when its file or recording is bad.
  package let descriptor: ProviderDescriptor?

  /// The path of the file that describes it; nil when it is built in.
  package let file: String?

  /// Whether its key is set; nil when it takes no key.
  package let isKeySet: Bool?

  /// Whether another file with the same id takes precedence.
  package let isShadowed: Bool

  /// Whether the provider may run.
  ///
  /// It is false for a plugin from settings that are not trusted; its capabilities are then unknown.
  package let isTrusted: Bool

  /// The failure of its file or recording; nil for a provider that works.
  package let problem: BitpalError?
}
