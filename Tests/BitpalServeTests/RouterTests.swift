import BitpalModel
import BitpalServe
import Foundation
import TestSupport
import Testing

@Suite struct `Our own shapes over HTTP` {
  @Test(arguments: [
    ("price?coins=btc,eth", "bitpal.prices/1"), ("coin/btc", "bitpal.coin/1"), ("chart/eth?range=1W", "bitpal.chart/1"),
    ("chart/eth?type=candle", "bitpal.chart/1"), ("history/btc?from=2025-01-10", "bitpal.history/1"),
    ("search?query=doge", "bitpal.search/1"), ("providers", "bitpal.providers/1"),
  ])
  func `Each is the one of the command line`(path: String, schema: String) async throws {
    let exchange = try Exchange.recorded()
    let response = await exchange.get("/v1/" + path)
    #expect(response.status == 200)
    #expect(try await exchange.object("/v1/" + path)["schema"] as? String == schema)
  }

  @Test(arguments: [
    ("price", 422, "usage", "coins is missing"), ("price?coins=zzz", 404, "not_found", "no coin \"zzz\""),
    ("chart/btc?range=2X", 422, "usage", "range: unknown range \"2X\""),
    ("chart/btc?range=1W&from=2025-01-01", 422, "usage", "range and from contradict each other"),
    ("chart/btc?to=2025-01-01", 422, "usage", "as in from=2025-01-01&to=2025-01-14"),
    ("chart/btc?type=pie", 422, "usage", "there are: line, candle"),
    ("chart/btc?points=1", 422, "usage", "points: \"1\" is not a whole number from 2 to 100000"),
    ("chart/btc.svg?width=1", 422, "usage", "width"),
    ("history/btc?on=today", 422, "usage", "on: \"today\" is not a day"),
    ("history/btc?on=2025-01-15", 422, "usage", "is not over in UTC"), ("search", 422, "usage", "query is missing"),
    ("price/btc", 404, "usage", "there are: /v1/price, "), ("coin/zzz?currency=usd", 404, "not_found", "zzz"),
  ])
  func `A failure is an object with its code, and says what would be right`(
    path: String, status: Int, code: String, words: String
  ) async throws {
    let exchange = try Exchange.recorded()
    let response = await exchange.get("/v1/" + path)
    #expect(response.status == status)
    let errors = try #require(try await exchange.object("/v1/" + path)["errors"] as? [[String: Any]])
    #expect(errors.first?["code"] as? String == code)
    #expect((errors.first?["message"] as? String)?.contains(words) == true)
  }

  @Test func `One coin of several that has no price is an error beside the others`() async throws {
    let answer = try await Exchange.recorded().object("/v1/price?coins=btc,zzz,bitcoin")
    #expect((answer["prices"] as? [Any])?.count == 1)
    #expect((answer["errors"] as? [[String: Any]])?.map { $0["coin"] as? String } == ["zzz"])
  }

  @Test func `A chart is a picture with .svg after its id`() async throws {
    let response = try await Exchange.recorded().get("/v1/chart/bitcoin.svg?range=1W&width=400&height=300")
    #expect(response["Content-Type"] == "image/svg+xml")
    #expect(response.text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\" height=\"300\""))
  }

  @Test func `Every shape's JSON Schema is where the index says`() async throws {
    let exchange = try Exchange.recorded()
    let schemas = try #require(try await exchange.object("/v1/schemas")["schemas"] as? [[String: String]])
    #expect(schemas.count > 30)
    for entry in schemas {
      let path = try #require(entry["path"])
      #expect(await exchange.get(path)["Content-Type"] == "application/schema+json; charset=utf-8")
      let schema = try await exchange.object(path)
      #expect(schema["title"] as? String == entry["schema"])
      #expect((schema["properties"] as? [String: Any])?["schema"] != nil)
    }
    #expect(await exchange.get("/v1/schemas/nothing").status == 404)
  }

  @Test func `Paths of files are not shown`() async throws {
    let rows = try await Exchange.recorded().object("/v1/providers")["providers"] as? [[String: Any]]
    #expect(rows?.count ?? 0 > 5)
    #expect(rows?.allSatisfy { $0["file"] is NSNull } == true)
  }
}

@Suite struct `Headers of an answer` {
  private static let path = "/api/v3/simple/price?ids=bitcoin&vs_currencies=usd"

  @Test func `Source, age and cache status of an answer`() async throws {
    let time = SteppedTime()
    let exchange = Exchange(WebSource(["bitcoin": "1"]), time: time)
    let first = await exchange.get(Self.path)
    // What was fetched in the millisecond in which a request began counts as asked for by it.
    time.advance(.milliseconds(1))
    #expect(first["X-Bitpal-Source"] == "web" && Int(first["Age"] ?? "") != nil && first["X-Bitpal-Stale"] == nil)
    #expect(first["Cache-Status"] == "bitpal; fwd=miss; stored")
    #expect(await exchange.get(Self.path)["Cache-Status"] == "bitpal; hit")
  }

  @Test func `An older answer that stands in says so`() async throws {
    let source = WebSource(["bitcoin": "1"])
    let time = SteppedTime()
    let exchange = Exchange(source, time: time)
    _ = await exchange.get(Self.path)
    time.advance(.seconds(3700))
    source.fail(.network(host: "web", reason: "down"))
    let response = await exchange.get(Self.path)
    #expect(response.status == 200 && response.text == #"{"bitcoin":{"usd":1}}"#)
    #expect(response["Age"] == "3700" && response["X-Bitpal-Stale"] == "source_failed")
    #expect(response["Cache-Status"] == "bitpal; hit; detail=source_failed")
  }

  @Test func `A client that has an answer gets 304`() async throws {
    let exchange = Exchange(WebSource(["bitcoin": "1"]))
    let tag = try #require(await exchange.get(Self.path)["ETag"])
    let again = await exchange.get(Self.path, [("If-None-Match", tag)])
    #expect(again.status == 304 && again["ETag"] == tag)
  }

  @Test func `An error over HTTP names no command to type`() async throws {
    let exchange = Exchange(WebSource(["bitcoin": "1"], capabilities: [.quotes, .coinList]))
    for path in [
      "/v1/coin/nonesuch", "/v1/chart/bitcoin", "/v1/convert?amount=1&from=nonesuch&to=usd",
    ] {
      let text = await exchange.get(path).text
      #expect(text.contains("\"error\"") && !text.contains("bitpal search") && !text.contains("config.yaml"), "\(text)")
    }
    #expect(await exchange.get("/v1/search").text.contains("as in /v1/search?query=doge"))
  }

  @Test func `Pages of an allowed origin may read prices, with headers of their own, and pages of others may not`()
    async throws
  {
    let origin = "https://a.example"
    let exchange = Exchange(WebSource(["bitcoin": "1"]), gate: Gate(origins: [origin]))
    for asked in [origin, nil, "https://b.example", origin] {
      let headers = asked.map { [("Origin", $0)] } ?? []
      let isAllowed = asked == origin
      // The answer that was kept a moment ago was for other clients.
      let head = WebHead(method: "GET", target: Self.path, headers: headers.map { WebHeader($0.0, $0.1) })
      for response in [await exchange.get(Self.path, headers), exchange.router.recentAnswer(to: head)?.response]
        .compactMap(\.self)
      {
        #expect(response["Access-Control-Allow-Origin"] == (isAllowed ? origin : nil))
        if asked == origin || asked == nil { #expect(response["Vary"] == "Origin") }
        #expect((response["Access-Control-Expose-Headers"]?.contains("X-Bitpal-Stale") ?? false) == isAllowed)
      }
      let preflight = await exchange.router.answer(
        WebHead(method: "OPTIONS", target: Self.path, headers: head.headers)
      ).response
      #expect(preflight.status == 204 && preflight["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS")
      #expect(preflight["Access-Control-Allow-Origin"] == (isAllowed ? origin : nil))
    }
    let any = Exchange(WebSource(["bitcoin": "1"]), gate: Gate(origins: ["*"]))
    #expect(await any.get(Self.path, [("Origin", "null")])["Access-Control-Allow-Origin"] == "null")
  }

  @Test func `With a token everything but the question whether it lives is for who brings it`() async throws {
    let token = "correct horse battery"
    let exchange = Exchange(WebSource(["bitcoin": "1"]), gate: Gate(token: AccessToken(token)))
    for path in [Self.path, "/v1/price?coins=bitcoin", "/metrics", "/", "/nope"] {
      #expect(await exchange.get(path).status == 401)
      #expect(await exchange.get(path, [("Authorization", "Bearer \(token)")]).status != 401)
    }
    #expect(await exchange.get("/healthz").status == 200)
  }
}

@Suite struct `Requests of many clients` {
  @Test func `Those that come within a moment are one request of the source`() async throws {
    let coins = (0..<40).map { "coin-\($0)" }
    let source = WebSource(Dictionary(uniqueKeysWithValues: coins.map { ($0, "1") }))
    let exchange = Exchange(source)
    await withTaskGroup(of: (String, String).self) { group in
      for coin in coins {
        group.addTask { (coin, await exchange.get("/api/v3/simple/price?ids=\(coin)&vs_currencies=usd").text) }
      }
      for await (coin, body) in group { #expect(body == "{\"\(coin)\":{\"usd\":1}}") }
    }
    // Those that begin late on a busy machine may be a second one.
    #expect(source.asked.all.count < 5)
  }

  @Test func `Two hundred that want the same are one request`() async throws {
    let source = WebSource(["bitcoin": "1"])
    let exchange = Exchange(source)
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<200 { group.addTask { await exchange.get("/v1/price?coins=bitcoin").status } }
      for await status in group { #expect(status == 200) }
    }
    #expect(source.asked.all == ["quotes bitcoin"])
  }

  @Test func `A wrong question of one client does not fail those of others`() async throws {
    let exchange = Exchange(WebSource(["bitcoin": "1"]))
    async let good = exchange.get("/v1/price?coins=bitcoin")
    async let bad = exchange.get("/v1/price?coins=nope")
    #expect(await good.status == 200)
    #expect(await bad.status == 404)
  }
}
