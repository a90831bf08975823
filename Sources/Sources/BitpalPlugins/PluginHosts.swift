package import BitpalModel
package import BitpalProviders
import Glibc

/// The hosts of the plugins of a run; providers with the same id, command and folder share one process.
package final class PluginHosts: Sendable {
  private let variables: [String: String]
  private let memory: ManifestCache
  private let trace: Trace
  private let warn: @Sendable (String) -> Void
  private let state = Locked(State())

  private struct State {
    var hosts: [Name: PluginHost] = [:]
  }

  private struct Name: Hashable {
    let provider: String
    let command: [String]
    let folder: String
  }

  /// Creates the hosts of plugins.
  ///
  /// - Parameters:
  ///   - variables: The environment of this process, of which plugins get ``PluginLaunch/variables``.
  ///   - memoryFolder: The folder of the cache of manifests; nil to keep nothing.
  ///   - trace: Receives every start and message.
  ///   - warn: Receives the lines of plugins on standard error.
  package init(
    variables: [String: String], memoryFolder: String?, trace: Trace, warn: @escaping @Sendable (String) -> Void
  ) {
    self.variables = variables
    memory = ManifestCache(folder: memoryFolder)
    self.trace = trace
    self.warn = warn
  }

  /// Returns the host of a provider's program, the same for the same provider, command and folder.
  package func host(of program: PluginProgram, for provider: String) -> PluginHost {
    state.withLock { state in
      let name = Name(provider: provider, command: program.command, folder: program.folder)
      if let host = state.hosts[name] { return host }
      let host = PluginHost(
        provider: provider, program, variables: variables, memory: memory, trace: trace, warn: warn)
      state.hosts[name] = host
      return host
    }
  }
}

/// The plugins that run, all of which are ended at the exit of the process.
enum RunningPlugins {
  private struct Weak {
    weak var host: PluginHost?
  }

  private static let hosts = Locked<[ObjectIdentifier: Weak]>([:])

  /// Whether the exit handler that ends all plugins is registered; reading it registers it once.
  private static let isWatching: Bool = {
    atexit { RunningPlugins.endAll() }
    return true
  }()

  static func add(_ host: PluginHost) {
    _ = isWatching
    hosts.withLock { $0[ObjectIdentifier(host)] = Weak(host: host) }
  }

  static func remove(_ host: PluginHost) {
    hosts.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(host)) }
  }

  private static func endAll() {
    for host in hosts.withLock({ $0.values.compactMap(\.host) }) { host.end() }
  }
}
