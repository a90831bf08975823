import BitpalModel
import BitpalNetwork
import Foundation
import LoopbackServer
import TestSupport
import Testing

/// What a server may do, and the one sentence that it comes to.
@Suite struct `A fault on the way` {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let answer: ServerReply
    let error: BitpalError

    init(_ name: String, _ answer: ServerReply, _ reason: String, isFinal: Bool = false) {
      testDescription = name
      self.answer = answer
      error = .network(host: "127.0.0.1", reason: reason, isFinal: isFinal)
    }

    init(_ name: String, _ answer: ServerReply, unreadable reason: String) {
      testDescription = name
      self.answer = answer
      error = .unreadable(provider: "127.0.0.1", reason: reason)
    }
  }

  @Test(arguments: [
    Case("closes at once", .close, "it closed the connection without an answer"),
    Case("resets", .reset, "the connection was reset"),
    Case("half a body", .halfBody(Array("0123456789".utf8)), "the answer broke off after 5 bytes"),
    Case("garbage", .garbage, unreadable: "it is not HTTP"),
    Case("false gzip", .falseGzip, unreadable: "its compression is damaged"),
    Case("endless body", .endlessBody, unreadable: "it is larger than 10 MiB"),
    Case("gzip bomb of 200 MiB", .gzipBomb(unpacked: 200 << 20), unreadable: "it is larger than 10 MiB"),
    Case("endless headers", .endlessHeaders, unreadable: "it has more than 256 headers"),
    Case("endless header line", .endlessHeaderLine, unreadable: "its headers are larger than 64 KiB"),
    Case(
      "a length that is too large",
      .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n".utf8)), unreadable: "it is larger than 10 MiB"),
    Case(
      "large headers",
      .response(
        status: 200, headers: (0..<20).map { ("X-\($0)", String(repeating: "x", count: 4000)) }, body: [UInt8(1)]),
      unreadable: "its headers are larger than 64 KiB"),
    Case("redirect to itself", .redirect(to: "/"), unreadable: "it redirects more than 5 times"),
    Case(
      "redirect to a file", .redirect(to: "file:///etc/passwd"),
      unreadable: "it redirects to file://, which is not followed"),
    Case(
      "redirect to another host", .redirect(to: "https://example.org/a?b=c"),
      unreadable: "it redirects to https://example.org, which is not followed"),
    Case(
      "redirect to another name of the host", .redirect(to: "//localhost/", status: 307),
      unreadable: "it redirects to http://localhost, which is not followed"),
    Case(
      "redirect to nonsense", .redirect(to: "http://[", status: 308),
      unreadable: "it redirects to a place that is not a URL, which is not followed"),
    Case(
      "chunks that are none",
      .raw(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\nzz\r\n".utf8)),
      "the answer broke off after 5 bytes"),
    Case(
      "chunks without an end",
      .raw(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\n12345\r\n".utf8)),
      "the answer broke off after 5 bytes"),
    Case(
      "an encoding that is not read", .response(status: 200, headers: [("Content-Encoding", "br")], body: [1]),
      unreadable: "it is encoded as br, which is not read"),
    Case(
      "more encodings than anything has",
      .response(status: 200, headers: [("Content-Encoding", "gzip, gzip, gzip, gzip")], body: [1]),
      unreadable: "it is encoded as gzip, gzip, gzip, gzip, which is not read"),
    Case(
      "gzip without its end",
      .response(status: 200, headers: [("Content-Encoding", "gzip")], body: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]),
      "the answer broke off after 10 bytes"),
  ])
  func `has one sentence`(_ fault: Case) async throws {
    let server = try LoopbackServer { _ in fault.answer }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    try await withoutHanging {
      await #expect(throws: fault.error) {
        try await transport.send(HTTPRequest(url: server.url + "/"))
      }
    }
  }

  @Test(arguments: [
    Case("silence", .silence(.seconds(3600)), ""),
    Case("a byte every 0.3 s", .drip(Array(repeating: 48, count: 10_000), interval: .milliseconds(300)), ""),
    Case("a late answer", .delayed(.seconds(3600), .ok(json: "1")), ""),
  ])
  func `that takes too long ends at the deadline`(_ fault: Case) async throws {
    let server = try LoopbackServer { _ in fault.answer }
    defer { server.stop() }
    let time = SystemTime()
    let transport = CurlTransport(userAgent: "bitpal/0.1.0", time: time)
    try await withoutHanging {
      await #expect(throws: BitpalError.timedOut(provider: "127.0.0.1", limit: .milliseconds(500))) {
        try await Deadline.within(.milliseconds(500), on: time) {
          try await transport.send(HTTPRequest(url: server.url))
        }
      }
    }
  }

  @Test func `A request without a deadline ends at the transport's own limit`() async throws {
    let server = try LoopbackServer { _ in .silence(.seconds(3600)) }
    defer { server.stop() }
    var limits = CurlLimits()
    limits.total = .milliseconds(300)
    let transport = CurlTransport(userAgent: "bitpal/0.1.0", limits: limits)
    try await withoutHanging {
      await #expect(throws: BitpalError.timedOut(provider: "127.0.0.1", limit: .milliseconds(300))) {
        try await transport.send(HTTPRequest(url: server.url))
      }
    }
  }

  @Test func `A deadline that has passed asks nothing`() async throws {
    let server = try LoopbackServer { _ in .ok(json: "1") }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    await #expect(throws: BitpalError.self) {
      try await Deadline.independent(.zero, on: SystemTime()) { try await transport.send(HTTPRequest(url: server.url)) }
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `A stalled transfer is given up before the deadline`() async throws {
    let server = try LoopbackServer { _ in .drip(Array(repeating: 1, count: 10_000), interval: .milliseconds(300)) }
    defer { server.stop() }
    var limits = CurlLimits()
    limits.stallTime = .seconds(1)
    let transport = CurlTransport(userAgent: "bitpal/0.1.0", limits: limits)
    try await withoutHanging {
      await #expect(
        throws: BitpalError.network(host: "127.0.0.1", reason: "it sent less than 100 bytes a second for 1s")
      ) {
        try await transport.send(HTTPRequest(url: server.url))
      }
    }
  }

  @Test func `A limit of bytes holds for what arrives, to the byte`() async throws {
    let server = try LoopbackServer { request in
      .gzipped(json: String(repeating: "x", count: Int(request.path.dropFirst()) ?? 0))
    }
    defer { server.stop() }
    var limits = CurlLimits()
    limits.bodyBytes = 2000
    let transport = CurlTransport(userAgent: "bitpal/0.1.0", limits: limits)
    #expect(try await transport.send(HTTPRequest(url: server.url + "/1900")).body.count == 1900)
    await #expect(throws: BitpalError.unreadable(provider: "127.0.0.1", reason: "it is larger than 2000 bytes")) {
      try await transport.send(HTTPRequest(url: server.url + "/2001"))
    }
  }

  @Test(arguments: [
    ("CG-plan/ted", "CG-plan/ted is bad: CG-plan/ted, CG-plan/te", "REDACTED is bad: REDACTED, CG-plan/te"),
    ("CG-plan/ted", #"{"error":"Bearer CG-plan\/ted"}"#, #"{"error":"Bearer REDACTED"}"#),
    ("CG-plan/ted", #"{"error":"\u0043G-plan\u002fted"}"#, #"{"error":"REDACTED"}"#),
    ("CG-plan/ted", "?key=CG-plan%2Fted&twice=CG-plan%252fted", "?key=REDACTED&twice=REDACTED"),
    ("CG-plan/ted", "Q0ctcGxhbi90ZWQ= 43472d706c616e2f746564", "REDACTEDQ= REDACTED"),
  ])
  func `A source that quotes the key in its answer, in any encoding, is not quoted`(
    key: String, body: String, clean: String
  ) async throws {
    let server = try LoopbackServer { _ in .status(401, body, headers: [("X-Echo", "Bearer \(key)")]) }
    defer { server.stop() }
    let secret = HTTPRequest.SecretHeader("Authorization", Secret(key), after: "Bearer ")
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    let response = try await transport.send(HTTPRequest(url: server.url, secret: secret))
    #expect(String(decoding: response.body, as: UTF8.self) == clean)
    #expect(response.headers.first(named: "x-echo") == "Bearer REDACTED")
    #expect(server.requests.first?.header("Authorization") == "Bearer \(key)")
  }

  @Test func `A key that a redirect puts into the URL is not shown`() async throws {
    let server = try LoopbackServer { request in
      request.target.contains("key")
        ? .status(302, "", headers: [("Location", "https://CG-planted.example/CG-planted")])
        : .status(302, "", headers: [("Location", "/?key=CG-planted")])
    }
    defer { server.stop() }
    let notes = Notes<String>()
    let transport = CurlTransport(
      userAgent: "bitpal/0.1.0", trace: Trace { if case .request(let command) = $0 { notes.add(command) } })
    let secret = HTTPRequest.SecretHeader("X-Key", Secret("CG-planted"))
    let error = await #expect(throws: BitpalError.self) {
      try await transport.send(HTTPRequest(url: server.url, secret: secret))
    }
    #expect(notes.all.count == 2 && notes.all.allSatisfy { !$0.contains("planted") })
    #expect(error?.message.contains("CG-planted") == false)
  }

  // MARK: Connecting

  struct Unreachable: CustomTestStringConvertible {
    let testDescription: String
    let url: String
    var proxy: String?
    let error: BitpalError
  }

  @Test(arguments: [
    Unreachable(
      testDescription: "a port that is closed", url: "http://127.0.0.1:1/",
      error: .network(host: "127.0.0.1", reason: "port 1 cannot be reached: no connection", isSent: false)),
    // A label of more than 63 characters is refused by the resolver itself, without a network.
    Unreachable(
      testDescription: "a name that does not resolve",
      url: "https://" + String(repeating: "a", count: 70) + ".invalid/",
      error: .network(
        host: String(repeating: "a", count: 70) + ".invalid", reason: "the name does not resolve", isFinal: true,
        isSent: false)),
    Unreachable(
      testDescription: "a proxy that is not there", url: "https://api.example.org/", proxy: "http://127.0.0.1:1",
      error: .network(
        host: "api.example.org", reason: "the proxy cannot be reached: no connection to 127.0.0.1 port 1", isSent: false
      )),
    Unreachable(
      testDescription: "a proxy whose name does not resolve", url: "https://api.example.org/",
      proxy: "http://" + String(repeating: "a", count: 70) + ".invalid:3128",
      error: .network(
        host: "api.example.org", reason: "the proxy cannot be reached: its name does not resolve", isSent: false)),
  ])
  func `while connecting has one sentence`(_ fault: Unreachable) async throws {
    let transport = CurlTransport(userAgent: "bitpal/0.1.0", proxy: fault.proxy)
    try await withoutHanging {
      await #expect(throws: fault.error) { try await transport.send(HTTPRequest(url: fault.url)) }
    }
  }

  @Test func `A connection that is not made is given up before the deadline`() async throws {
    let full = try FullPort()
    defer { full.stop() }
    var limits = CurlLimits()
    limits.connect = .milliseconds(300)
    let transport = CurlTransport(userAgent: "bitpal/0.1.0", limits: limits)
    try await withoutHanging {
      await #expect(throws: BitpalError.network(host: "127.0.0.1", reason: "no connection within 0.3s", isSent: false))
      {
        try await transport.send(HTTPRequest(url: "http://127.0.0.1:\(full.port)/"))
      }
    }
  }

  @Test func `This machine is not asked through a proxy`() async throws {
    let server = try LoopbackServer { _ in .ok(json: "1") }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0", proxy: "http://127.0.0.1:1")
    #expect(try await transport.send(HTTPRequest(url: server.url)).status == 200)
  }

  @Test func `A refusal of a proxy is distinguished from one of the source`() async throws {
    let proxy = try LoopbackServer { _ in .status(403, "no") }
    defer { proxy.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0", proxy: proxy.url)
    let secret = HTTPRequest.SecretHeader("x-cg-demo-api-key", Secret("CG-planted"))
    let error = await #expect(throws: BitpalError.self) {
      try await transport.send(HTTPRequest(url: "https://api.example.org/", secret: secret))
    }
    #expect(error?.message.hasSuffix(" answered with HTTP 403: it does not make the connection") == true)
    #expect(proxy.requests.first?.method == "CONNECT")
    #expect(proxy.requests.first?.header("x-cg-demo-api-key") == nil)
  }

  @Test func `A server without TLS is not asked without`() async throws {
    let server = try LoopbackServer { _ in .ok(json: "1") }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    let error = await #expect(throws: BitpalError.self) {
      try await transport.send(HTTPRequest(url: "https://127.0.0.1:\(server.port)/"))
    }
    #expect(error?.message.hasPrefix("cannot reach 127.0.0.1: TLS failed: ") == true)
    #expect(server.requests.isEmpty)
  }

  @Test(.enabled(if: TLSServer.isPossible, "needs the openssl command"))
  func `A certificate without a trusted authority is refused`() async throws {
    let server = try await TLSServer()
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    let error = await #expect(throws: BitpalError.self) {
      try await transport.send(HTTPRequest(url: "https://localhost:\(server.port)/"))
    }
    #expect(error?.message == "cannot reach localhost: its certificate is not trusted: self-signed")
  }

  // MARK: What is not asked

  @Test(arguments: [
    (
      "http://api.coingecko.com/api", "api.coingecko.com",
      "only https is allowed, and http for this machine, but not http here"
    ),
    (
      "http://127.0.0.1.example.org/", "127.0.0.1.example.org",
      "only https is allowed, and http for this machine, but not http here"
    ),
    (
      "http://localhost.example.org/", "localhost.example.org",
      "only https is allowed, and http for this machine, but not http here"
    ),
    ("http://128.0.0.1/", "128.0.0.1", "only https is allowed, and http for this machine, but not http here"),
    ("file:///etc/passwd", "file://", "only https is allowed, and http for this machine, but not file here"),
    ("ftp://example.org/", "example.org", "only https is allowed, and http for this machine, but not ftp here"),
    ("https://user:word@example.org/", "example.org", "a user name in a URL is not allowed"),
    ("example.org/", "example.org", "the URL is not valid"),
    ("https://", "that URL", "the URL is not valid"),
    ("https://exam ple.org/", "exam ple.org", "the URL is not valid"),
    ("https://example.org/\r\nX: y", "example.org", "the URL is not valid"),
    ("https://user:word@exam ple.org/", "exam ple.org", "the URL is not valid"),
  ])
  func `A URL that must not be asked`(_ url: String, _ host: String, _ reason: String) async throws {
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    await #expect(throws: BitpalError.network(host: host, reason: reason, isFinal: true, isSent: false)) {
      try await transport.send(HTTPRequest(url: url))
    }
  }

  @Test(arguments: ["a\r\nX-Evil: 1", "a\n", "a\0b"])
  func `A header that would become two is not sent, and a secret is not shown`(_ value: String) async throws {
    let server = try LoopbackServer { _ in .ok(json: "1") }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    let reason = "a header cannot be sent: X-Key has a line end or a NUL in it"
    await #expect(throws: BitpalError.network(host: "127.0.0.1", reason: reason, isFinal: true, isSent: false)) {
      try await transport.send(HTTPRequest(url: server.url, headers: [HTTPHeader("X-Key", value)]))
    }
    await #expect(throws: BitpalError.network(host: "127.0.0.1", reason: reason, isFinal: true, isSent: false)) {
      let secret = HTTPRequest.SecretHeader("X-Key", Secret(value))
      return try await transport.send(HTTPRequest(url: server.url, secret: secret))
    }
    #expect(server.requests.isEmpty)
  }
}

/// Runs `body` and fails when it took minutes, which only a hang does: a silent server is silent for an hour.
func withoutHanging(_ body: () async throws -> Void) async throws {
  let took = try await ContinuousClock().measure(body)
  #expect(took < .seconds(600))
}
