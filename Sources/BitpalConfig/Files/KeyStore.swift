import BitpalFiles
package import BitpalModel

/// Finds keys in the environment, or in files that only the user can read.
package struct KeyStore: Equatable, Sendable {
  private let environment: Environment

  package init(environment: Environment) {
    self.environment = environment
  }

  /// No key file has more bytes.
  private static let longest = 4096

  /// The key of a provider: `NAME`, else the first line of the file that `NAME_FILE` names.
  ///
  /// - Throws: `BitpalError.configuration` when the file cannot be read, or others can read it.
  package func key(of specification: ProviderSpecification) throws(BitpalError) -> Secret? {
    guard let name = specification.keyEnvironment else { return nil }
    if let value = environment.value(name) { return Secret(value) }
    let variable = name + "_FILE"
    guard let path = environment.value(variable) else { return nil }
    func issue(_ message: String) -> BitpalError {
      .configuration([ConfigurationIssue(file: variable, message: "\(path): \(message)")])
    }
    let file: BoundedFile
    do {
      file = try BoundedFile(path, limit: Self.longest)
    } catch {
      switch error {
      case .notAFile, .tooLarge: throw issue("is not a key file")
      default: throw issue(error.reason)
      }
    }
    guard file.status.permissions & 0o077 == 0 else {
      throw issue("others can read this key; run: chmod 600 \(path)")
    }
    guard let text = String(validating: file.bytes, as: UTF8.self),
      let key = text.split(whereSeparator: \.isNewline).first
    else { throw issue("holds no key") }
    return Secret(String(key))
  }

  /// Whether a key is set; nil for a provider that takes none.
  package func isSet(_ specification: ProviderSpecification) -> Bool? {
    guard let name = specification.keyEnvironment else { return nil }
    return environment.value(name) != nil || environment.value(name + "_FILE") != nil
  }
}
