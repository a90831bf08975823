import Foundation
import LoopbackServer
import Testing

@Suite(.ownThreads) struct `A source that sends what it should not` {
  @Test func `costs the coin of its odd row, and no other`() throws {
    let rows = ["bitcoin", "odd", "ethereum"].map { id in
      let price = id == "odd" ? "true" : "42652.123456789012345678901234567890123456789012345678901234567890"
      return #"{"id":"\#(id)","symbol":"s","name":"N","current_price":\#(price)}"#
    }
    let server = try MarketServer(.ok(json: #"[{"id":5},"# + rows.joined(separator: ",") + "]"))
    let live = try LiveWorld(server.url)
    let outcome = try live.run("bitpal price bitcoin odd ethereum --format csv | cut -d, -f1,4")
    #expect(
      outcome.output == """
        id,price
        bitcoin,42652.123456789012345678901234567890123
        ethereum,42652.123456789012345678901234567890123

        """)
    #expect(
      outcome.errors == """
        bitpal: warning: left out 1 row of the source: id should be a string, but it is 5
        bitpal: warning: rounded the numbers of the source that have more than the 38 digits that are kept
        bitpal: odd: coingecko sent an answer that cannot be read: current_price should be a number, but it is true

        """)
    #expect(try live.run("bitpal price bitcoin odd ethereum").status == 1)
  }

  @Test func `about another coin is not believed, then or later`() throws {
    let ark = #"[{"id":"ark","symbol":"ark","name":"Ark","current_price":1.25}]"#
    let server = try MarketServer(.ok(json: ark))
    let live = try LiveWorld(server.url)
    for line in ["bitpal coin bitcoin", "bitpal coin bitcoin --offline"] {
      let outcome = try live.run(line)
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix(#"bitpal: no coin "bitcoin" at coingecko"#), "\(outcome.errors)")
    }
  }

  @Test func `is not asked for a coin that its paths cannot name`() throws {
    let server = try MarketServer(.ok(json: #"{"id":"..","symbol":"a","name":"A"}"#))
    let live = try LiveWorld(server.url)
    // Its list cannot be read either, which leaves it open whether ".." is a symbol.
    #expect(try live.run("bitpal coin ..").status == 6)
    #expect(!server.requests.contains { $0.path.hasSuffix("/") || $0.path.contains("..") })
  }

  @Test(arguments: [
    #""\u0043G-planted\u0034711canary""#, "%43G-planted4711canary", "CG%2Dplanted4711canary",
    "Q0ctcGxhbnRlZDQ3MTFjYW5hcnk=", "43472d706c616e7465643437313163616e617279",
    "43472D706C616E7465643437313163616E617279",
  ])
  func `does not get the key that it quotes shown or kept, in any encoding`(echo: String) throws {
    let name = echo.hasPrefix("\"") ? echo : "\"\(echo)\""
    let server = try MarketServer(
      .ok(json: #"[{"id":"bitcoin","symbol":"btc","name":\#(name),"current_price":1}]"#))
    let live = try LiveWorld(server.url)
    var said = try live.run("bitpal price bitcoin -v --format json").output
    server.turn(.status(401, #"{"error":\#(name)}"#))
    let refused = try live.run("bitpal price ethereum -v")
    said += refused.output + refused.errors
    #expect(said.contains("REDACTED"), "\(said)")
    #expect(!said.contains("planted") && !said.contains("cGxhbnRlZ") && !said.lowercased().contains("706c616e7465"))
    #expect(try live.filesWithTheKey() == [])
  }
}

@Suite struct `A provider file without harm` {
  @Test func `is listed with what is wrong with it, and the others are there`() throws {
    let world = try World()
    let head = "name: N\nkind: http\nbase_url: https://api.example.com\n"
    let doubling = (1...24).map { ", a\($0)(x) AS (SELECT p.x FROM a\($0 - 1) p, a\($0 - 1))" }.joined()
    let files = [
      "fast": "rate_limit: 9223372036854775807/1ms\nquotes: { get: '/x/{id}', fields: { price: $.p } }\n",
      "burst": "rate_limit: { limit: 9223372036854775807/1ms, burst: 9223372036854775807 }\n"
        + "quotes: { get: '/x/{id}', fields: { price: $.p } }\n",
      "long": "quotes:\n  get: /x/{id}\n  select: WITH a0(x) AS (SELECT 1)\(doubling) SELECT x AS price FROM a24\n",
      "good": "quotes: { get: '/x/{id}', fields: { price: $.p } }\n",
    ]
    for (id, text) in files {
      try world.write("id: \(id)\n" + head + text, to: "providers/\(id).yaml")
    }
    let list = try world.run("timeout 20 bitpal providers list")
    #expect(list.status == 3)
    #expect(list.output.contains("good") && list.output.contains("coingecko"))
    for id in ["fast", "burst", "long"] { #expect(list.errors.contains("providers/\(id).yaml:"), "\(list.errors)") }
    #expect(try world.run("timeout 20 bitpal config check").status == 3)
  }

  @Test func `shows no file that a link in its folder leads to`() throws {
    let world = try World()
    let folder = world.work + "/providers"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let secret = world.home + "/secret"
    try Data("hush-hush".utf8).write(to: URL(fileURLWithPath: secret))
    try FileManager.default.createSymbolicLink(atPath: folder + "/sample.json", withDestinationPath: secret)
    let text = """
      id: curious
      name: C
      kind: http
      base_url: https://api.example.com
      quotes: { get: '/x/{id}', fields: { price: $.p } }
      examples: [{ ask: quotes, coin: bitcoin, body_file: sample.json, rows: [{ price: 1 }] }]
      """
    try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: folder + "/curious.yaml"))
    let check = try world.run("bitpal providers check curious")
    #expect(check.output.contains("is a link that leads out of the folder of the provider file"), "\(check)")
    #expect(!check.output.contains("hush") && !check.errors.contains("hush"))
  }
}
