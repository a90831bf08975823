import BitpalModel
import BitpalNetwork
import BitpalRateLimit
import BitpalTesting
import LoopbackServer
import Testing

@Suite struct `Cancelling a request` {
  @Test(arguments: [
    ServerReply.silence(.seconds(3600)), .drip(Array(repeating: 1, count: 100_000), interval: .milliseconds(20)),
  ])
  func `ends its transfer at once, and no other`(_ answer: ServerReply) async throws {
    let server = try LoopbackServer { request in request.path == "/slow" ? answer : .ok(json: "1") }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    try await withoutHanging {
      let task = Task { try await transport.send(HTTPRequest(url: server.url + "/slow")) }
      while server.requests.isEmpty { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      let response = try await transport.send(HTTPRequest(url: server.url + "/quick"))
      #expect(response.status == 200)
    }
  }

  @Test func `ends it while it connects`() async throws {
    let full = try FullPort()
    defer { full.stop() }
    let url = "http://127.0.0.1:\(full.port)/"
    let asked = Locked(false)
    let transport = CurlTransport(userAgent: "bitpal/0.1.0", trace: Trace { _ in asked.withLock { $0 = true } })
    try await withoutHanging {
      let task = Task { try await transport.send(HTTPRequest(url: url)) }
      while !asked.withLock({ $0 }) { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `before it is sent sends nothing`() async throws {
    let server = try LoopbackServer { _ in .ok(json: "1") }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await transport.send(HTTPRequest(url: server.url))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.isEmpty)
  }

  @Test func `at any moment neither hangs nor loses the next`() async throws {
    let server = try LoopbackServer { _ in .ok(json: String(repeating: "x", count: 100_000)) }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    try await withoutHanging {
      for round in 0..<100 {
        let task = Task { try await transport.send(HTTPRequest(url: server.url)) }
        for _ in 0..<(round * 7 % 50) { await Task.yield() }
        task.cancel()
        if case .failure(let error) = await task.result { #expect(error is CancellationError) }
      }
      let response = try await transport.send(HTTPRequest(url: server.url))
      #expect(response.body.count == 100_000)
    }
  }

  @Test func `ends it while it waits for the limiter or backs off`() async throws {
    let time = ManualTime()
    let limit = try #require(RateLimit(limit: 1, window: .seconds(10)))
    let limiter = BudgetLimiter(provider: "coingecko", limits: [limit], time: time)
    let base = ScriptedTransport([.success(HTTPResponse(status: 200)), .success(HTTPResponse(status: 503))])
    let transport = RetryingTransport(
      RateLimitedTransport(base, limiter: limiter), provider: "coingecko", time: time)
    _ = try await transport.send(HTTPRequest(url: "https://example.org/"))
    let waiting = Task { try await transport.send(HTTPRequest(url: "https://example.org/")) }
    await time.waitForSleepers(1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(base.count == 1)

    // A little later than the token is back: the caller that was cancelled might have come.
    time.advance(by: .milliseconds(10_200))
    let backingOff = Task { try await transport.send(HTTPRequest(url: "https://example.org/")) }
    await time.waitForSleepers(1)
    #expect(base.count == 2)
    backingOff.cancel()
    await #expect(throws: CancellationError.self) { try await backingOff.value }
    #expect(time.sleeperCount == 0)
  }
}
