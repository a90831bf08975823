import BitpalFiles
package import BitpalModel

/// Finds keys in the environment, or in files that only the user can read.
package struct KeyStore: Equatable, Sendable {
  private let environment: Environment

  package init(environment: Environment) {
    self.environment = environment
  }

  /// The key of a provider: `NAME`, else the first line of the file that `NAME_FILE` names.
  ///
  /// - Throws: `BitpalError.configuration` when the file cannot be read, or others can read it.
  package func key(of specification: ProviderSpecification) throws(BitpalError) -> Secret? {
    try specification.keyEnvironment.flatMap { name throws(BitpalError) in try environment.secret(name, called: "key") }
  }

  /// Whether a key is set; nil for a provider that takes none.
  package func isSet(_ specification: ProviderSpecification) -> Bool? {
    specification.keyEnvironment.map(environment.hasSecret)
  }
}

extension Environment {
  /// The password for the Redis of a fleet: `BITPAL_REDIS_PASSWORD`, else the first line of the file that
  /// `BITPAL_REDIS_PASSWORD_FILE` names; nil where neither is set.
  ///
  /// - Throws: `BitpalError.configuration` when the file cannot be read, or others can read it.
  package func fleetPassword() throws(BitpalError) -> Secret? {
    try secret("BITPAL_REDIS_PASSWORD", called: "password")
  }

  /// No file with a secret has more bytes.
  private static let longestSecret = 4096

  /// Returns the value of a variable, otherwise the first line of the file that the variable with `_FILE` behind its
  /// name names; nil without either.
  ///
  /// - Parameter noun: The secret's kind, for messages: `key`.
  fileprivate func secret(_ name: String, called noun: String) throws(BitpalError) -> Secret? {
    if let value = value(name) { return Secret(value) }
    let variable = name + "_FILE"
    guard let path = value(variable) else { return nil }
    func issue(_ message: String) -> BitpalError {
      .configuration([ConfigurationIssue(file: variable, message: "\(path): \(message)")])
    }
    let file: BoundedFile
    do {
      file = try BoundedFile(path, limit: Self.longestSecret)
    } catch {
      switch error {
      case .notAFile, .tooLarge: throw issue("is not a \(noun) file")
      default: throw issue(error.reason)
      }
    }
    guard file.status.permissions & 0o077 == 0 else {
      throw issue("others can read this \(noun); run: chmod 600 \(path)")
    }
    guard let text = String(validating: file.bytes, as: UTF8.self),
      let secret = text.split(whereSeparator: \.isNewline).first
    else { throw issue("holds no \(noun)") }
    return Secret(String(secret))
  }

  /// Whether a secret is set, be it one that cannot be read.
  fileprivate func hasSecret(_ name: String) -> Bool { value(name) != nil || value(name + "_FILE") != nil }
}
