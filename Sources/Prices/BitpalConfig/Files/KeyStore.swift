package import BitpalFiles
package import BitpalModel
package import BitpalProviders
package import Glibc

/// A reader of keys in the environment, or in files that only the user can read.
package struct KeyStore: Equatable, Sendable {
  private let environment: Environment

  package init(environment: Environment) {
    self.environment = environment
  }

  /// Returns the key of a provider: the value of its variable `NAME`, otherwise the first line of the file that
  /// `NAME_FILE` names; nil without either.
  ///
  /// Blanks, line ends and a byte order mark around the key are left out.
  ///
  /// - Throws: `BitpalError.configuration` when the file cannot be read, is empty, or others can read it.
  package func key(of specification: ProviderSpecification) throws(BitpalError) -> Secret? {
    let secret = try specification.keyEnvironment.flatMap { name throws(BitpalError) in
      try environment.secret(name, called: "key")
    }
    guard let key = secret?.reveal().withoutBlanks, !key.isEmpty else { return nil }
    return Secret(key)
  }

  /// Returns whether a key is set; nil for a provider without keys.
  package func isSet(_ specification: ProviderSpecification) -> Bool? {
    specification.keyEnvironment.map(environment.hasSecret)
  }
}

extension Environment {
  /// Returns the password for the Redis of a fleet: `BITPAL_REDIS_PASSWORD`, otherwise the first line of the file that
  /// `BITPAL_REDIS_PASSWORD_FILE` names; nil when neither is set.
  ///
  /// - Throws: `BitpalError.configuration` when the file cannot be read, is empty, or others can read it.
  package func fleetPassword() throws(BitpalError) -> Secret? {
    try secret("BITPAL_REDIS_PASSWORD", called: "password")
  }

  /// The largest size of a file with a secret, in bytes.
  private static let longestSecret = 4096

  /// Returns the value of a variable, otherwise the first line of the file that the variable with the suffix `_FILE`
  /// names; nil without either.
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
    guard file.status.isSecret() else {
      throw issue("others can read this \(noun); run: chmod 600 \(path)")
    }
    guard let text = String(validating: file.bytes, as: UTF8.self),
      let secret = text.split(whereSeparator: \.isNewline).first
    else { throw issue("holds no \(noun)") }
    return Secret(String(secret))
  }

  /// Returns whether a secret is set, even if it cannot be read.
  fileprivate func hasSecret(_ name: String) -> Bool { value(name) != nil || value(name + "_FILE") != nil }
}

extension String {
  /// The text without the white space and the byte order marks around it.
  fileprivate var withoutBlanks: String {
    func isPart(_ scalar: Unicode.Scalar) -> Bool { !scalar.properties.isWhitespace && scalar != "\u{FEFF}" }
    guard let first = unicodeScalars.firstIndex(where: isPart), let last = unicodeScalars.lastIndex(where: isPart)
    else { return "" }
    return String(unicodeScalars[first...last])
  }
}

extension FileStatus {
  /// Returns whether a file with a secret is kept from others: only its owner can read it or, where root gives it to
  /// another user, a group too.
  ///
  /// Kubernetes mounts secrets that way for a container's user: owned by root, with mode 0440 and the group of the pod.
  package func isSecret(for user: uid_t = geteuid()) -> Bool {
    permissions & (owner == 0 && user != 0 ? 0o027 : 0o077) == 0
  }
}
