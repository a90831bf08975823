import BitpalModel
import BitpalServe
import Testing

@Suite struct `The server on the wire` {
  /// What a request is asked for in these tests: its path, as a text.
  private func daemon(
    limits: HTTPDaemon.Limits = .init(), answer: (@Sendable (WebHead) async -> WebResponse)? = nil
  ) throws -> HTTPDaemon {
    let gate = Gate()
    return try HTTPDaemon(
      on: NetworkAddress("127.0.0.1:0"), limits: limits, atOnce: { gate.refusal(of: $0) },
      answer: answer ?? { WebResponse($0.target + "\n", as: .text) })
  }

  private static let get = "GET /a?b HTTP/1.1\r\nHost: localhost\r\n\r\n"

  @Test func `A request is answered, and the next one on the same connection`() async throws {
    let daemon = try daemon()
    #expect(daemon.address.port != 0)
    let client = RawClient(port: daemon.address.port)
    for _ in 0..<3 {
      client.send(Self.get)
      let answer = await client.readAnswer()
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n/a?b\n"))
    }
    await daemon.stop()
  }

  @Test(arguments: ["GET", "HEAD"], [200, 304])
  func `Known answers keep the connection, and pipelined requests are all answered`(
    method: String, status: Int
  ) async throws {
    let daemon = try HTTPDaemon(
      on: NetworkAddress("127.0.0.1:0"), atOnce: { _ in WebResponse(status: status, body: Array("known".utf8)) },
      answer: { _ in WebResponse("asked", as: .text) })
    let client = RawClient(port: daemon.address.port)
    client.send(
      (1...20).map { "\(method) /\($0) HTTP/1.1\r\nHost: localhost\($0 == 20 ? "\r\nConnection: close" : "")\r\n\r\n" }
        .joined())
    let answers = await client.readToEnd()
    #expect(answers.ranges(of: "HTTP/1.1 \(status) ").count == 20)
    #expect(answers.ranges(of: "Connection: close").count == 1)
    await daemon.stop()
  }

  @Test(arguments: [
    ("", 421), ("Host: localhost\r\nContent-Length: x\r\n", 413), ("Host: localhost\r\nContent-Length: +0\r\n", 413),
    ("Host: localhost\r\nContent-Length: 0, 0\r\n", 413), ("Host: localhost\r\nContent-Length: -1\r\n", 413),
    ("Host: localhost\r\nContent-Length: \(String(repeating: "9", count: 40))\r\n", 413),
    ("Host: localhost\r\nContent-Length: 0\r\nContent-Length: 0\r\n", 413),
    (
      "Host: localhost\r\nCookie: \((0..<2000).map { "c\($0)=a" }.joined(separator: "; "))\r\nConnection: close\r\n",
      200
    ),
    ("Host: localhost\r\nCookie: a=\(String(repeating: "a", count: 24_000))\r\nConnection: close\r\n", 200),
  ])
  func `A request that the library refuses gets our answer, with one head`(headers: String, status: Int) async throws {
    let daemon = try daemon()
    let query = (0..<500).map { "a\($0)=b" }.joined(separator: "&")
    let client = RawClient(port: daemon.address.port)
    client.send("GET /a?\(query) HTTP/1.1\r\n\(headers)\r\n" + Self.get)
    let answer = await client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.ranges(of: "HTTP/1.").count == 1, "\(answer.prefix(500))")
    #expect(status != 200 || answer.hasSuffix("/a?\(query)\n"))
    await daemon.stop()
  }

  @Test func `HEAD of a stream has no content, and the connection ends with it`() async throws {
    let daemon = try daemon { _ in WebResponse(status: 200, stream: WebStream()) }
    let client = RawClient(port: daemon.address.port)
    client.send("HEAD /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(await client.readToEnd().hasSuffix("\r\n\r\n"))
    await daemon.stop()
  }

  @Test func `HEAD is answered with the headers alone`() async throws {
    let daemon = try daemon()
    let client = RawClient(port: daemon.address.port)
    client.send("HEAD /a?b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let answer = await client.readToEnd()
    #expect(answer.contains("Content-Length: 5\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n"))
    await daemon.stop()
  }

  @Test(arguments: [
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30\r\n\r\n" + get,
    "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get,
    "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get,
    "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + get,
    "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n Content-Length: 5\r\n\r\n" + get,
    "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\u{0}Content-Length: 5\r\n\r\n" + get,
    "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length : 5\r\n\r\n" + get,
    "GET / HTTP/1.1\nHost: localhost\n\n" + get,
    "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n" + get,
    "GARBAGE\r\n\r\n" + get, "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}\r\n\r\n" + get,
  ])
  func `After what is refused no byte is taken for another request`(bytes: String) async throws {
    let daemon = try daemon()
    let client = RawClient(port: daemon.address.port)
    client.send(bytes)
    let answer = await client.readToEnd()
    #expect(answer.ranges(of: "HTTP/1.1 ").count <= 1)
    #expect(!answer.contains("HTTP/1.1 200"))
    await daemon.stop()
  }

  @Test func `A header in Latin-1 is accepted, and one with a hidden line beside it is not`() async throws {
    let daemon = try daemon()
    let latin = Array("GET /a HTTP/1.1\r\nHost: localhost\r\nUser-Agent: Caf".utf8) + [0xE9, 0xE8]
    let client = RawClient(port: daemon.address.port)
    client.send(latin + Array("\r\n\r\n".utf8))
    #expect(await client.readAnswer().hasSuffix("\r\n\r\n/a\n"))
    client.send(latin + Array("\u{0}X: a\r\n\r\n".utf8))
    #expect(await client.readToEnd().hasPrefix("HTTP/1.1 400 "))
    await daemon.stop()
  }

  @Test func `A 304 has the length of the answer that the client has, and no body`() async throws {
    let daemon = try daemon { WebResponse("12345", as: .text).tagged.unlessKnown(to: $0) }
    let client = RawClient(port: daemon.address.port)
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: *\r\nConnection: close\r\n\r\n")
    let answer = await client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 304 "))
    #expect(answer.contains("Content-Length: 5\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n"))
    await daemon.stop()
  }

  @Test func `A megabyte of URL is refused, and others are served on`() async throws {
    let daemon = try daemon()
    let client = RawClient(port: daemon.address.port)
    client.send("GET /" + String(repeating: "a", count: 1 << 20) + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let answer = await client.readToEnd()
    #expect(!answer.contains("HTTP/1.1 200"))
    let other = RawClient(port: daemon.address.port)
    other.send(Self.get)
    #expect(await other.readAnswer().contains("200 OK"))
    await daemon.stop()
  }

  @Test func `A connection without a whole request is closed in time, however often a byte comes`() async throws {
    var limits = HTTPDaemon.Limits()
    limits.waiting = .milliseconds(200)
    let daemon = try daemon(limits: limits)
    let idle = RawClient(port: daemon.address.port)
    let slow = RawClient(port: daemon.address.port)
    let sender = Task {
      let sent = RawClient(port: daemon.address.port)
      sent.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
      while !sent.isOver {
        sent.send("a")
        // A byte per exchange of another client.
        let other = RawClient(port: daemon.address.port)
        other.send(Self.get)
        _ = await other.readAnswer()
      }
      return await sent.readToEnd()
    }
    slow.send("GET / HTT")
    #expect(await idle.readToEnd() == "")
    #expect(await slow.readToEnd() == "")
    #expect(await sender.value == "")
    await daemon.stop()
  }

  @Test func `Silent connections do not take the place of others`() async throws {
    let daemon = try daemon()
    let idle = (0..<200).map { _ in RawClient(port: daemon.address.port) }
    let client = RawClient(port: daemon.address.port)
    client.send(Self.get)
    #expect(await client.readAnswer().contains("200 OK"))
    #expect(daemon.connections == idle.count + 1)
    await daemon.stop()
  }

  @Test func `A request that has begun is answered before the server stops`() async throws {
    let gate = AsyncStream<Void>.makeStream()
    let begun = AsyncStream<Void>.makeStream()
    let daemon = try daemon { head in
      begun.continuation.yield()
      for await _ in gate.stream { break }
      return WebResponse("slow\n", as: .text)
    }
    let client = RawClient(port: daemon.address.port)
    client.send(Self.get)
    for await _ in begun.stream { break }
    async let stopped: Void = daemon.stop()
    while !daemon.isEnding { await Task.yield() }
    gate.continuation.yield()
    await stopped
    let answer = await client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
    #expect(answer.contains("Connection: close"))
    #expect(answer.hasSuffix("slow\n"))
  }

  @Test func `A request that does not finish in time is answered with 503`() async throws {
    let gate = AsyncStream<Void>.makeStream()
    let begun = AsyncStream<Void>.makeStream()
    let daemon = try daemon { _ in
      begun.continuation.yield()
      for await _ in gate.stream { break }
      return WebResponse("late\n", as: .text)
    }
    defer { gate.continuation.finish() }
    let client = RawClient(port: daemon.address.port)
    client.send(Self.get)
    for await _ in begun.stream { break }
    await daemon.stop(patience: .milliseconds(50))
    #expect(await client.readToEnd().hasPrefix("HTTP/1.1 503"))
  }

  @Test func `Clients that go on asking do not keep it from stopping, and each answer is whole`() async throws {
    let (answers, answered) = AsyncStream<Void>.makeStream()
    let daemon = try daemon { _ in
      await Task.yield()
      answered.yield()
      return WebResponse("here\n", as: .text)
    }
    let port = daemon.address.port
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let client = RawClient(port: port)
          while true {
            client.send(Self.get)
            let answer = await client.readAnswer()
            if answer.isEmpty { break }
            #expect(answer.hasSuffix("\r\n\r\nhere\n") || answer.hasSuffix("\r\n\r\nthe server stops\n"))
          }
        }
      }
      var count = 0
      for await _ in answers {
        count += 1
        if count == 200 { break }
      }
      await daemon.stop(patience: .milliseconds(30))
    }
    #expect(daemon.connections == 0)
  }

  @Test func `A client that leaves before its answer does no harm`() async throws {
    let (departures, departed) = AsyncStream<Void>.makeStream()
    let gone = Task { for await _ in departures {} }
    let daemon = try daemon { _ in
      await gone.value
      return WebResponse("late\n", as: .text)
    }
    for _ in 0..<20 { RawClient(port: daemon.address.port).send(Self.get) }
    let client = RawClient(port: daemon.address.port)
    client.send(Self.get)
    departed.finish()
    #expect(await client.readAnswer().hasSuffix("late\n"))
    await daemon.stop()
    #expect(daemon.connections == 0)
  }

  @Test func `An address that is taken is refused with what to do`() async throws {
    let daemon = try daemon()
    #expect {
      _ = try HTTPDaemon(on: daemon.address, atOnce: { _ in nil }, answer: { _ in WebResponse(status: 200) })
    } throws: { error in
      (error as? AddressTaken)?.failure.description.contains("--listen 127.0.0.1:0 takes any port that is free") == true
    }
    await daemon.stop()
  }
}
