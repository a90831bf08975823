import BitpalModel
import BitpalNetwork
import BitpalTesting
import Testing

@Suite struct `A transport with scripted failures` {
  private struct Answering: Transport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      HTTPResponse(status: 200, body: Array("[1,2]".utf8))
    }
  }

  private func outcome(_ transport: FaultyTransport) async -> String {
    do {
      let response = try await transport.send(HTTPRequest(url: "https://a/"))
      let wait = response.headers.first(named: "retry-after").map { " after \($0)" } ?? ""
      return "\(response.status) \(String(decoding: response.body, as: UTF8.self).printable())\(wait)"
    } catch let error as BitpalError {
      return error.message
    } catch {
      return "\(error)"
    }
  }

  @Test func `A script is played step by step, then everything passes`() async throws {
    let transport = try FaultyTransport(Answering(), script: "429@2s unreachable timeout garbage half 503 ok")
    var outcomes: [String] = []
    for _ in 0..<8 { outcomes.append(await outcome(transport)) }
    #expect(
      outcomes == [
        "429 scripted failure after 2", "cannot reach scripted: connection refused",
        "scripted did not answer within 15s", "200 \u{FFFD}not JSON", "200 [1", "503 scripted failure", "200 [1,2]",
        "200 [1,2]",
      ])
    #expect(transport.remaining == [])
  }

  @Test func `A delay is waited for on the test's clock`() async throws {
    let time = ManualTime()
    time.autoAdvance()
    let transport = try FaultyTransport(Answering(), script: "wait@90s", time: time)
    #expect(await outcome(transport) == "200 [1,2]")
    #expect(time.slept == [.seconds(90)])
  }

  @Test(arguments: ["ok", "503", "429@2s", "unreachable", "timeout", "garbage", "half", "wait@2s"])
  func `Words are read as they are written`(word: String) {
    #expect(Fault(word)?.description == word)
  }

  @Test(arguments: ["", "okay", "99", "429@soon", "wait", "ok@2s"])
  func `Other words are refused with those there are`(word: String) {
    #expect(Fault(word) == nil)
    if !word.isEmpty {
      let error = #expect(throws: FaultyTransport.UnknownWord.self) {
        try FaultyTransport(Answering(), script: "ok " + word)
      }
      #expect(
        error?.description == """
          a script of faults has no word "\(word)"; it has: ok, a status like 503 or 429@2s, unreachable, timeout, \
          garbage, half, wait@2s
          """)
    }
  }
}
