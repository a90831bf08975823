import Foundation
import LoopbackServer
import TestSupport
import Testing

extension Attacks {
  /// Twenty processes that have never met, on a home without a file.
  @Suite struct `Twenty processes on a fresh home` {
    private static let rate = "{ limit: 5/10m, burst: 5 }"

    @Test(arguments: [
      ["price", "COIN"], ["price", "COIN", "--refresh"], ["record", "NAME", "--", "price", "COIN"], ["coin", "COIN"],
    ])
    func `keep to one budget`(words: [String]) throws {
      let server = try MarketServer()
      let live = try LiveWorld(server.url, rate: Self.rate)
      let endings = try live.runTogether(
        (0..<20).map { number in
          words.map { $0 == "COIN" ? "coin-\(number)" : $0 == "NAME" ? "./tape-\(number)" : $0 }
        })
      #expect(server.requests.count == 5)
      #expect(endings.allSatisfy { [.exited(0), .exited(1), .exited(5), .exited(6)].contains($0) }, "\(endings)")
    }

    @Test(arguments: [
      "HOME= BITPAL_CONFIG=config.yaml", "XDG_CACHE_HOME=/dev/null/x", "BITPAL_CACHE=$PWD/cache-$number.db",
    ])
    func `keep to it wherever the cache is, or is not`(variable: String) throws {
      let server = try MarketServer()
      let live = try LiveWorld(server.url, rate: Self.rate)
      let outcome = try live.run(
        """
        for number in $(seq 20); do env \(variable) bitpal price coin-$number & done; wait
        """)
      #expect(server.requests.count == 5, "\(outcome.errors)")
    }

    @Test func `hold back when one of them gets a pause`() throws {
      let server = try MarketServer(.status(429, headers: [("Retry-After", "60")]))
      let live = try LiveWorld(server.url)
      #expect(try live.run("bitpal record ./tape -- price bitcoin").status == 5)
      server.turn(nil)
      let endings = try live.runTogether((0..<20).map { ["price", "coin-\($0)", "--refresh"] })
      #expect(Set(endings) == [.exited(5)])
      #expect(server.requests.count == 1)
    }
  }
}
