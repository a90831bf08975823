import BitpalModel
import BitpalNetwork
import BitpalRateLimit
import BitpalTesting
import LoopbackServer
import TestSupport
import Testing

@Suite struct `The retrying transport` {
  private let time = ManualTime()
  private let heard = Notes<TraceEvent>()
  private let request = HTTPRequest(url: "https://api.example.org/ping")

  private func transport(
    _ base: any Transport, limiter: (any RateLimiter)? = nil, random: UInt64 = .max
  ) -> RetryingTransport {
    let heard = heard
    time.autoAdvance()
    return RetryingTransport(
      base, provider: "coingecko", limiter: limiter, time: time,
      trace: Trace { heard.add($0) }, random: { random })
  }

  private static let ok = Result<HTTPResponse, BitpalError>.success(HTTPResponse(status: 200))

  private static func status(_ status: Int, _ headers: (String, String)...) -> Result<HTTPResponse, BitpalError> {
    .success(HTTPResponse(status: status, headers: headers.map { HTTPHeader($0.0, $0.1) }))
  }

  @Test func `A failure is tried again, twice, after growing waits`() async throws {
    let base = ScriptedTransport([
      .failure(.network(host: "api.example.org", reason: "the connection was reset")), Self.status(502), Self.ok,
    ])
    #expect(try await transport(base).send(request).status == 200)
    #expect(time.slept == [.milliseconds(500), .seconds(1)])
    #expect(
      heard.all == [
        .retrying(attempt: 1, wait: .milliseconds(500), reason: "the connection was reset"),
        .retrying(attempt: 2, wait: .seconds(1), reason: "HTTP 502"),
      ])
    #expect(Set(base.deadlines.all) == [.seconds(15)])
  }

  @Test func `The third failure is given back`() async throws {
    let base = ScriptedTransport([Self.status(503)])
    #expect(try await transport(base).send(request).status == 503)
    #expect(base.count == 3)
    let failing = ScriptedTransport([.failure(.network(host: "h", reason: "port 443 cannot be reached: no connection"))]
    )
    await #expect(throws: BitpalError.network(host: "h", reason: "port 443 cannot be reached: no connection")) {
      try await transport(failing).send(request)
    }
    #expect(failing.count == 3)
  }

  @Test(arguments: [
    BitpalError.network(host: "h", reason: "its certificate is not trusted: self-signed certificate", isFinal: true),
    .network(host: "h", reason: "TLS failed: wrong version number", isFinal: true),
    .network(host: "h", reason: "the name does not resolve", isFinal: true),
    .unreadable(provider: "coingecko", reason: "it is larger than 10 MiB"),
    .unreadable(provider: "coingecko", reason: "it redirects to https://example.org, which is not followed"),
    .unreadable(provider: "coingecko", reason: "it is not HTTP"),
    .budgetUsed(provider: "coingecko", used: 5, limit: .perMinute(5), wait: .seconds(20)),
    .unreadable(provider: "coingecko", reason: "not JSON"),
  ])
  func `A failure that another attempt cannot fix is not retried`(_ error: BitpalError) async throws {
    let base = ScriptedTransport([.failure(error)])
    await #expect(throws: error) { try await transport(base).send(request) }
    #expect(base.count == 1)
    #expect(time.slept.isEmpty)
  }

  @Test(
    arguments: [
      (status(503), 503), (.failure(.network(host: "h", reason: "the connection was reset")), nil),
    ] as [(Result<HTTPResponse, BitpalError>, Int?)])
  func `A budget without room for another attempt does not hide what the source did`(
    _ fault: Result<HTTPResponse, BitpalError>, _ status: Int?
  ) async throws {
    let base = ScriptedTransport([
      fault, .failure(.rateLimited(provider: "coingecko", wait: .seconds(20), reason: "the budget is used up")),
    ])
    let transport = transport(base)
    if let status {
      #expect(try await transport.send(request).status == status)
    } else {
      await #expect(throws: BitpalError.network(host: "h", reason: "the connection was reset")) {
        try await transport.send(request)
      }
    }
    #expect(base.count == 2)
  }

  @Test func `An unreadable body is an error of the provider, not of its host`() async throws {
    let base = ScriptedTransport([.failure(.unreadable(provider: "127.0.0.1", reason: "it is not HTTP"))])
    await #expect(throws: BitpalError.unreadable(provider: "coingecko", reason: "it is not HTTP")) {
      try await transport(base).send(request)
    }
  }

  @Test func `A wait that cannot fit the deadline is not begun`() async throws {
    let base = ScriptedTransport([Self.status(503, ("Retry-After", "120"))])
    await #expect(throws: BitpalError.self) { try await transport(base).send(request) }
    #expect(base.count == 1)
    #expect(time.slept.isEmpty)
  }

  @Test func `A refusal whose wait fits is waited for, by everyone`() async throws {
    let limit = try #require(RateLimit(limit: 60, window: .seconds(60)))
    let limiter = BudgetLimiter(provider: "coingecko", limits: [limit], time: time)
    let base = ScriptedTransport([Self.status(429, ("Retry-After", "3")), Self.ok])
    #expect(try await transport(base, limiter: limiter).send(request).status == 200)
    #expect(time.slept == [.seconds(3)])
    try await limiter.acquire(deadline: .seconds(3))
  }

  @Test func `A refusal whose wait does not fit fails with the wait, and holds everyone back`() async throws {
    let limit = try #require(RateLimit(limit: 60, window: .seconds(60)))
    let limiter = BudgetLimiter(provider: "coingecko", limits: [limit], time: time)
    let base = ScriptedTransport([Self.status(429, ("Retry-After", "60"))])
    await #expect(
      throws: BitpalError.rateLimited(provider: "coingecko", wait: .seconds(60), reason: "it answered with HTTP 429")
    ) {
      try await transport(base, limiter: limiter).send(request)
    }
    #expect(base.count == 1)
    await #expect(
      throws: BitpalError.rateLimited(provider: "coingecko", wait: .seconds(60), reason: "the source asked for a pause")
    ) {
      try await limiter.acquire(deadline: .seconds(15))
    }
  }

  @Test func `A refusal that names no wait is tried again and then makes a pause`() async throws {
    let limit = try #require(RateLimit(limit: 60, window: .seconds(60)))
    let limiter = BudgetLimiter(provider: "coingecko", limits: [limit], time: time)
    let base = ScriptedTransport([Self.status(429)])
    await #expect(
      throws: BitpalError.rateLimited(provider: "coingecko", wait: nil, reason: "it answered with HTTP 429")
    ) {
      try await transport(base, limiter: limiter).send(request)
    }
    #expect(time.slept == [.seconds(2), .seconds(4)])
    await #expect(
      throws: BitpalError.rateLimited(provider: "coingecko", wait: .seconds(10), reason: "the source asked for a pause")
    ) {
      try await limiter.acquire(deadline: time.monotonic + .seconds(1))
    }
  }

  @Test func `A ban is not argued with`() async throws {
    let base = ScriptedTransport([Self.status(418, ("Retry-After", "2"))])
    await #expect(
      throws: BitpalError.rateLimited(
        provider: "coingecko", wait: .seconds(3600), reason: "it bans this address for a while (HTTP 418)")
    ) {
      try await transport(base).send(request)
    }
    #expect(base.count == 1)
  }

  @Test func `A ban of two hours is reported, and the pause is the longest possible one`() async throws {
    let limit = try #require(RateLimit(limit: 60, window: .seconds(60)))
    let limiter = BudgetLimiter(provider: "coingecko", limits: [limit], time: time)
    let base = ScriptedTransport([Self.status(418, ("Retry-After", "7200"))])
    let error = await #expect(throws: BitpalError.self) { try await transport(base, limiter: limiter).send(request) }
    #expect(error?.retryAfter == .seconds(7200))
    let left = await #expect(throws: BitpalError.self) { try await limiter.acquire(deadline: .seconds(15)) }
    #expect(left?.retryAfter == .seconds(3600))
  }

  @Test func `A source that is unavailable for a while is left alone as one that refuses`() async throws {
    let limit = try #require(RateLimit(limit: 60, window: .seconds(60)))
    let limiter = BudgetLimiter(provider: "coingecko", limits: [limit], time: time)
    let base = ScriptedTransport([Self.status(503, ("Retry-After", "120"))])
    await #expect(
      throws: BitpalError.rateLimited(provider: "coingecko", wait: .seconds(120), reason: "it answered with HTTP 503")
    ) {
      try await transport(base, limiter: limiter).send(request)
    }
    #expect(base.count == 1)
    await #expect(throws: BitpalError.self) { try await limiter.acquire(deadline: .seconds(15)) }
  }

  @Test func `The deadline's error names the whole time`() async throws {
    let base = ScriptedTransport([Self.status(503), .failure(.timedOut(provider: "127.0.0.1", limit: .seconds(14)))])
    await #expect(throws: BitpalError.timedOut(provider: "coingecko", limit: .seconds(15))) {
      try await transport(base).send(request)
    }
    #expect(base.count == 2)
  }

  @Test func `A quota that is used up ends retries for all requests`() async throws {
    let base = ScriptedTransport([Self.status(500)])
    time.autoAdvance()
    let transport = RetryingTransport(
      base, provider: "coingecko", quota: RetryQuota(15), time: time, random: { 0 })
    for _ in 0..<4 { #expect(try await transport.send(request).status == 500) }
    #expect(base.count == 3 + 2 + 1 + 1)
  }

  @Test func `Each attempt takes its place in the queue`() async throws {
    let limit = try #require(RateLimit(limit: 1, window: .seconds(10)))
    let limiter = BudgetLimiter(provider: "coingecko", limits: [limit], time: time)
    let base = ScriptedTransport([Self.status(500), Self.ok])
    let limited = RateLimitedTransport(base, limiter: limiter)
    #expect(try await transport(limited, random: 0).send(request).status == 200)
    #expect(time.slept == [.milliseconds(10_100)])
  }

  @Test(arguments: [true, false])
  func `A request that never left gives its place back, and one that may have left does not`(isSent: Bool) async throws
  {
    let limiter = BudgetLimiter(provider: "coingecko", limits: [.perMinute(1)], time: time)
    let fault = BitpalError.network(host: "h", reason: "r", isFinal: true, isSent: isSent)
    let limited = RateLimitedTransport(ScriptedTransport([.failure(fault)]), limiter: limiter)
    await #expect(throws: fault) { try await limited.send(request) }
    let hasRoom = (try? await limiter.acquire(deadline: .zero)) != nil
    #expect(hasRoom != isSent)
  }

  @Test func `Over the real network a reset is tried again`() async throws {
    let count = Locked(0)
    let server = try LoopbackServer { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number < 3 ? .reset : .ok(json: "1")
    }
    defer { server.stop() }
    let transport = RetryingTransport(
      CurlTransport(userAgent: "bitpal/0.1.0"), provider: "loopback", random: { 0 })
    try await withoutHanging {
      let response = try await transport.send(HTTPRequest(url: server.url))
      #expect(response.status == 200)
    }
    #expect(server.requests.count == 3)
  }
}
