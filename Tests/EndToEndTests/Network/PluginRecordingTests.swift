import Foundation
import LoopbackServer
import Testing

/// The plugins of `Examples/plugins`, with a source on this machine in the place of theirs.
@Suite(.ownThreads) struct `An example of a plugin, over a source` {
  private static let secret = "planted-0815-canary"

  private func server() throws -> LoopbackServer {
    try LoopbackServer { request in
      let ethereum = request.target.contains("ETH")
      switch request.path {
      case "/prices.html":
        let rows =
          "<tr><td>BTC</td><td>96,841.33</td><td>+0.55%</td></tr><tr><td>ETH</td><td>3,214.47</td><td>-1%</td></tr>"
        return .response(status: 200, headers: [], body: Array("<table>\(rows)</table>".utf8))
      case "/v3/assets":
        return .ok(
          json: #"{"data":[{"id":"bitcoin","symbol":"BTC","name":"Bitcoin","priceUsd":"96841.33"},"#
            + #"{"id":"ethereum","symbol":"ETH","name":"Ethereum","priceUsd":"3214.47"}]}"#)
      default:
        return .ok(json: #"{"last":"\#(ethereum ? "3214.47" : "96841.33")","time":"1736937000"}"#)
      }
    }
  }

  /// A world in which the example asks the server.
  private func world(_ id: String, _ ending: String, _ host: String, _ server: LoopbackServer) throws -> World {
    let world = try World()
    for file in ["\(id).yaml", "\(id).\(ending)"] {
      let text = try String(contentsOfFile: "\(Repository.root)/Examples/plugins/\(file)", encoding: .utf8)
      let moved = ["https://\(host)", "https://$host"].reduce(text) {
        $0.replacingOccurrences(of: $1, with: server.url)
      }
      // Only a file of the user's own may name this machine.
      let path = try world.write(
        moved.replacingOccurrences(of: host, with: "127.0.0.1"),
        to: URL(filePath: world.ownProvider(id)).deletingLastPathComponent().path + "/" + file)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    return world
  }

  @Test(arguments: [
    ("html-table", "py", "www.moonbase.example"), ("coincap", "sh", "rest.coincap.io"),
    ("signed", "pl", "api.moonbase.example"),
  ])
  func `is recorded in one run, and replays when the source is gone`(id: String, ending: String, host: String) throws {
    let server = try server()
    defer { server.stop() }
    let world = try world(id, ending, host, server)
    let keys = "MOONBASE_API_SECRET=\(Self.secret) COINCAP_API_KEY=\(Self.secret)"
    let recorded = try world.run(
      "\(keys) bitpal record ./tape -p \(id) -- price bitcoin ethereum --format csv | cut -d, -f1,4")
    #expect(recorded.output == "id,price\nbitcoin,96841.33\nethereum,3214.47\n", "\(recorded)")
    try checkKeys(server, id, world)
    server.stop()
    let replayed = try world.run("bitpal -p recording:./tape price bitcoin ethereum --format csv | cut -d, -f1,4")
    #expect(replayed.output == recorded.output, "\(replayed)")
    #expect(try world.run("grep -r planted .").output == "")
  }

  /// Each source gets what it is to get of the key, and no more.
  private func checkKeys(_ server: LoopbackServer, _ id: String, _ world: World) throws {
    for request in server.requests {
      switch id {
      case "coincap": #expect(request.header("Authorization") == "Bearer \(Self.secret)")
      case "signed":
        let time = try #require(request.header("X-Time"))
        // Reckoned by somebody else.
        let code = try world.run(
          "perl -MDigest::SHA=hmac_sha256_hex -e 'print hmac_sha256_hex(@ARGV)' '\(time) GET \(request.target)' \(Self.secret)"
        )
        #expect(request.header("X-Signature") == code.output && code.output.count == 64)
      default: break
      }
      guard id != "coincap" else { continue }
      #expect(!request.headers.contains { $0.value.contains(Self.secret) } && !request.target.contains(Self.secret))
    }
    #expect(!server.requests.isEmpty)
  }
}
