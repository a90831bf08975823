import BitpalModel
import BitpalNetwork
import BitpalRateLimit
import BitpalTesting
import LoopbackServer
import TestSupport
import Testing

@Suite struct `A POST` {
  private func post(_ url: String, _ body: String = #"{"ids":["bitcoin"]}"#) -> HTTPRequest {
    HTTPRequest(url: url, headers: [HTTPHeader("content-type", "application/json")], body: Array(body.utf8))
  }

  @Test func `goes out with its body, and nothing waits for leave to send it`() async throws {
    let server = try LoopbackServer { _ in .ok(json: "1") }
    defer { server.stop() }
    let long = #"{"a":"\#(String(repeating: "x", count: 200_000))"}"#
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    #expect(try await transport.send(post(server.url + "/q?a=b", long)).status == 200)
    #expect(try await transport.send(post(server.url, "")).status == 200)
    let requests = server.requests
    #expect(requests.map(\.method) == ["POST", "POST"])
    #expect(requests.map(\.body) == [Array(long.utf8), []])
    #expect(requests[0].target == "/q?a=b")
    #expect(requests[0].header("content-type") == "application/json")
    #expect(requests.allSatisfy { $0.header("expect") == nil })
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `is not sent again where a redirect points`(status: Int) async throws {
    let server = try LoopbackServer { $0.path == "/" ? .redirect(to: "/there", status: status) : .ok(json: "1") }
    defer { server.stop() }
    await #expect(
      throws: BitpalError.unreadable(
        provider: "127.0.0.1", reason: "it redirects a POST, which is sent only once, to \(server.url)")
    ) {
      try await CurlTransport(userAgent: "bitpal/0.1.0").send(post(server.url + "/"))
    }
    #expect(server.requests.count == 1)
  }

  @Test func `is sent once, even over a connection that has died meanwhile`() async throws {
    let server = try LoopbackServer { $0.method == "POST" ? .close : .ok(json: "1") }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    _ = try await transport.send(HTTPRequest(url: server.url))
    await #expect(throws: BitpalError.self) { try await transport.send(post(server.url)) }
    #expect(server.requests.filter { $0.method == "POST" }.count == 1)
  }

  @Test(arguments: [500, 502, 503, 429])
  func `is not tried again`(status: Int) async throws {
    let base = ScriptedTransport([.success(HTTPResponse(status: status)), .success(HTTPResponse(status: 200))])
    let time = ManualTime()
    let transport = RetryingTransport(base, provider: "mine", time: time)
    let response = try? await transport.send(post("https://api.example.org/"))
    #expect(response?.status == (status == 429 ? nil : status))
    #expect(base.count == 1 && time.slept.isEmpty)
  }

  @Test func `that could not leave this machine gives its place in the budget back`() async throws {
    let base = ScriptedTransport([
      .failure(.network(host: "h", reason: "no connection", isSent: false)),
      .failure(.network(host: "h", reason: "the connection was reset")),
    ])
    let limit = try #require(RateLimit(limit: 1, window: .seconds(60)))
    let limiter = BudgetLimiter(provider: "mine", limits: [limit], time: ManualTime())
    let transport = RateLimitedTransport(base, limiter: limiter)
    for _ in 0..<2 { await #expect(throws: BitpalError.self) { try await transport.send(post("https://h/")) } }
    #expect(base.count == 2)
    // The second has gone out, and counts.
    await Deadline.within(.seconds(1), on: ManualTime()) {
      let error = await #expect(throws: BitpalError.self) { try await transport.send(post("https://h/")) }
      #expect(error?.code == .rateLimited)
    }
    #expect(base.count == 2)
  }
}
