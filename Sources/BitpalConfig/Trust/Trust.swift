public import BitpalModel

/// Whether what a settings file says counts as the user's own word.
///
/// A `config.yaml` in the folder one merely stands in may have come with somebody else's files, so it decides little until
/// `bitpal trust` has been said there.
public enum Trust: Hashable, Sendable {
  /// The settings were named, are the user's own, or were trusted as they are.
  case trusted

  /// They were found in `folder`, whose links are resolved; `hasChanged` since they were trusted.
  case untrusted(folder: String, hasChanged: Bool)

  /// The folder of settings that are not trusted; nil for those that are.
  public var untrustedFolder: String? {
    switch self {
    case .trusted: nil
    case .untrusted(let folder, _): folder
    }
  }
}

extension Settings {
  /// What the user is told when something was withheld from settings that are not trusted; nil when nothing was.
  ///
  /// - Parameter things: What was withheld, as in ``/BitpalModel/BitpalError/untrusted(file:hasChanged:withheld:)``.
  public func refusal(of things: [String]) -> BitpalError? {
    guard let file, case .untrusted(_, let hasChanged) = trust, !things.isEmpty else { return nil }
    return .untrusted(file: file.name, hasChanged: hasChanged, withheld: things)
  }

  /// Makes sure that the settings may reach what is the user's.
  ///
  /// - Parameter thing: What they would reach: `portfolio`.
  /// - Throws: ``/BitpalModel/BitpalError/untrusted(file:hasChanged:withheld:)``.
  public func demandTrust(for thing: String) throws(BitpalError) {
    if let refusal = refusal(of: [thing]) { throw refusal }
  }
}
