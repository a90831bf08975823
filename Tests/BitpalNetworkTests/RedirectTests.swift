import BitpalModel
import BitpalNetwork
import BitpalRateLimit
import BitpalTesting
import LoopbackServer
import TestSupport
import Testing

@Suite struct `A redirect` {
  private let secret = HTTPRequest.SecretHeader("x-cg-demo-api-key", Secret("CG-planted"))

  @Test(arguments: [301, 302, 303, 307, 308])
  func `within the origin is followed, with the same headers`(_ status: Int) async throws {
    let server = try LoopbackServer { request in
      switch request.path {
      case "/search": .redirect(to: "/search/?\(request.target.split(separator: "?").last ?? "")", status: status)
      case "/search/": .redirect(to: "moved?here", status: status)
      default: .ok(json: "1")
      }
    }
    defer { server.stop() }
    let response = try await CurlTransport(userAgent: "bitpal/0.1.0")
      .send(HTTPRequest(url: server.url + "/search?q=b%20c", secret: secret))
    #expect(response.status == 200)
    #expect(server.requests.map(\.target) == ["/search?q=b%20c", "/search/?q=b%20c", "/search/moved?here"])
    #expect(server.requests.allSatisfy { $0.header("x-cg-demo-api-key") == "CG-planted" })
    #expect(server.requests.allSatisfy { $0.method == "GET" })
  }

  @Test func `counts in the budget of its source`() async throws {
    let server = try LoopbackServer { request in
      let number = Int(request.path.dropFirst()) ?? 0
      return number == 0 ? .ok(json: "1") : .redirect(to: "/\(number - 1)")
    }
    defer { server.stop() }
    let time = ManualTime()
    let transport = RateLimitedTransport(
      CurlTransport(userAgent: "bitpal/0.1.0"),
      limiter: BudgetLimiter(provider: "p", limits: [.perMinute(4)], time: time))
    func send(_ path: String) async throws -> Int {
      try await Deadline.independent(.seconds(600), patience: .zero, on: time) {
        try await transport.send(HTTPRequest(url: server.url + path)).status
      }
    }
    #expect(try await send("/1") == 200)
    await #expect { try await send("/2") } throws: { ($0 as? BitpalError)?.code == .rateLimited }
    #expect(server.requests.map(\.path) == ["/1", "/0", "/2", "/1"])
  }

  @Test func `is followed five times and no more`() async throws {
    let server = try LoopbackServer { request in
      let number = Int(request.path.dropFirst()) ?? 0
      return number == 0 ? .ok(json: "1") : .redirect(to: "/\(number - 1)")
    }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    #expect(try await transport.send(HTTPRequest(url: server.url + "/5")).status == 200)
    #expect(server.requests.count == 6)
    let tooMany = BitpalError.unreadable(provider: "127.0.0.1", reason: "it redirects more than 5 times")
    await #expect(throws: tooMany) {
      try await transport.send(HTTPRequest(url: server.url + "/6"))
    }
    #expect(server.requests.count == 12)
  }

  @Test(arguments: [
    "http://127.0.0.1:PORT/collect", "//127.0.0.1:PORT/", "http://localhost:PORT/", "HTTP://127.0.0.1:PORT",
  ])
  func `to a second server is not followed, and no key reaches it`(_ location: String) async throws {
    let second = try LoopbackServer { _ in .ok(json: "1") }
    defer { second.stop() }
    let place = location.replacing("PORT", with: "\(second.port)")
    let first = try LoopbackServer { _ in .redirect(to: place) }
    defer { first.stop() }
    let error = await #expect(throws: BitpalError.self) {
      try await CurlTransport(userAgent: "bitpal/0.1.0").send(HTTPRequest(url: first.url, secret: secret))
    }
    #expect(error?.message.hasPrefix("127.0.0.1 sent an answer that cannot be read: it redirects to http") == true)
    #expect(second.requests.isEmpty)
    #expect(second.connectionCount == 0)
  }

  @Test func `without a place is a response`() async throws {
    let server = try LoopbackServer { _ in .status(304) }
    defer { server.stop() }
    let response = try await CurlTransport(userAgent: "bitpal/0.1.0").send(HTTPRequest(url: server.url))
    #expect(response.status == 304)
  }

  @Test func `chain ends at the deadline`() async throws {
    let server = try LoopbackServer { request in
      request.path == "/again" ? .silence(.seconds(3600)) : .redirect(to: "/again")
    }
    defer { server.stop() }
    let time = SystemTime()
    try await withoutHanging {
      await #expect(throws: BitpalError.timedOut(provider: "127.0.0.1", limit: .milliseconds(500))) {
        try await Deadline.within(.milliseconds(500), on: time) {
          try await CurlTransport(userAgent: "bitpal/0.1.0", time: time).send(HTTPRequest(url: server.url))
        }
      }
    }
  }
}
