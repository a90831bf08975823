package import BitpalProviders
import FoundationEssentials

/// The rule for the hosts to which a key may be sent: those of its own service, this machine, and those that the
/// provider's file names.
///
/// It applies only to trusted files; providers of other files get no key at all.
package enum KeyHosts {
  /// Returns whether all hosts that the specification's requests go to may have its key.
  package static func mayHaveKey(_ specification: ProviderSpecification) -> Bool { refused(of: specification) == nil }

  /// Returns the first base URL of the specification whose host may not have its key; nil where all may.
  package static func refused(of specification: ProviderSpecification) -> String? {
    // Without a base URL requests go to the service's own host.
    specification.baseURLs.first { base in
      guard let host = URL(string: base)?.host()?.lowercased() else { return true }
      return !specification.kind.ownHosts.contains(host) && !isLoopback(host)
        && !specification.keyHosts.contains { $0.lowercased() == host }
    }
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host == "[::1]"
      || host.hasPrefix("127.") && host.split(separator: ".").count == 4 && host.allSatisfy { $0.isNumber || $0 == "." }
  }
}
