import Foundation
import LoopbackServer
import Testing

@Suite(.ownThreads) struct `A source that cannot be reached` {
  struct Way: CustomTestStringConvertible {
    let testDescription: String
    let url: String
    var variables: [String: String] = [:]
    let cause: String
  }

  private static let hint = "; check the network; --offline answers from the cache, -p fixture from a recorded market\n"
  // A label of more than 63 characters is refused by the resolver itself, without a network.
  private static let nowhere = String(repeating: "a", count: 70) + ".invalid"

  @Test(arguments: [
    Way(
      testDescription: "a closed port", url: "http://127.0.0.1:1",
      cause: "cannot reach 127.0.0.1: port 1 cannot be reached: no connection"),
    Way(
      testDescription: "a name that does not resolve", url: "https://\(nowhere)",
      cause: "cannot reach \(nowhere): the name does not resolve"),
    Way(
      testDescription: "a proxy that is not there", url: "https://api.coingecko.com",
      variables: ["https_proxy": "http://127.0.0.1:1"],
      cause: "cannot reach api.coingecko.com: the proxy cannot be reached: no connection to 127.0.0.1 port 1"),
    Way(
      testDescription: "a proxy whose name does not resolve", url: "https://api.coingecko.com",
      variables: ["https_proxy": "http://\(nowhere):3128"],
      cause: "cannot reach api.coingecko.com: the proxy cannot be reached: its name does not resolve"),
    Way(
      testDescription: "a proxy of a kind that there is not", url: "https://api.coingecko.com",
      variables: ["https_proxy": "ftp://user:word@127.0.0.1:1"],
      cause: "cannot reach api.coingecko.com: the proxy cannot be reached: its URL must begin with http:// or socks5://"
    ),
  ])
  func `is reported in one clear sentence`(_ way: Way) throws {
    let live = try LiveWorld(way.url)
    let outcome = try live.run("unset COINGECKO_API_KEY; bitpal price bitcoin", way.variables)
    #expect(outcome.status == 4)
    #expect(outcome.errors == "bitpal: bitcoin: \(way.cause)" + Self.hint)
    #expect(outcome.output.split(separator: "\n").count <= 1)
  }

  @Test func `A proxy hears where to, and not the key`() throws {
    let proxy = try MarketServer(.status(403, "no"))
    let live = try LiveWorld("https://api.coingecko.com")
    let outcome = try live.run("bitpal price bitcoin", ["https_proxy": proxy.url])
    #expect(outcome.status == 4)
    let port = proxy.url.split(separator: ":").last ?? ""
    #expect(
      outcome.errors
        == "bitpal: bitcoin: the proxy 127.0.0.1:\(port) answered with HTTP 403: it does not make the connection\n")
    #expect(proxy.requests.first?.method == "CONNECT")
    #expect(proxy.requests.allSatisfy { $0.headers.allSatisfy { !$0.value.contains(LiveWorld.key) } })
  }
}
