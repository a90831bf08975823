import BitpalModel
import BitpalTesting
import TestSupport
import Testing

@testable import BitpalNetwork

@Suite struct `Equal requests` {
  private let request = HTTPRequest(url: "https://api.example.org/list", query: .coinList)

  /// A transport whose answers wait until they are let go.
  private final class HeldTransport: Transport {
    let sent = Notes<HTTPRequest>()
    let answer: Result<HTTPResponse, BitpalError>
    private let gate = Locked<(isOpen: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

    init(_ answer: Result<HTTPResponse, BitpalError> = .success(HTTPResponse(status: 200))) { self.answer = answer }

    func open() {
      let waiters = gate.withLock { gate in
        defer { gate = (true, []) }
        return gate.waiters
      }
      for waiter in waiters { waiter.resume() }
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      sent.add(request)
      await withCheckedContinuation { continuation in
        let isOpen = gate.withLock { gate in
          if !gate.isOpen { gate.waiters.append(continuation) }
          return gate.isOpen
        }
        if isOpen { continuation.resume() }
      }
      return try answer.get()
    }
  }

  @Test(arguments: [200, 404]) func `Those in flight are one, whatever asks`(status: Int) async throws {
    let base = HeldTransport(.success(HTTPResponse(status: status)))
    let transport = SharingTransport(base)
    let answers = try await withThrowingTaskGroup(of: Int.self) { group in
      for coin in ["a", "b", "c"] {
        var request = request
        request.query = .detail(coin: coin, currency: "usd")
        group.addTask { [request] in try await transport.send(request).status }
      }
      while base.sent.all.isEmpty { await Task.yield() }
      base.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers == [status, status, status])
    // A task that began after the answer had come has sent its own.
    #expect((1...3).contains(base.sent.all.count))
  }

  @Test func `Within one piece of work, one is sent`() async throws {
    let base = HeldTransport()
    base.open()
    let transport = SharingTransport(base)
    var second = request
    second.page = 2
    let time = ManualTime()
    try await SharedResponses.within(on: time) {
      for _ in 1...3 {
        _ = try await transport.send(request)
        _ = try await transport.send(second)
      }
      #expect(base.sent.all.map(\.page) == [1, 2])
      time.advance(by: .seconds(5))
      _ = try await transport.send(request)
      #expect(base.sent.all.map(\.page) == [1, 2, 1])
    }
    // The next piece of work knows nothing of it.
    _ = try await transport.send(request)
    #expect(base.sent.all.count == 4)
  }

  @Test func `A failure and a POST are sent again`() async throws {
    let base = HeldTransport(.success(HTTPResponse(status: 503)))
    base.open()
    let transport = SharingTransport(base)
    var post = request
    post.body = [1]
    try await SharedResponses.within {
      for request in [request, request, post, post] { _ = try await transport.send(request) }
    }
    #expect(base.sent.all.count == 4)
  }

  @Test func `A caller that leaves does not take the answer away from the others`() async throws {
    let base = HeldTransport()
    let (transport, request) = (SharingTransport(base), request)
    let first = Task { try await transport.send(request) }
    while base.sent.all.isEmpty { await Task.yield() }
    let second = Task { try await transport.send(request) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    base.open()
    #expect(try await second.value.status == 200)
  }
}
