import Foundation
import LoopbackServer
import Testing

@Suite(.ownThreads) struct `Requests on the wire` {
  @Test func `250 coins are one request, without a space after a comma`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url)
    let coins = (0..<250).map { "coin-\($0)" }
    let outcome = try live.run("bitpal price \(coins.joined(separator: " ")) --format csv")
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").count == 251)
    #expect(server.requests.map { MarketServer.coins($0).count } == [250])
    #expect(server.requests.flatMap { MarketServer.coins($0) } == coins)
    for request in server.requests {
      #expect(!request.target.contains("%20") && !request.target.contains("+"))
      #expect(request.target.utf8.count <= 4000)
      #expect(request.header("User-Agent")?.hasPrefix("bitpal/") == true)
    }
  }

  @Test func `Prices bring figures and weeks along, and nothing more is asked for them`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url)
    let prices = try live.run("bitpal price bitcoin ethereum solana --spark")
    #expect(prices.status == 0 && prices.errors.isEmpty)
    #expect(prices.output.matches(of: /▁.*█/).count == 3)
    #expect(server.requests.count == 1)
    #expect(try live.run("bitpal coin bitcoin --format csv").output.contains("12500"))
    #expect(try live.run("bitpal watch bitcoin ethereum --spark --count 1").output.matches(of: /▁.*█/).count == 2)
    #expect(server.requests.count == 1)
    // The recording of one request answers for all of it.
    let words = "price bitcoin ethereum --spark"
    #expect(try live.run("bitpal record ./tape -- \(words)").errors.contains("recorded 1 exchange"))
    #expect(try live.run("bitpal -p recording:./tape \(words)").output.matches(of: /▁.*█/).count == 2)
    #expect(try live.run("bitpal -p recording:./tape coin ethereum --format csv").output.contains("12500"))
  }

  @Test(
    arguments: [
      ("public", "x-cg-demo-api-key"), ("demo", "x-cg-demo-api-key"), ("pro", "x-cg-pro-api-key"),
    ])
  func `A key that is set goes into the header of its plan`(_ tier: String, _ header: String) throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, tier: tier)
    #expect(try live.run("bitpal price bitcoin").status == 0)
    let request = try #require(server.requests.first)
    #expect(
      request.headers.filter { $0.value.contains(LiveWorld.key) }.map { $0.name.lowercased() }
        == [header])
    #expect(!request.target.contains(LiveWorld.key))
  }

  @Test func `A key in a file is sent when only its owner can read the file`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url)
    let file = live.world.home + "/key"
    let line = "unset COINGECKO_API_KEY; export COINGECKO_API_KEY_FILE=\(file); bitpal price bitcoin"
    try Data("CG-of-a-file\n".utf8).write(to: URL(fileURLWithPath: file))
    chmod(file, 0o644)
    let refused = try live.run(line)
    #expect(refused.status == 3)
    #expect(refused.errors.contains("others can read this key; run: chmod 600 "))
    #expect(server.requests.isEmpty)
    chmod(file, 0o600)
    #expect(try live.run(line).status == 0)
    #expect(server.requests.first?.header("x-cg-demo-api-key") == "CG-of-a-file")
  }

  @Test func `A key is not sent to a host that is not its service's`() throws {
    let nowhere = String(repeating: "a", count: 70) + ".invalid"
    let live = try LiveWorld("https://" + nowhere)
    let outcome = try live.run("bitpal price bitcoin")
    #expect(
      outcome.errors.hasPrefix("bitpal: warning: the key of coingecko is not sent to https://\(nowhere): list the host")
    )
  }

  @Test func `The key is in nothing that the tool says or writes`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, settings: LiveWorld.staleAtOnce)
    var said = ""
    func run(_ line: String) throws {
      let outcome = try live.run(line)
      said += outcome.output + outcome.errors
    }
    try run("bitpal price bitcoin -v")
    try run("bitpal config show")
    try run("bitpal config show --format json")
    try run("bitpal providers show coingecko")
    // A source that throws the key back at us.
    let echo = #"{"status":{"error_code":10002,"error_message":"API Key Missing: \#(LiveWorld.key)"}}"#
    server.turn(.status(401, echo))
    try run("bitpal price ethereum -v")
    try run("bitpal price ethereum -v --format json")
    server.turn(.status(503, LiveWorld.key))
    try run("bitpal chart bitcoin -v")
    #expect(said.contains("* "))
    #expect(!said.contains(LiveWorld.key))
    #expect(server.requests.allSatisfy { $0.header("x-cg-demo-api-key") == LiveWorld.key })
    #expect(try live.filesWithTheKey() == [])
  }

  @Test func `--offline never asks, --refresh always does`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url)
    let nothing = try live.run("bitpal price bitcoin --offline")
    #expect(nothing.status == 4)
    #expect(
      nothing.errors == """
        bitpal: bitcoin: nothing is cached for the price of bitcoin in usd; \
        without --offline a source is asked; -p fixture answers from a recorded market\n
        """)
    #expect(server.requests.isEmpty)
    #expect(try live.run("bitpal price bitcoin").status == 0)
    #expect(try live.run("bitpal price bitcoin").status == 0)
    let cached = try live.run("bitpal price bitcoin --offline")
    #expect(cached.status == 0 && cached.errors == "")
    #expect(server.requests.count == 1)
    #expect(try live.run("bitpal price bitcoin --refresh").status == 0)
    #expect(server.requests.count == 2)
    server.turn(.status(503))
    let failed = try live.run("bitpal price bitcoin --refresh")
    #expect(failed.status == 0)
    #expect(failed.errors.contains("warning: bitcoin: stale, "))
    #expect(failed.errors.contains("HTTP 503"))
  }
}
