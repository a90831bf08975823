import BitpalConfig
import BitpalModel
import BitpalProviders
import FoundationEssentials
import Glibc

/// Finds keys in the environment, or in files that only the user can read.
struct KeyStore: Sendable {
  let environment: Environment

  /// The key of a provider: `NAME`, else the first line of the file that `NAME_FILE` names.
  ///
  /// - Throws: `BitpalError.configuration` when the file cannot be read, or others can read it.
  func key(of specification: ProviderSpecification) throws(BitpalError) -> Secret? {
    guard let name = specification.keyEnvironment else { return nil }
    if let value = environment.value(name) { return Secret(value) }
    let variable = name + "_FILE"
    guard let path = environment.value(variable) else { return nil }
    func issue(_ message: String) -> BitpalError {
      .configuration([ConfigurationIssue(file: variable, message: "\(path): \(message)")])
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw issue(String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= 4096 else { throw issue("is not a key file") }
    guard status.st_mode & 0o077 == 0 else {
      throw issue("others can read this key; run: chmod 600 \(path)")
    }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      let key = text.split(whereSeparator: \.isNewline).first, !key.isEmpty
    else { throw issue("holds no key") }
    return Secret(String(key))
  }

  /// Whether a key is set; nil for a provider that takes none.
  func isSet(_ specification: ProviderSpecification) -> Bool? {
    guard let name = specification.keyEnvironment else { return nil }
    return environment.value(name) != nil || environment.value(name + "_FILE") != nil
  }
}

/// To whom a key may be sent: the hosts of its own service, this machine, and what the provider's file names.
///
/// That is asked only of files that are trusted; with others no key is sent at all.
enum KeyHosts {
  /// Whether the host that the specification's requests go to may have its key.
  static func mayHaveKey(_ specification: ProviderSpecification) -> Bool {
    // Without a base URL requests go to the service's own host.
    guard let base = specification.baseURL else { return true }
    guard let host = URL(string: base)?.host()?.lowercased() else { return false }
    return specification.ownHosts.contains(host) || isLoopback(host)
      || specification.keyHosts.contains { $0.lowercased() == host }
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host == "[::1]"
      || host.hasPrefix("127.") && host.split(separator: ".").count == 4 && host.allSatisfy { $0.isNumber || $0 == "." }
  }
}
