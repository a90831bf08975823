import Bitpal
import BitpalCache
import BitpalModel
import BitpalNetwork
import BitpalProviders
import Foundation

/// A home folder of its own, whose CoinGecko is the loopback server.
struct World {
  let server: Loopback
  let home: String
  private let tool: String

  init(tool: String, server: Loopback, name: String = "home") throws {
    self.tool = tool
    self.server = server
    home = NSTemporaryDirectory() + "bitpal-bench-\(getpid())-\(name)"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let settings = """
      bitpal: 1
      provider: coingecko
      cache: { ttl: { quotes: 1h } }
      providers:
        coingecko: { base_url: "\(server.url)", rate_limit: 100000/1m }

      """
    try Data(settings.utf8).write(to: URL(fileURLWithPath: home + "/config.yaml"))
  }

  /// A home beside this one, with a cache of its own.
  func sibling(_ name: String) throws -> World { try World(tool: tool, server: server, name: name) }

  func remove() {
    try? FileManager.default.removeItem(atPath: home)
  }

  /// Forgets all that was ever answered.
  func forget() throws {
    if FileManager.default.fileExists(atPath: home + "/.cache") {
      try FileManager.default.removeItem(atPath: home + "/.cache")
    }
  }

  var cacheFile: String { home + "/.cache/bitpal/cache.db" }

  func bitpal(_ arguments: String...) -> Command { bitpal(arguments) }

  func bitpal(_ arguments: [String], settings: String? = nil) -> Command {
    Command(
      tool, arguments,
      environment: ["HOME": home, "PATH": "/usr/bin:/bin", "BITPAL_CONFIG": settings ?? home + "/config.yaml"])
  }

  func curl(_ target: String) -> Command { Command("/usr/bin/curl", ["-s", "-S", "-f", server.url + target]) }

  /// The service over the same server, with a cache in a file of that name, in which a coin list may be.
  func service(_ name: String, time: any TimeSource = SystemTime(), coinList: [CoinListItem] = []) -> PriceService {
    let provider = provider(time: time)
    let cache = PriceCache(path: "\(home)/\(name).db", memoryLimit: 1 << 24, diskLimit: 1 << 28) { print($0) }
    if !coinList.isEmpty {
      let key = AnswerKey(provider: provider.descriptor.cacheIdentity, kind: .coinList)
      cache.store([Sourced(.coinList(coinList), about: key, source: provider.descriptor.id, fetchedAt: time.now)])
    }
    return PriceService(providers: [provider], cache: cache, time: time)
  }

  /// CoinGecko at the loopback server, with nothing around it.
  func provider(time: any TimeSource = SystemTime()) -> DialectProvider {
    DialectProvider(
      dialect: CoinGeckoDialect(baseURL: server.url), transport: CurlTransport(userAgent: "bitpal-bench"), time: time)
  }
}
