import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite(.ownThreads) struct `Recording a source at the command line` {
  private static let key = "CG-canary/key+1"

  /// A source like CoinGecko, which repeats the key it was sent.
  private static func server(detail: String = #""market_cap":1"#) throws -> LoopbackServer {
    let quotes = try SimulatedSource.body("quotes-usd.json")
    let line = try SimulatedSource.body("line-bitcoin-usd-7d.json")
    let candles = try SimulatedSource.body("candles-bitcoin-usd-7d.json")
    return try LoopbackServer { request in
      if request.target.contains("ids=limited") {
        return .status(429, "Throttled", headers: [("Retry-After", "60")])
      }
      if request.target.contains("ids=garbage") { return .status(200, "\u{1} not JSON") }
      if request.path.hasSuffix("/market_chart") { return .ok(json: line) }
      if request.path.hasSuffix("/ohlc") { return .ok(json: candles) }
      guard request.target.contains("ids=bitcoin&") else { return .ok(json: quotes) }
      let key = request.header("x-cg-demo-api-key") ?? "none"
      return .ok(
        json:
          #"[{"id":"bitcoin","symbol":"btc","name":"Bitcoin \#(key)","current_price":1,\#(detail)}]"#,
        headers: [("Set-Cookie", key), ("Location", "/?key=" + key.replacingOccurrences(of: "/", with: "%2f"))])
    }
  }

  /// A world whose CoinGecko is that server.
  private static func world(_ server: LoopbackServer) throws -> World {
    let world = try World()
    let settings = """
      bitpal: 1
      provider: coingecko
      providers:
        coingecko: { base_url: "\(server.url)", rate_limit: 600/1m, tier: demo, max_age: 36500d }
      """
    try Data(settings.utf8).write(to: URL(fileURLWithPath: world.work + "/live.yaml"))
    try FileManager.default.removeItem(atPath: world.work + "/Fixtures")
    return world
  }

  private static let instant = "--now 2025-01-15T10:30:00Z"

  private func run(_ world: World, _ line: String) throws -> World.Outcome {
    try world.run("BITPAL_CONFIG=live.yaml COINGECKO_API_KEY='\(Self.key)' \(line)")
  }

  @Test(
    arguments: [
      ("price bitcoin ethereum", "price ethereum"), ("price bitcoin ethereum", "price ethereum bitcoin"),
      ("chart bitcoin --range 1W", "chart bitcoin --range 1W"),
      ("chart bitcoin --range 1W", "chart bitcoin --range 1D"),
      ("chart bitcoin --range 1W --type candle", "chart bitcoin --range 1W --type candle"),
      ("price limited", "price limited"), ("price garbage", "price garbage"), ("coin bitcoin", "coin bitcoin"),
    ])
  func `A recording answers without the server, to the last digit`(recorded: String, asked: String)
    throws
  {
    let server = try Self.server()
    let world = try Self.world(server)
    let recording = try run(world, "bitpal record demo --format csv \(Self.instant) -- \(recorded)")
    // A refusal makes every later request wait, so what is the same is not asked twice.
    let live = recorded == asked ? recording : try run(world, "bitpal \(asked) --format csv \(Self.instant)")
    #expect(
      recording.errors.hasSuffix(
        "recorded 1 exchange in Fixtures/demo; to replay: bitpal -p recording:demo \(recorded)\n"))
    server.stop()
    let replayed = try run(world, "bitpal -p recording:demo \(asked) --format csv")
    func rows(_ outcome: World.Outcome) -> String {
      outcome.output.replacingOccurrences(of: Self.key, with: "REDACTED")
        .replacingOccurrences(of: "recording:demo", with: "coingecko")
    }
    #expect(rows(replayed) == rows(live))
    #expect(replayed.status == live.status)
  }

  @Test func `A key that travels through everything is in no file of the recording`() throws {
    let server = try Self.server()
    let world = try Self.world(server)
    #expect(try run(world, "bitpal record demo -- coin bitcoin").status == 0)
    #expect(server.requests.first?.header("x-cg-demo-api-key") == Self.key)
    let files = try #require(FileManager.default.enumerator(atPath: world.work + "/Fixtures")).compactMap {
      $0 as? String
    }
    let texts = files.compactMap { FileManager.default.contents(atPath: world.work + "/Fixtures/" + $0) }
      .map { String(decoding: $0, as: UTF8.self) }
    #expect(texts.count == 2)
    for text in texts { #expect(!text.contains("canary")) }
    #expect(texts.contains { $0.contains("REDACTED") })
  }

  @Test func `A recording is not overwritten unless that is asked for`() throws {
    let server = try Self.server()
    let world = try Self.world(server)
    #expect(try run(world, "bitpal record demo -- price bitcoin").status == 0)
    let refused = try run(world, "bitpal record demo -- chart bitcoin --range 1W")
    #expect(refused.status == 2 && refused.output == "" && server.requests.count == 1)
    #expect(
      refused.errors == """
        bitpal: there is a recording in Fixtures/demo already; --append adds to it, --replace records it again, --check reports whether the source \
        still answers in the same shape

        """)
    #expect(try run(world, "bitpal record demo --replace \(Self.instant) -- chart bitcoin --range 1W").status == 0)
    #expect(try run(world, "ls Fixtures/demo/bodies").output == "line-bitcoin-usd-7d.json\n")
  }

  @Test func `Prices, a chart and its candles are one recording`() throws {
    let server = try Self.server()
    let world = try Self.world(server)
    #expect(try run(world, "bitpal record demo --append \(Self.instant) -- price bitcoin").status == 0)
    let added = try run(world, "bitpal record demo --append \(Self.instant) -- chart bitcoin --range 1W --format csv")
    #expect(
      added.errors == """
        bitpal: added 1 exchange to Fixtures/demo, which has 2; to replay: bitpal -p recording:demo chart bitcoin \
        --range 1W --format csv

        """)
    #expect(
      try run(world, "bitpal record demo --append \(Self.instant) -- chart bitcoin --range 1W --type candle").status
        == 0)
    server.stop()
    for line in ["price bitcoin", "chart bitcoin --range 1W", "chart bitcoin --range 1W --type candle"] {
      #expect(try run(world, "bitpal -p recording:demo \(line) --format csv").status == 0)
    }
    #expect(
      try run(world, "bitpal -p recording:demo chart bitcoin --range 1W --format csv").output
        == added.output
        .replacingOccurrences(of: "coingecko", with: "recording:demo"))
    let missed = try run(world, "bitpal -p recording:demo chart ethereum --range 1M --currency eur")
    #expect(
      missed.errors == """
        bitpal: the recording demo has no line of ethereum in eur over 30d; it has: bitcoin in usd over 7d; to add it: bitpal \
        record WORLD/work/Fixtures/demo --append -p coingecko -- chart ethereum --range 1M --currency eur

        """)
    #expect(missed.status == 1)
  }

  @Test func `A check without a command asks again what every command asked`() throws {
    let server = try Self.server()
    let world = try Self.world(server)
    for command in ["price bitcoin", "coin bitcoin"] {
      #expect(try run(world, "bitpal record demo --append -- \(command)").status == 0)
    }
    let outcome = try run(world, "bitpal record demo --check")
    #expect(outcome.output == "demo: 2 answers compared, the same shape\n")
    #expect(outcome.errors == "bitpal: asking again: bitpal price bitcoin\nbitpal: asking again: bitpal coin bitcoin\n")
  }

  @Test func `A body changed by hand is taken over when that is asked for`() throws {
    let server = try Self.server()
    let world = try Self.world(server)
    #expect(try run(world, "bitpal record demo \(Self.instant) -- coin bitcoin").status == 0)
    _ = try run(
      world, "sed -i 's/\"current_price\":1,/\"current_price\":250.75,/' Fixtures/demo/bodies/detail-bitcoin.json")
    let refused = try run(world, "bitpal -p recording:demo coin bitcoin")
    #expect(
      refused.status == 6
        && refused.errors.contains("if you changed it: bitpal record WORLD/work/Fixtures/demo --accept"))
    let accepted = try run(world, "bitpal record demo --accept")
    #expect(accepted.output == "Fixtures/demo: took over bodies/detail-bitcoin.json\n" && accepted.status == 0)
    #expect(try run(world, "bitpal -p recording:demo coin bitcoin --format csv").output.contains("250.75"))
    #expect(try run(world, "bitpal record demo --accept").output == "Fixtures/demo: no body has changed\n")
    #expect(
      try run(world, "bitpal record demo --accept --format json").output == """
        {
          "schema": "bitpal.done/1",
          "done": "record",
          "subject": "demo",
          "facts": {
            "accepted": [],
            "unreadable": []
          },
          "errors": []
        }

        """)
  }

  @Test(arguments: ["--replace", "--append"]) func `Killed half-way, the old recording is whole`(mode: String) throws {
    let server = try Self.server()
    let world = try Self.world(server)
    #expect(try run(world, "bitpal record demo \(Self.instant) -- price bitcoin").status == 0)
    let before = try run(world, "cat Fixtures/demo/recording.har Fixtures/demo/bodies/*").output
    server.stop()
    let silent = try LoopbackServer { _ in .silence(.seconds(30)) }
    defer { silent.stop() }
    let settings = try String(contentsOfFile: world.work + "/live.yaml", encoding: .utf8)
    try Data(settings.replacingOccurrences(of: server.url, with: silent.url).utf8)
      .write(to: URL(fileURLWithPath: world.work + "/live.yaml"))
    let child = try world.start(
      Repository.tool, ["record", "demo", mode, "--", "price", "ethereum"],
      variables: ["BITPAL_CONFIG": "live.yaml"])
    while silent.requests.isEmpty { usleep(1000) }
    child.send(SIGKILL)
    #expect(child.wait() == .killed(signal: SIGKILL))
    #expect(try run(world, "cat Fixtures/demo/recording.har Fixtures/demo/bodies/*").output == before)
    #expect(try run(world, "ls Fixtures").output == "demo\n")
    #expect(try run(world, "bitpal -p recording:demo price bitcoin").status == 0)
  }

  @Test func `A check reports changes of shape and ignores values`() throws {
    let server = try Self.server()
    let world = try Self.world(server)
    #expect(try run(world, "bitpal record demo -- coin bitcoin").status == 0)
    let same = try run(world, "bitpal record demo --check")
    #expect(same.output == "demo: 1 answer compared, the same shape\n" && same.status == 0)
    #expect(same.errors == "bitpal: asking again: bitpal coin bitcoin\n")
    server.stop()
    let changed = try Self.server(detail: #""market_cap":"1","fresh":[1]"#)
    let settings = try String(contentsOfFile: world.work + "/live.yaml", encoding: .utf8)
    try Data(settings.replacingOccurrences(of: server.url, with: changed.url).utf8)
      .write(to: URL(fileURLWithPath: world.work + "/live.yaml"))
    let outcome = try run(world, "bitpal record demo --check -- coin bitcoin")
    #expect(
      outcome.output == """
        demo: 1 answer compared, another shape
        ENTRY  CHANGE   FIELD           BEFORE  AFTER
            1  retyped  $[].market_cap  number  string
            1  added    $[].fresh       -       array

        """)
    #expect(outcome.status == 1)
  }

  @Test(arguments: [
    ["portfolio", "restore", "evil.db"], ["buy", "5", "bitcoin", "--price", "999"], ["cache", "clear"],
    ["chart", "bitcoin", "--svg", "victim"], ["-c", "evil.yaml", "price", "bitcoin"],
    ["price", "bitcoin", "-p", "kraken"], ["record", "demo", "--", "price", "bitcoin"], ["config", "init"],
    ["watchlist", "add", "bitcoin"], ["price", "bitcoin\u{1B}[2J", "--config=x"], ["no such command"],
  ])
  func `A check runs nothing that a recording names but a question`(command: [String]) throws {
    let server = try Self.server()
    let world = try Self.world(server)
    #expect(try run(world, "bitpal record demo -- price bitcoin").status == 0)
    let path = world.work + "/Fixtures/demo/recording.har"
    let har = try String(contentsOfFile: path, encoding: .utf8)
    let words = String(decoding: try JSONEncoder().encode(command), as: UTF8.self)
    let hostile = try har.replacing(Regex(#""command": *\[[^\]]*\]"#), with: "\"command\": \(words)")
    try #require(hostile != har)
    try Data(hostile.utf8).write(to: URL(fileURLWithPath: path))
    try Data("mine".utf8).write(to: URL(fileURLWithPath: world.work + "/victim"))
    let outcome = try run(world, "bitpal record demo --check")
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("bitpal: the recording says that it was made by bitpal "))
    #expect(outcome.errors.hasSuffix("name the command yourself: bitpal record demo --check -- price bitcoin\n"))
    #expect(!outcome.errors.contains("\u{1B}"))
    #expect(server.requests.count == 1)
    #expect(try run(world, "cat victim").output == "mine")
    #expect(try run(world, "ls ../home/.local/share ../home/.config").output == "")
  }

  @Test(
    arguments: [
      ("bitpal record demo -p recording:demo -- price bitcoin", 2),
      ("bitpal record demo", 2), ("bitpal record demo -- record other -- price bitcoin", 2),
      ("bitpal record demo -- cache stats", 1), ("bitpal record ./providers -- price bitcoin", 2),
      ("bitpal record demo --check --replace", 2), ("bitpal record demo --append --replace -- price bitcoin", 2),
      ("bitpal record demo --accept -- price bitcoin", 2), ("bitpal record demo --accept", 2),
      ("bitpal -p recording:nowhere price bitcoin", 6),
    ] as [(String, Int32)])
  func `A command that cannot be recorded is refused with a sentence`(line: String, status: Int32) throws {
    let server = try Self.server()
    let world = try Self.world(server)
    let outcome = try run(world, line)
    #expect(outcome.status == status && outcome.errors.hasPrefix("bitpal: "))
    #expect(server.requests.isEmpty && !FileManager.default.fileExists(atPath: world.work + "/Fixtures"))
  }

  @Test func `A HAR file of another program is replayed by its requests`() throws {
    let world = try World()
    let har = """
      {"log":{"version":"1.2","creator":{"name":"proxy","version":"9"},"entries":[{"startedDateTime":"2025-01-15T12:30:00+02:00",
      "time":12.5,"request":{"method":"GET","url":"https://API.coingecko.com/api/v3/coins/markets?ids=bitcoin&vs_currency=usd&order=market_cap_desc&per_page=250&page=1&sparkline=true&price_change_percentage=1h,24h,7d,30d,1y&precision=full","httpVersion":"h2","headers":[],"queryString":[],"cookies":[],"headersSize":1,"bodySize":0},
      "response":{"status":200,"statusText":"","httpVersion":"h2","headers":[],"cookies":[],"content":{"size":1,"mimeType":"application/json","text":"[{\\"id\\":\\"bitcoin\\",\\"symbol\\":\\"btc\\",\\"name\\":\\"Bitcoin\\",\\"current_price\\":7.25}]"},"redirectURL":"","headersSize":1,"bodySize":1},"cache":{},"timings":{}}]}}
      """
    try Data(har.utf8).write(to: URL(fileURLWithPath: world.work + "/proxy.har"))
    let outcome = try world.run("bitpal -p recording:proxy.har price bitcoin --format csv")
    #expect(
      outcome.output == """
        id,symbol,name,price,change_24h,last_updated,fetched_at,stale,source,stale_reason,converted,place,currency,market_cap,total_volume,rank,volume,agreement
        bitcoin,btc,Bitcoin,7.25,,,2025-01-15T10:30:00Z,false,recording:proxy.har,,,,usd,,,,,

        """)
  }
}
