import Bitpal
import BitpalCache
import BitpalNetwork
import BitpalProviders
import BitpalTesting
import Foundation

/// An hour of `watch` in a moment: 100 coins refreshed 120 times, 30 seconds apart on a clock moved by hand.
///
/// It runs in a process of its own, so that neither the server nor what other benchmarks left in memory counts.
struct WatchedHour {
  /// The argument by which the benchmark asks itself for it; the server's URL and a folder follow.
  static let word = "watched-hour"

  let url: String
  let folder: String

  /// What was in memory after the tenth and after the last refresh, in KiB.
  static func inItsOwnProcess(_ world: World) throws -> (tenth: Int, last: Int) {
    let words = try Command("/proc/self/exe", [word, world.server.url, world.home]).output()
      .split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let tenth = Int(words[0]), let last = Int(words[1]) else {
      throw Command.Failure(description: "\(word) printed \(words)")
    }
    return (tenth, last)
  }

  func run() async throws {
    let time = ManualTime()
    let provider = DialectProvider(
      dialect: CoinGeckoDialect(baseURL: url), transport: CurlTransport(userAgent: "bitpal-bench"), time: time)
    let cache = PriceCache(path: folder + "/hour.db", memoryLimit: 1 << 24, diskLimit: 1 << 26) { print($0) }
    let service = PriceService(providers: [provider], cache: cache, time: time)
    for update in 1...120 {
      _ = try await service.quotes(Bodies.ids(100), currency: "usd", policy: update == 1 ? .normal : .refresh)
      if update == 10 || update == 120 { print(Machine.residentKiB(of: "self") ?? 0) }
      time.advance(by: .seconds(30))
    }
  }
}
