import LoopbackServer
import Testing

@Suite(.ownThreads) struct `A source that fails` {
  /// 60 MiB of data, which the system itself enforces; not where the tool is built with a sanitizer, which needs terabytes.
  private static let inSixtyMebibytes =
    "if (ulimit -d 61440; bitpal --version) > /dev/null 2>&1; then ulimit -d 61440; fi; "

  @Test(arguments: Fault.quick)
  func `is reported in one line, with the status of its kind, within 60 MiB`(_ fault: Fault) throws {
    let server = try MarketServer(fault.answer)
    let live = try LiveWorld(server.url)
    let outcome = try live.run(Self.limited("price bitcoin"))
    #expect(outcome.status == fault.status)
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.hasPrefix("bitpal: bitcoin: " + fault.cause), "\(outcome.errors)")
    #expect(!outcome.output.contains("0"))
    #expect(try live.filesWithTheKey() == [])
  }

  @Test(arguments: Fault.quick)
  func `is stood in for by the old answer, marked stale, with one line on standard error`(_ fault: Fault) throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, settings: LiveWorld.staleAtOnce)
    #expect(try live.run("bitpal price bitcoin").status == 0)
    server.turn(fault.answer)
    let outcome = try live.run(Self.limited("price bitcoin --format json"))
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(#""price": "67187.3358936566""#))
    #expect(outcome.output.contains(#""stale": true"#))
    let told = try #require(outcome.errors.wholeMatch(of: /bitpal: warning: bitcoin: stale, [0-9.ms]+ old \((.*)\)\n/))
    #expect(told.1 == fault.cause)
  }

  @Test(arguments: Fault.endless)
  func `is waited for as long as the command may take, and no longer`(_ fault: Fault) throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, settings: LiveWorld.staleAtOnce)
    #expect(try live.run("bitpal price ethereum").status == 0)
    server.turn(fault.answer)
    let cold = try live.run("timeout 20 bitpal price bitcoin --timeout 300ms")
    #expect(cold.status == fault.status)
    // The limit is told as it was when the request began, which on a busy machine is a little less.
    #expect(cold.errors.hasPrefix("bitpal: bitcoin: \(fault.cause)"))
    #expect(cold.errors.split(separator: "\n").count == 1)
    let warm = try live.run("timeout 20 bitpal price ethereum --timeout 300ms")
    #expect(warm.status == 0)
    #expect(warm.errors.hasPrefix("bitpal: warning: ethereum: stale, "))
    #expect(warm.errors.contains("(\(fault.cause)"))
    #expect(warm.output.contains("67,187.34"))
  }

  @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("localhost", "localhost")])
  func `and sends elsewhere is not followed, and the other host hears nothing`(_ name: String, _ shown: String) throws {
    let other = try MarketServer()
    let port = try #require(other.url.split(separator: ":").last)
    let server = try MarketServer(.redirect(to: "http://\(name):\(port)/api"))
    let live = try LiveWorld(server.url)
    let outcome = try live.run("bitpal price bitcoin")
    #expect(outcome.status == 6)
    let reason = "it redirects to http://\(shown):\(port), which is not followed"
    #expect(outcome.errors == "bitpal: bitcoin: coingecko sent an answer that cannot be read: \(reason)\n")
    #expect(server.requests.count == 1)
    #expect(other.requests.isEmpty)
  }

  @Test(arguments: [
    (ServerReply.status(503), Int32(4)), (.status(429, headers: [("Retry-After", "60")]), 5),
    (.status(200, "<html>"), 6),
  ])
  func `fails many coins with one line and one status`(_ answer: ServerReply, _ status: Int32) throws {
    let server = try MarketServer(answer)
    let live = try LiveWorld(server.url)
    let outcome = try live.run("bitpal price bitcoin ethereum solana dogecoin cardano")
    #expect(outcome.status == status)
    #expect(outcome.errors.hasPrefix("bitpal: bitcoin, ethereum, solana and 2 more: coingecko "))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func `makes many stale coins one line`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, settings: LiveWorld.staleAtOnce)
    let line = "bitpal price bitcoin ethereum solana dogecoin cardano"
    #expect(try live.run(line).status == 0)
    server.turn(.status(503))
    let outcome = try live.run(line)
    #expect(outcome.status == 0)
    #expect(outcome.errors.hasPrefix("bitpal: warning: bitcoin, ethereum, solana and 2 more: stale, "))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func `says that the plan does not reach that far, and not that the key is bad`() throws {
    let words = "Your request exceeds the allowed time range."
    let body = #"{"error":{"status":{"error_code":10012,"error_message":"\#(words)"}}}"#
    let server = try MarketServer(.status(401, body))
    let live = try LiveWorld(server.url)
    let outcome = try live.run("bitpal chart bitcoin --range 1Y")
    #expect(outcome.status == 4)
    #expect(
      outcome.errors
        == "bitpal: coingecko's plan does not reach that far: \(words); ask for a later time, or one that goes further "
        + "back (--provider bequant, --provider binance, --provider binanceus, --provider bitbank, --provider bitfinex "
        + "and more, which \"bitpal providers find\" lists)\n")
  }

  private static func limited(_ line: String) -> String { inSixtyMebibytes + "timeout 40 bitpal " + line }
}
