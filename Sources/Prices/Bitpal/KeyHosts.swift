package import BitpalProviders
import FoundationEssentials

/// The rule for the hosts to which a key may be sent: those of its own service, this machine, and those that the
/// provider's file names.
///
/// It applies only to trusted files; providers of other files get no key at all.
package enum KeyHosts {
  /// Returns whether the host that the specification's requests go to may have its key.
  package static func mayHaveKey(_ specification: ProviderSpecification) -> Bool {
    // Without a base URL requests go to the service's own host.
    guard let base = specification.baseURL else { return true }
    guard let host = URL(string: base)?.host()?.lowercased() else { return false }
    return specification.kind.ownHosts.contains(host) || isLoopback(host)
      || specification.keyHosts.contains { $0.lowercased() == host }
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host == "[::1]"
      || host.hasPrefix("127.") && host.split(separator: ".").count == 4 && host.allSatisfy { $0.isNumber || $0 == "." }
  }
}
