import BitpalModel
import BitpalNetwork
import LoopbackServer
import TestSupport
import Testing

@Suite struct `The curl transport` {
  @Test func `A request goes out as asked and the answer comes back whole`() async throws {
    let server = try LoopbackServer { _ in
      .ok(json: #"{"bitcoin":{"usd":67187.3358936566}}"#, headers: [("X-Two", "a: b ")])
    }
    defer { server.stop() }
    var request = HTTPRequest(url: server.url + "/simple/price?ids=bitcoin,ethereum&vs_currencies=usd")
    request.headers = [HTTPHeader("Accept", "application/json"), HTTPHeader("X-Empty", "")]
    request.secret = HTTPRequest.SecretHeader("x-cg-demo-api-key", Secret("CG-planted"))
    let response = try await CurlTransport(userAgent: "bitpal/0.1.0").send(request)

    #expect(response.status == 200)
    #expect(String(decoding: response.body, as: UTF8.self) == #"{"bitcoin":{"usd":67187.3358936566}}"#)
    #expect(
      response.headers == [
        HTTPHeader("Content-Type", "application/json"), HTTPHeader("X-Two", "a: b"), HTTPHeader("Content-Length", "36"),
      ])
    let sent = try #require(server.requests.first)
    #expect(sent.method == "GET")
    #expect(sent.target == "/simple/price?ids=bitcoin,ethereum&vs_currencies=usd")
    #expect(sent.header("user-agent") == "bitpal/0.1.0")
    #expect(sent.header("accept") == "application/json")
    #expect(sent.header("accept-encoding")?.contains("gzip") == true)
    #expect(sent.header("x-empty") == "")
    #expect(sent.header("x-cg-demo-api-key") == "CG-planted")
    #expect(sent.header("host") == "127.0.0.1:\(server.port)")
  }

  @Test(arguments: [400, 404, 429, 500, 503])
  func `An error status is a response`(_ status: Int) async throws {
    let server = try LoopbackServer { _ in .status(status, "Throttled") }
    defer { server.stop() }
    let response = try await CurlTransport(userAgent: "bitpal/0.1.0").send(HTTPRequest(url: server.url))
    #expect(response.status == status)
    #expect(String(decoding: response.body, as: UTF8.self) == "Throttled")
  }

  @Test func `A compressed answer is unpacked`() async throws {
    let json = "[" + String(repeating: "1234567890,", count: 20_000) + "0]"
    // Compressed before it is asked for: a source that is silent for too long counts as stalled.
    let reply = ServerReply.gzipped(json: json)
    let server = try LoopbackServer { _ in reply }
    defer { server.stop() }
    let response = try await CurlTransport(userAgent: "bitpal/0.1.0").send(HTTPRequest(url: server.url))
    #expect(String(decoding: response.body, as: UTF8.self) == json)
  }

  /// libcurl repeats a request by itself when a kept connection ends without an answer; no budget counted the second one.
  @Test(arguments: [ServerReply.close, .reset])
  func `A request on a kept connection that is closed is sent once`(_ end: ServerReply) async throws {
    let asked = Locked(0)
    let server = try LoopbackServer { _ in
      asked.withLock { asked in
        asked += 1
        return asked == 2 ? end : .ok(json: "{}")
      }
    }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    _ = try await transport.send(HTTPRequest(url: server.url))
    await #expect(throws: BitpalError.self) { try await transport.send(HTTPRequest(url: server.url)) }
    #expect(server.requests.count == 2)
    #expect(try await transport.send(HTTPRequest(url: server.url)).status == 200)
  }

  @Test func `An interim response is not the answer`() async throws {
    let server = try LoopbackServer { _ in
      .raw(
        Array(
          "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nX-Late: 1\r\nContent-Length: 2\r\n\r\nok"
            .utf8))
    }
    defer { server.stop() }
    let response = try await CurlTransport(userAgent: "bitpal/0.1.0").send(HTTPRequest(url: server.url))
    #expect(response.status == 200)
    #expect(response.headers == [HTTPHeader("X-Late", "1"), HTTPHeader("Content-Length", "2")])
  }

  @Test func `Requests one after the other share a connection`() async throws {
    let server = try LoopbackServer { request in .ok(json: "\"\(request.target)\"") }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    for number in 1...5 {
      let response = try await transport.send(HTTPRequest(url: server.url + "/\(number)"))
      #expect(String(decoding: response.body, as: UTF8.self) == "\"/\(number)\"")
    }
    #expect(server.connectionCount == 1)
  }

  @Test func `A hundred requests at once each get their own answer`() async throws {
    let server = try LoopbackServer { request in .ok(json: "\"\(request.target)\"") }
    defer { server.stop() }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0")
    let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 1...100 {
        group.addTask {
          let response = try await transport.send(HTTPRequest(url: server.url + "/\(number)"))
          return String(decoding: response.body, as: UTF8.self) != "\"/\(number)\""
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(wrong == 0)
    #expect(server.requests.count == 100)
  }

  @Test func `Transports come and go`() async throws {
    let server = try LoopbackServer { _ in .ok(json: "1") }
    defer { server.stop() }
    for _ in 0..<20 {
      let transport = CurlTransport(userAgent: "bitpal/0.1.0")
      #expect(try await transport.send(HTTPRequest(url: server.url)).status == 200)
    }
  }

  @Test func `The trace shows the request without its key, and the response`() async throws {
    let server = try LoopbackServer { _ in .ok(json: "12345") }
    defer { server.stop() }
    let heard = Notes<TraceEvent>()
    let trace = Trace { heard.add($0) }
    let transport = CurlTransport(userAgent: "bitpal/0.1.0", trace: trace)
    let secret = HTTPRequest.SecretHeader("x-cg-demo-api-key", Secret("CG-planted"))
    _ = try await transport.send(HTTPRequest(url: server.url + "/ping", secret: secret))
    let events = heard.all
    #expect(events.first == .request("curl --compressed -H 'x-cg-demo-api-key: …' '\(server.url)/ping'"))
    guard events.count == 2, case .response(status: 200, bytes: 5, _) = events[1] else {
      Issue.record("\(events)")
      return
    }
    #expect(!"\(events)".contains("planted"))
  }
}
