import Foundation
import LoopbackServer
import TestSupport
import Testing

/// An id is whatever its source calls a thing: none of the surfaces that it passes may fold, cut or misquote it.
@Suite(.ownThreads) struct `Ids of any kind` {
  /// An id and what it is called in the two families of plain-text accounting, by its ticker.
  struct Identifier: CustomTestStringConvertible, Sendable {
    let id: String

    /// As it stands in a directive of ledger and hledger.
    let ledger: String
    let beancount: String

    var testDescription: String { id }
  }

  private static let all = [
    Identifier(id: "fx:eur", ledger: "EUR", beancount: "EUR"),
    Identifier(id: "AAPL", ledger: "AAPL", beancount: "AAPL"),
    Identifier(id: "^GSPC", ledger: "\"^GSPC\"", beancount: "X-GSPC"),
    Identifier(id: "XAU", ledger: "XAU", beancount: "XAU"),
    Identifier(id: "BRK.B", ledger: "\"BRK.B\"", beancount: "BRK.B"),
    Identifier(id: "EURUSD=X", ledger: "\"EURUSD=X\"", beancount: "EURUSD-X"),
    Identifier(id: "M&M.NS", ledger: "\"M&M.NS\"", beancount: "M-M.NS"),
  ]

  private static let now = "--now 2025-01-15T10:30Z"

  /// A world with a price list in which each is, and no coin list.
  private func world(provider: String = "mine") throws -> World {
    let world = try World()
    var prices = ""
    for (index, one) in Self.all.enumerated() {
      prices += "P 2025-01-13 \"\(one.id)\" \(index + 1)00.5 USD\nP 2025-01-14 \"\(one.id)\" \(index + 1)01.25 USD\n"
    }
    try world.write(prices, to: "providers/prices.db")
    try world.write(
      "id: mine\nname: Mine\nkind: file\nfile: prices.db\n", to: "providers/mine.yaml")
    let settings = try String(contentsOfFile: world.work + "/config.yaml", encoding: .utf8)
    try world.write(
      settings.replacingOccurrences(of: "provider: fixture ", with: "provider: \(provider) "),
      to: "config.yaml")
    return world
  }

  /// What a command that succeeds says.
  private func said(_ line: String, in world: World) throws -> String {
    let outcome = try world.run("\(line) \(Self.now)")
    #expect(outcome.status == 0, "\(line): \(outcome)")
    return outcome.output
  }

  @Test(arguments: all)
  func `A price, its cache and the watchlist keep the id as it is`(one: Identifier) throws {
    let world = try world()
    let price = try said("bitpal price '\(one.id)' --format json", in: world)
    #expect(price.contains("\"id\": \"\(one.id)\""))
    #expect(try said("bitpal price '\(one.id)' --format json --offline", in: world) == price)
    #expect(try said("bitpal watchlist add '\(one.id)'", in: world).hasPrefix("added \(one.id);"))
    let rows = try said("bitpal watchlist list --format csv", in: world).split(separator: "\n")
    #expect(rows.count == 2 && rows[1].hasPrefix("\(one.id),"))
    #expect(try said("bitpal watchlist remove '\(one.id)'", in: world).hasPrefix("removed \(one.id)"))
  }

  @Test(arguments: all)
  func `A chart is of that id, in JSON and drawn`(one: Identifier) throws {
    let world = try world()
    let chart = try said("bitpal chart '\(one.id)' --range 1W --format json -q", in: world)
    #expect(chart.contains("\"coin\": \"\(one.id)\""))
    #expect(try said("bitpal chart '\(one.id)' --range 1W", in: world).hasPrefix("\(one.id) · one week"))
    _ = try said("bitpal chart '\(one.id)' --range 1W --svg chart.svg", in: world)
    let svg = try String(contentsOfFile: world.work + "/chart.svg", encoding: .utf8)
    #expect(svg.contains(">\(one.id.replacingOccurrences(of: "&", with: "&amp;")) · one week"))
  }

  @Test(arguments: all)
  func `Daily closes are written under a name that each program reads`(one: Identifier) throws {
    let world = try world()
    func history(_ format: String) throws -> String {
      try said("bitpal history '\(one.id)' --on 2025-01-14 --format \(format)", in: world)
    }
    let price = try #require(try history("csv").split(separator: "\n").last?.split(separator: ",").last)
    #expect(try history("ledger") == "P 2025-01-14 \(one.ledger) \(price) USD\n")
    #expect(try history("hledger") == "P 2025-01-14 \(one.ledger) \(price) USD\n")
    #expect(try history("beancount") == "2025-01-14 price \(one.beancount) \(price) USD\n")
    #expect(one.beancount.wholeMatch(of: /[A-Z][A-Z0-9'._-]*[A-Z0-9]/) != nil)
    // And what was written is a price list again.
    for format in ["ledger", "beancount"] {
      try world.write(try history(format), to: "providers/prices.db")
      try world.write(
        "id: mine\nname: Mine\nkind: file\nfile: prices.db\nsymbols: { \"\(one.id)\": \"\(format == "ledger" ? one.ledger.filter { $0 != "\"" } : one.beancount)\" }\n",
        to: "providers/mine.yaml")
      #expect(try history("csv").hasSuffix("2025-01-14,\(price)\n"))
    }
  }

  @Test func `A portfolio keeps the ids through export and import`() throws {
    let world = try world()
    for one in Self.all {
      _ = try said("bitpal buy 2 '\(one.id)' --price 10 --date 2025-01-13T09:00Z -q", in: world)
    }
    let holdings = try said("bitpal portfolio holdings --format json", in: world)
    for one in Self.all { #expect(holdings.contains("\"id\": \"\(one.id)\"")) }
    let sheet = try said("bitpal portfolio export --format csv", in: world)
    try world.write(sheet, to: "book.csv")
    _ = try said("bitpal portfolio import book.csv --portfolio other --create -q", in: world)
    #expect(try said("bitpal portfolio export --format csv --portfolio other", in: world) == sheet)
    let ledger = try said("bitpal portfolio export --format ledger", in: world)
    let beancount = try said("bitpal portfolio export --format beancount", in: world)
    for one in Self.all {
      // As history calls them, or its price directives would value nothing.
      #expect(ledger.contains("2 \(one.ledger) @@ 20 USD"))
      #expect(beancount.contains("2 \(one.beancount) {{20 USD}}"))
    }
  }

  @Test func `A source is asked for the id as it is, and a recording answers for it`() throws {
    let server = try LoopbackServer { request in
      request.target.hasPrefix("/q/") ? .ok(json: #"{"p":"42.5"}"#) : .status(404, "{}")
    }
    defer { server.stop() }
    // With another source besides, whose coin list has none of them.
    let world = try world(provider: "[any, fixture]")
    try FileManager.default.removeItem(atPath: world.work + "/Fixtures")
    try FileManager.default.createDirectory(atPath: world.work + "/Fixtures", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: world.work + "/Fixtures/market", withDestinationPath: Repository.fixtures + "/market")
    try world.write(
      """
      id: any
      name: Any
      kind: http
      base_url: \(server.url)
      rate_limit: 1000/1m
      quotes:
        get: "/q/{id}?in={currency}"
        fields: { price: $.p }

      """, to: "providers/any.yaml")
    #expect(try world.run("bitpal search bitcoin -p fixture -q").status == 0)
    for (number, one) in Self.all.enumerated() {
      let line = "bitpal record demo\(number) -p any -q -- price '\(one.id)' --format csv"
      let live = try world.run(line)
      #expect(live.status == 0, "\(live)")
      #expect(live.output.contains("\n\(one.id),"))
      let replayed = try world.run("bitpal price '\(one.id)' -p recording:demo\(number) --format csv")
      #expect(replayed.output.contains("\n\(one.id),"), "\(replayed)")
      let mixed = try world.run("bitpal price '\(one.id)' --format csv")
      #expect(mixed.output.contains("\n\(one.id),"), "\(mixed)")
    }
    let paths = Set(server.requests.compactMap { $0.target.split(separator: "?").first.map(String.init) })
    for one in Self.all {
      #expect(paths.contains { $0.removingPercentEncoding == "/q/\(one.id)" }, "\(one.id) among \(paths.sorted())")
    }
  }
}
