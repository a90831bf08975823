import BitpalModel
import BitpalNetwork
import LoopbackServer
import TestSupport
import Testing

@Suite struct `A request that must not go to a private address` {
  @Test(arguments: ["127.0.0.1", "localhost"])
  func `is not sent to this machine, whatever its host resolves to`(host: String) async throws {
    let server = try LoopbackServer { _ in .ok(json: "1") }
    defer { server.stop() }
    var request = HTTPRequest(url: server.url.replacing("127.0.0.1", with: host) + "/")
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    request.refusesPrivateAddresses = true
    await #expect(
      throws: BitpalError.network(
        host: host, reason: "its name leads to this machine or a private network, which this provider must not ask",
        isFinal: true, isSent: false)
    ) {
      try await transport.send(request)
    }
    #expect(server.requests.isEmpty)
    request.url = server.url + "/"
    request.refusesPrivateAddresses = false
    #expect(try await transport.send(request).status == 200)
  }
}
