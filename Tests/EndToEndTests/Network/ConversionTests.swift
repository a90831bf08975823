import Foundation
import LoopbackServer
import TestSupport
import Testing

/// A market that answers in dollars alone, and a bank that knows what a dollar costs.
@Suite(.ownThreads) struct `Prices in a currency that the market lacks` {
  private static func answer(_ request: Request) -> ServerReply {
    switch request.path {
    case "/now/bitcoin": .ok(json: #"{"p":"96841.33","t":"2025-01-15T10:29:00Z"}"#)
    case "/days/bitcoin":
      .ok(json: #"[["2025-01-10","94000"],["2025-01-11","94100"],["2025-01-13","94500"],["2025-01-14","96000"]]"#)
    case "/rate/USD/SEK": .ok(json: #"{"rate":"11.1847","day":"2025-01-14"}"#)
    case "/rates/USD/SEK":
      .ok(json: #"[["2025-01-10","11.2"],["2025-01-13","11.3"],["2025-01-14","11.1847"]]"#)
    default: .response(status: 404, headers: [], body: [])
    }
  }

  private func world(_ server: LoopbackServer, convert: String = "bank") throws -> World {
    let world = try World()
    try world.write(
      """
      id: shop
      name: Shop
      kind: http
      base_url: \(server.url)
      rate_limit: 100000/1s
      currencies: [usd]
      quotes: { get: "/now/{id}", time: iso8601, fields: { price: $.p, time: $.t } }
      line: { get: "/days/{id}", time: iso8601, each: $, fields: { time: "$[0]", price: "$[1]" } }

      """, to: world.ownProvider("shop"))
    try world.write(
      """
      id: bank
      name: Bank
      kind: http
      base_url: \(server.url)
      rate_limit: 100000/1s
      max_age: 5d
      ids: { "fx:usd": USD, "fx:eur": EUR }
      quotes: { get: "/rate/{id}/{CURRENCY}", time: iso8601, fields: { price: $.rate, time: $.day } }
      line: { get: "/rates/{id}/{CURRENCY}", time: iso8601, each: $, fields: { time: "$[0]", price: "$[1]" } }

      """, to: world.ownProvider("bank"))
    try world.write("bitpal: 1\nprovider: shop\nconvert: \(convert)\n", to: "config.yaml")
    return world
  }

  private static let now = "--now 2025-01-15T10:30:00Z --config config.yaml"

  @Test func `name both sources and both times, in tables and in JSON`() throws {
    let server = try LoopbackServer(Self.answer)
    defer { server.stop() }
    let world = try world(server)
    let table = try world.run("bitpal \(Self.now) price bitcoin --currency sek")
    #expect(table.output.contains("1,083,141.22"))
    #expect(table.output.contains("converted from USD by bank (2025-01-14)"), "\(table)")
    let json = try world.run(
      "bitpal \(Self.now) price bitcoin --currency sek --format json | jq -c '.prices[0] | [.price, .source, .converted]'"
    )
    #expect(
      json.output
        == #"["1083141.223651","shop",{"from":"usd","price":"96841.33","rate":"11.1847","rate_source":"bank","#
        + #""rate_time":"2025-01-14T00:00:00Z"}]"# + "\n")
    // Answered from the cache, and alike.
    #expect(try world.run("bitpal \(Self.now) --offline price bitcoin --currency sek").output.contains("1,083,141.22"))
    #expect(server.requests.map(\.path) == ["/now/bitcoin", "/rate/USD/SEK"])
  }

  @Test func `convert charts and closes by the rate of each day, and say what weekends were converted by`() throws {
    let server = try LoopbackServer(Self.answer)
    defer { server.stop() }
    let world = try world(server)
    let closes = try world.run(
      "bitpal \(Self.now) history bitcoin --from 2025-01-10 --to 2025-01-10 --currency sek --format csv")
    #expect(closes.output == "date,price\n2025-01-10,1052800\n", "\(closes)")
    let chart = try world.run("bitpal \(Self.now) chart bitcoin --range 1W --currency sek --format csv")
    #expect(
      chart.output == """
        time,price
        2025-01-10T00:00:00Z,1052800
        2025-01-11T00:00:00Z,1053920
        2025-01-13T00:00:00Z,1067850
        2025-01-14T00:00:00Z,1073731.2

        """)
    let rows = try world.run("bitpal \(Self.now) chart bitcoin --range 1W --currency sek --rows")
    #expect(rows.output.contains("converted from USD by bank (up to 2025-01-14, 1 day by the one before)"))
  }

  @Test func `value a portfolio`() throws {
    let server = try LoopbackServer(Self.answer)
    defer { server.stop() }
    let world = try world(server)
    let outcome = try world.run(
      """
      bitpal \(Self.now) --currency sek buy 0.5 bitcoin --price 900000 --date 2025-01-02 > /dev/null
      bitpal \(Self.now) --currency sek portfolio --format json | jq -r .summary.value
      """)
    #expect(outcome.output == "541570.6118255\n", "\(outcome)")
  }

  @Test func `convert amounts, now and on a day`() throws {
    let server = try LoopbackServer(Self.answer)
    defer { server.stop() }
    let world = try world(server)
    let now = try world.run("bitpal \(Self.now) convert 0.5 btc sek --format csv | cut -d, -f1-5")
    #expect(now.output == "amount,from,to,result,date\n0.5,bitcoin,sek,541570.6118255,\n", "\(now)")
    // The 12th was a Sunday.
    let day = try world.run("bitpal \(Self.now) convert 100 usd sek --on 2025-01-12")
    #expect(
      day.output.hasPrefix("100 USD = 1,120 SEK on 2025-01-12\n1 USD = 11.2 SEK (rate of 2025-01-10)\n"), "\(day)")
    let coins = try world.run("bitpal \(Self.now) convert 250 usd btc")
    #expect(coins.output.hasPrefix("250 USD = 0.0025815 BTC"), "\(coins)")
  }

  @Test func `say why there are none`() throws {
    let server = try LoopbackServer(Self.answer)
    defer { server.stop() }
    let unknown = try world(server).run("bitpal \(Self.now) price bitcoin --currency nok")
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("shop does not answer in nok"), "\(unknown)")
    #expect(unknown.errors.contains("bank has no data for usd in nok"), "\(unknown)")
    let nobody = try world(server, convert: "none").run("bitpal \(Self.now) price bitcoin --currency sek")
    #expect(nobody.errors.contains("shop does not answer in sek; it answers in: usd"), "\(nobody)")
    let missing = try world(server, convert: "nobody").run("bitpal \(Self.now) price bitcoin --currency sek")
    #expect(missing.errors.contains("nobody"), "\(missing)")
  }

  @Test func `are replayed with the rates that were recorded`() throws {
    let server = try LoopbackServer(Self.answer)
    let world = try world(server)
    let recorded = try world.run("bitpal \(Self.now) record ./tape -- price bitcoin --currency sek")
    #expect(recorded.status == 0, "\(recorded)")
    server.stop()
    let replayed = try world.run(
      "bitpal --config config.yaml -p recording:./tape price bitcoin --currency sek --format csv")
    #expect(replayed.output.contains("1083141.223651"), "\(replayed)")
  }
}
