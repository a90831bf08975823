import Bitpal
import BitpalModel
import FoundationEssentials

/// A server of prices over HTTP: a router behind a gate, on a daemon, with counters.
package final class PriceServer: Sendable {
  /// The body of `/healthz`, by which `serve --check` knows a server of bitpal.
  package static let healthy = "ok\n"

  /// An answered request, for a line of a log.
  package struct Entry: Sendable {
    package let head: WebHead
    package let status: Int
    package let bytes: Int
    package let took: Duration

    /// The use of the cache, such as `hit` or `fwd=miss; stored`; nil for an answer without a source.
    package let cache: String?

    /// The request as one line without secrets: clients of CoinGecko may send their keys in the query.
    package var text: String {
      let milliseconds = "\(took.milliseconds).\(took.components.attoseconds / 100_000_000_000_000 % 10)"
      return "\(head.method) \(Self.shown(head.target)) \(status), \(bytes) bytes, \(milliseconds) ms"
        + (cache.map { ", \($0)" } ?? "")
    }

    private static func shown(_ target: String) -> String {
      guard let mark = target.firstIndex(of: "?") else { return target.printable(limit: 300) }
      let items = target[target.index(after: mark)...].split(separator: "&").map { item in
        let name = item.prefix { $0 != "=" }
        let isSecret = ["key", "token", "secret", "password"].contains { name.lowercased().contains($0) }
        return isSecret ? "\(name)=…" : String(item)
      }
      return (target[...mark] + items.joined(separator: "&")).printable(limit: 300)
    }
  }

  /// The address at which the server listens.
  package var address: NetworkAddress { daemon.address }

  private let daemon: HTTPDaemon

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - market: The prices for answers.
  ///   - own: The user's own data that pages show.
  ///   - address: The address to listen at.
  ///   - gate: The check of requests.
  ///   - metrics: The counters, which also receive the trace of the price service.
  ///   - fleet: Returns the state of the shared server; nil for none.
  ///   - log: Receives each answered request.
  /// - Throws: `BitpalError` when libmicrohttpd is missing, or the address is not available; ``AddressTaken`` when another
  ///   program listens there.
  package init(
    _ market: Market, own: OwnPages = OwnPages(), on address: NetworkAddress, gate: Gate, metrics: Metrics = Metrics(),
    fleet: @escaping @Sendable () -> Metrics.Fleet? = { nil }, limits: HTTPDaemon.Limits = HTTPDaemon.Limits(),
    log: @escaping @Sendable (Entry) -> Void = { _ in }
  ) throws {
    let connections = Locked<(@Sendable () -> Int)?>(nil)
    let router = Router(market, own: own, gate: gate) {
      metrics.text(connections: connections.withLock { $0 }?() ?? 0, fleet: fleet())
    }
    let clock = SystemTime()
    @Sendable func counted(_ response: WebResponse, _ route: String, _ head: WebHead, _ began: Duration) -> WebResponse
    {
      let took = clock.monotonic - began
      metrics.count(route, status: response.status, took: took)
      log(
        Entry(
          head: head, status: response.status, bytes: response.body.count, took: took,
          cache: response["Cache-Status"].map { String($0.dropFirst("bitpal; ".count)) }))
      return response
    }
    daemon = try HTTPDaemon(
      on: address, limits: limits,
      atOnce: { head in
        let began = clock.monotonic
        if let refusal = router.refusal(of: head) { return counted(refusal, "", head, began) }
        guard let (response, route) = router.recentAnswer(to: head) else { return nil }
        metrics.countRecentAnswer()
        return counted(response, route, head, began)
      },
      answer: { head in
        let began = clock.monotonic
        let (response, route) = await Deadline.independent(market.limit, patience: .zero, on: market.service.time) {
          await router.answer(head)
        }
        return counted(response, route, head, began)
      })
    let daemon = daemon
    connections.withLock { $0 = { [weak daemon] in daemon?.connections ?? 0 } }
  }

  /// Refuses further connections, finishes the requests in progress, and stops.
  package func stop() async {
    await daemon.stop()
  }
}
