import BitpalModel
import TestSupport
import Testing

@testable import BitpalServe

extension WebStream {
  fileprivate func send(_ text: String) { send(Array(text.utf8)) }
}

@Suite struct `A stream on the wire` {
  private func daemon(_ stream: WebStream, limits: HTTPDaemon.Limits = .init()) throws -> HTTPDaemon {
    try HTTPDaemon(
      on: NetworkAddress("127.0.0.1:0"), limits: limits, atOnce: { _ in nil },
      answer: { _ in WebResponse(status: 200, headers: [WebHeader("Content-Type", "text/event-stream")], stream: stream)
      }
    )
  }

  private static let get = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"

  @Test func `Events arrive in order as they are sent, and the end is seen`() async throws {
    let stream = WebStream()
    let daemon = try daemon(stream)
    let client = RawClient(port: daemon.address.port)
    stream.send("one\n")
    client.send(Self.get)
    #expect(await client.read(to: "one\n").contains("Transfer-Encoding: chunked"))
    for number in 2...20 {
      stream.send("number \(number)\n")
      #expect(await client.read(to: "number \(number)\n").contains("number \(number)\n"))
    }
    stream.finish()
    #expect(await client.read(to: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
    #expect(stream.isOver)
    await daemon.stop()
  }

  @Test func `It is not closed for having no end, and the server stops with it open`() async throws {
    var limits = HTTPDaemon.Limits()
    limits.waiting = .milliseconds(50)
    limits.waitingWhenFull = .milliseconds(50)
    limits.answering = .milliseconds(100)
    let stream = WebStream()
    let daemon = try daemon(stream, limits: limits)
    stream.send("one\n")
    var client = RawClient(port: daemon.address.port)
    client.send(Self.get)
    // A machine so busy that the request came after the limit for one has closed the connection: another is made.
    while await !client.read(to: "one\n").contains("one\n") {
      client = RawClient(port: daemon.address.port)
      client.send(Self.get)
    }
    // Connections that say nothing are closed meanwhile, one after the other, so that each limit has passed.
    for _ in 0..<4 { #expect(await RawClient(port: daemon.address.port).readToEnd() == "") }
    stream.send("two\n")
    #expect(await client.read(to: "two\n").contains("two\n"))
    await daemon.stop()
    #expect(await client.readToEnd().hasSuffix("0\r\n\r\n"))
    #expect(stream.isOver)
  }

  @Test func `A client that has gone is noticed when something is sent`() async throws {
    let stream = WebStream()
    let over = Notes<String>()
    stream.whenOver { over.add("over") }
    let daemon = try daemon(stream)
    do {
      let client = RawClient(port: daemon.address.port)
      client.send(Self.get)
      stream.send("one\n")
      _ = await client.read(to: "one\n")
    }
    while !stream.isOver {
      stream.sendHeartbeat()
      await Task.yield()
    }
    // The library closes the connection after it has reported the end of the request, on a thread of its own.
    while over.all.isEmpty || daemon.connections > 0 { await Task.yield() }
    #expect(over.all == ["over"])
    await daemon.stop()
  }

  @Test func `A client that reads nothing is sent the newest state, however many there were`() async throws {
    let stream = WebStream()
    let daemon = try daemon(stream)
    let states = (1...400).map { number in Array((String(repeating: "x", count: 65_535) + "\(number)\n").utf8) }
    stream.send("before\n")
    for state in states { stream.send(state, isReplaceable: true) }
    stream.sendHeartbeat()
    let client = RawClient(port: daemon.address.port)
    client.send(Self.get)
    let text = await client.read(to: "x400\n")
    #expect(text.contains("before\n") && text.contains("x400\n"))
    #expect(text.utf8.count < 70_000 && !text.contains(":\n\n"))
    stream.finish()
    #expect(await client.read(to: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
    await daemon.stop()
  }

  @Test func `A client that reads nothing is sent away before it costs more than a megabyte`() async throws {
    let stream = WebStream()
    let daemon = try daemon(stream)
    let client = RawClient(port: daemon.address.port)
    client.send(Self.get)
    let line = String(repeating: "x", count: 65_535) + "\n"
    for _ in 0..<200 { stream.send(line) }
    stream.send("after all\n")
    let text = await client.read(to: "\r\n0\r\n\r\n")
    #expect(text.hasSuffix("0\r\n\r\n"))
    #expect(!text.contains("after all"))
    await daemon.stop()
  }
}
