import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalReplay
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Replaying over HTTP` {
  private let folder: TemporaryFolder
  private let path: String

  /// A recording of two equal requests and one other.
  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/demo"
    let exchanges = [("a=1&b=2", "first"), ("a=1&b=2", "second"), ("a=3", "other")].map { query, body in
      CapturedExchange(
        request: HTTPRequest(url: "https://api.example.com/x?\(query)"),
        response: HTTPResponse(status: 200, body: Array(body.utf8)))
    }
    try HARWriter.write(
      exchanges, to: path, recordedAt: Date(timeIntervalSince1970: 1_736_937_000), command: ["price", "bitcoin"],
      redaction: Redaction([]))
  }

  private func body(_ transport: ReplayTransport, _ query: String) async throws -> String {
    let response = try await transport.send(HTTPRequest(url: "https://api.example.com/x?\(query)"))
    return String(decoding: response.body, as: UTF8.self)
  }

  @Test func `Equal requests are answered in the order in which they were recorded`() async throws {
    let transport = try ReplayTransport(path)
    #expect(try await body(transport, "b=2&a=1") == "first")
    #expect(transport.unused == ["GET https://api.example.com/x?a=1&b=2", "GET https://api.example.com/x?a=3"])
    #expect(try await body(transport, "a=1&b=2") == "second")
    #expect(try await body(transport, "a=3") == "other")
    #expect(transport.unused == [] && transport.recordedAt.iso8601 == "2025-01-15T10:30:00Z")
  }

  @Test func `A recorded request has its response`() async throws {
    let transport = try ReplayTransport(path)
    let response = try await transport.send(HTTPRequest(url: "https://api.example.com/x?a=3"))
    #expect(response.status == 200 && response.body == Array("other".utf8))
  }

  @Test func `A miss names the nearest request, what differs, and the command that records it`() async throws {
    let transport = try ReplayTransport(path)
    let miss = await #expect(throws: ReplayMiss.self) { try await body(transport, "a=1&b=7&c") }
    #expect(
      miss?.description == """
        the recording demo has no answer to GET https://api.example.com/x?a=1&b=7&c
          nearest: https://api.example.com/x?a=1&b=2
          difference: the query has b=7, not b=2; the query also has c
          record it: bitpal record \(path) --append -- price bitcoin
        """)
    #expect(transport.misses == [miss])
  }

  @Test func `A request more often than recorded is a miss that says so`() async throws {
    let transport = try ReplayTransport(path)
    _ = try await body(transport, "a=3")
    let miss = await #expect(throws: ReplayMiss.self) { try await body(transport, "a=3") }
    #expect(miss?.isUsedUp == true)
    #expect(miss?.description.contains("it was recorded, but has been played back already") == true)
  }

  private struct Live: Transport {
    let requests = Notes<String>()

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      requests.add(request.url)
      return HTTPResponse(status: 200, body: Array("live \(requests.all.count)".utf8))
    }
  }

  @Test func `With pass-through a miss goes to the live transport and is not a failure`() async throws {
    let live = Live()
    let transport = try ReplayTransport(path, unmatched: .passthrough, live: live)
    #expect(try await body(transport, "new") == "live 1")
    #expect(try await body(transport, "a=3") == "other")
    #expect(transport.misses == [] && live.requests.all == ["https://api.example.com/x?new"])
  }

  @Test func `Once, the first run records and the next one replays`() async throws {
    let path = folder.path + "/new"
    let live = Live()
    let first = try ReplayTransport(path, mode: .once, live: live, time: ManualTime())
    #expect(try await body(first, "q") == "live 1")
    try first.save()
    let second = try ReplayTransport(path, mode: .once, live: live, time: ManualTime())
    #expect(try await body(second, "q") == "live 1")
    #expect(live.requests.all.count == 1 && !second.isRecording)
  }

  @Test func `Rewritten, a recording is replaced`() async throws {
    let transport = try ReplayTransport(path, mode: .rewrite, live: Live(), time: ManualTime())
    #expect(try await body(transport, "a=3") == "live 1")
    try transport.save()
    #expect(try HARReader.open(path).exchanges.map(\.url) == ["https://api.example.com/x?a=3"])
  }

  @Test func `Without a recording there is an error, never a request`() {
    #expect(
      throws: BitpalError.recordingDamaged(
        file: folder.path + "/none/recording.har", entry: nil, reason: "cannot be read: No such file or directory")
    ) {
      try ReplayTransport(folder.path + "/none")
    }
  }
}
