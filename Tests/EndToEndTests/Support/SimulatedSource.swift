import Foundation
import LoopbackServer

/// A server on this machine that stands in for CoinGecko in a world, with the prices of the demo recording.
struct SimulatedSource {
  private let server: LoopbackServer

  /// Starts it; the world's provider `coingecko` then asks it, and the world may make recordings of its own.
  ///
  /// - Parameter linksFixtures: Whether the world has a link in the place of its recordings, which must not be written to.
  init(in world: World, linksFixtures: Bool = true) throws {
    let quotes = try Self.body("quotes-usd.json")
    server = try LoopbackServer { request in
      request.path.hasSuffix("/coins/markets") ? .ok(json: quotes) : .status(404, "{}")
    }
    let files = FileManager.default
    let fixtures = world.work + "/Fixtures"
    if linksFixtures {
      try files.removeItem(atPath: fixtures)
      try files.createDirectory(atPath: fixtures, withIntermediateDirectories: false)
      for name in try files.contentsOfDirectory(atPath: Repository.fixtures) {
        try files.createSymbolicLink(
          atPath: fixtures + "/" + name, withDestinationPath: Repository.fixtures + "/" + name)
      }
    }
    let provider = try String(contentsOfFile: Repository.root + "/providers/coingecko.yaml", encoding: .utf8)
    let lines = provider.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("base_url:") }
    try Data(
      (lines.joined(separator: "\n")
        + "\nbase_url: \(server.url)\n# Its prices are of a day that is long gone.\nmax_age: 36500d\n").utf8
    )
    .write(to: URL(fileURLWithPath: world.work + "/providers/coingecko.yaml"))
  }

  func stop() {
    server.stop()
  }

  /// A body of the demo recording as it goes over the wire.
  static func body(_ name: String) throws -> String {
    try String(contentsOfFile: Repository.fixtures + "/market/bodies/" + name, encoding: .utf8)
  }
}
