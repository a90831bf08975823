import BitpalModel
import BitpalServe
import Foundation
import TestSupport
import Testing

@Suite struct `CoinGecko's API over a recording` {
  @Test func `Prices have the source's own digits, in several currencies, with what else was wanted`() async throws {
    let body = try await Exchange.recorded().get(
      "/api/v3/simple/price?ids=bitcoin&vs_currencies=usd,EUR&include_market_cap=true&include_24hr_vol=true"
        + "&include_24hr_change=true&include_last_updated_at=true"
    ).text
    #expect(
      body == """
        {"bitcoin":{"usd":96841.328675354258,"usd_market_cap":1918543802225,"usd_24h_vol":48319282666,\
        "usd_24h_change":0.54708,"eur":93985.76841670409,"eur_market_cap":1861971701129,\
        "eur_24h_vol":46894491978,"eur_24h_change":0.54708,"last_updated_at":1736936983}}
        """)
  }

  @Test func `A slash at the end of a path makes no difference, and precision rounds`() async throws {
    let exchange = try Exchange.recorded()
    let body = await exchange.get("/api/v3/simple/price/?ids=bitcoin&vs_currencies=usd&precision=2").text
    #expect(body == #"{"bitcoin":{"usd":96841.33}}"#)
    #expect(await exchange.get("/api/v3/simple/price?ids=bitcoin&vs_currencies=usd&precision=19").status == 422)
  }

  @Test func `An unknown id is left out; an unknown currency leaves a coin empty; a ticker is not an id`() async throws
  {
    let source = WebSource(["bitcoin": "1.5", "uni": "2", "uniswap": "3"])
    let exchange = Exchange(source)
    func prices(_ query: String) async -> String { await exchange.get("/api/v3/simple/price?" + query).text }
    #expect(await prices("ids=bitcoin,nope&vs_currencies=usd") == #"{"bitcoin":{"usd":1.5}}"#)
    #expect(await prices("ids=nope&vs_currencies=usd") == "{}")
    #expect(await prices("ids=%20nope,+bitcoin%20,&vs_currencies=%20usd") == #"{"bitcoin":{"usd":1.5}}"#)
    #expect(await prices("ids=bitcoin&vs_currencies=zzz") == #"{"bitcoin":{}}"#)
    #expect(await prices("ids=uni&vs_currencies=usd") == #"{"uni":{"usd":2}}"#)
    #expect(await prices("symbols=BTC,uni&vs_currencies=usd") == #"{"btc":{"usd":1.5},"uni":{"usd":3}}"#)
    // A coin that is named twice appears once.
    #expect(await prices("ids=bitcoin,bitcoin&vs_currencies=usd,usd") == #"{"bitcoin":{"usd":1.5}}"#)
  }

  private static let noPath =
    #"{"error":"this server has no such path of CoinGecko's API; it has /ping, /simple/price, /simple/supported_vs_currencies, "#
    + "/coins/list, /coins/markets, /coins/{id}, /coins/{id}/market_chart, /coins/{id}/market_chart/range, /coins/{id}/ohlc, "
    + #"/coins/{id}/history, /search"}"#

  @Test(arguments: [
    ("simple/price?ids=bitcoin", 422, #"{"error":"Missing parameter vs_currencies"}"#),
    ("simple/price?vs_currencies=usd", 422, #"{"error":"Missing parameter ids"}"#),
    ("coins/markets", 422, #"{"error":"Missing parameter vs_currency"}"#),
    ("coins/bitcoin/market_chart?vs_currency=usd", 422, #"{"error":"Missing parameter days"}"#),
    ("coins/bitcoin/history", 422, #"{"error":"Missing parameter date"}"#),
    ("coins/markets?vs_currency=usd&page=0", 422, #"{"error":"page: \"0\" is not a number from 1 on"}"#),
    (
      "coins/bitcoin/ohlc?vs_currency=usd&days=50", 422,
      #"{"error":"days: \"50\" is none of 1, 7, 14, 30, 90, 180, 365, max"}"#
    ),
    (
      "nope", 404,
      Self.noPath
    ),
    (
      "coins//ohlc", 404,
      Self.noPath
    ),
  ])
  func `A bad question is answered as CoinGecko does`(path: String, status: Int, body: String) async throws {
    let response = try await Exchange.recorded().get("/api/v3/" + path)
    #expect(response.status == status)
    #expect(response.text == body + "\n")
    #expect(response["Content-Type"] == "application/json; charset=utf-8")
    #expect(response["ETag"] == nil)
  }

  @Test func `A coin that is not recorded is not found, with the recorded ones`() async throws {
    let response = try await Exchange.recorded().get("/api/v3/coins/nope/ohlc?vs_currency=usd&days=7")
    #expect(response.status == 404)
    #expect(response.text.contains("it has: bitcoin in usd over 1d"))
  }

  @Test func `The market is ordered and paged, and what is not known is null`() async throws {
    let exchange = try Exchange.recorded()
    let path = "/api/v3/coins/markets?vs_currency=usd"
    let all = try await exchange.rows(path)
    #expect(all.count > 20)
    #expect(all.prefix(2).map { $0["id"] as? String } == ["bitcoin", "ethereum"])
    #expect(all.allSatisfy { $0.count == 26 })
    #expect(all[0]["roi"] is NSNull && all[0]["high_24h"] is NSNull)
    var paged: Set<String> = []
    for page in 1...3 {
      let rows = try await exchange.rows(path + "&per_page=2&page=\(page)")
      paged.formUnion(rows.compactMap { $0["id"] as? String })
    }
    #expect(paged.count == 6)
    #expect(try await exchange.rows(path + "&page=99999").isEmpty)
    #expect(try await exchange.rows(path + "&page=9223372036854775807&per_page=250").isEmpty)
    let named = path + "&ids=solana,bitcoin,nope"
    #expect(try await exchange.rows(named).map { $0["id"] as? String } == ["bitcoin", "solana"])
    #expect(try await exchange.rows(named + "&order=id_desc").map { $0["id"] as? String } == ["solana", "bitcoin"])
    #expect(try await exchange.rows(named + "&per_page=1&page=2").map { $0["id"] as? String } == ["solana"])
    let more = try await exchange.rows(named + "&sparkline=true&price_change_percentage=7d,200d,nope")
    #expect((more[0]["sparkline_in_7d"] as? [String: [Double]])?["price"]?.count ?? 0 >= 167)
    #expect(more[0]["price_change_percentage_7d_in_currency"] as? Double == 2.91687)
    #expect(more[0]["price_change_percentage_200d_in_currency"] is NSNull)
    #expect(more[0]["price_change_percentage_nope_in_currency"] == nil)
  }

  @Test func `A page of the whole list is in the order of the whole list, or refused`() async throws {
    let exchange = Exchange(WebSource(["a": "1", "b": "2", "c": "3"], capabilities: [.quotes, .coinList]))
    let path = "/api/v3/coins/markets?vs_currency=usd&"
    func ids(_ query: String) async throws -> [String?] {
      try await exchange.rows(path + query).map { $0["id"] as? String }
    }
    #expect(try await ids("per_page=2&order=id_desc") == ["c", "b"])
    #expect(try await ids("per_page=2&page=2&order=id_asc") == ["c"])
    #expect(try await ids("order=volume_desc").count == 3)
    #expect(try await ids("ids=a,b&per_page=1&order=volume_asc").count == 1)
    for order in ["market_cap_asc", "volume_desc", "volume_asc"] {
      #expect(await exchange.get(path + "per_page=2&order=" + order).status == 422)
    }
  }

  @Test func `A symbol of several coins is not one that does not exist`() async throws {
    // All have the same symbol in the list of the source.
    let source = WebSource(["a": "1", "b": "2", "bitcoin": "3"], capabilities: [.quotes, .coinList])
    let exchange = Exchange(source)
    let alone = await exchange.get("/api/v3/simple/price?symbols=one-for-all&vs_currencies=usd")
    #expect(alone.status == 409 && alone.text.contains("is the symbol of 3 coins"))
    let beside = await exchange.get("/api/v3/simple/price?symbols=one-for-all,btc&vs_currencies=usd")
    #expect(beside.text == #"{"one-for-all":{"usd":null},"btc":{"usd":3}}"#)
    #expect(beside["X-Bitpal-Failed"] == "one-for-all=ambiguous")
    #expect(await exchange.get("/api/v3/coins/markets?vs_currency=usd&symbols=one-for-all").status == 409)
  }

  @Test func `A list is what is between commas, and what is repeated`() async throws {
    let exchange = Exchange(WebSource(["bitcoin": "1", "a": "2"]))
    for query in [
      "ids=bitcoin&ids=a", "ids[]=bitcoin&ids[]=a", "ids%5B%5D=bitcoin,a", "ids=bitcoin&ids=&ids=bitcoin,a",
    ] {
      let body = await exchange.get("/api/v3/simple/price?vs_currencies[]=usd&" + query).text
      #expect(body == #"{"bitcoin":{"usd":1},"a":{"usd":2}}"#)
    }
  }

  @Test func `A source without a list says that ids are missing`() async throws {
    let response = await Exchange(WebSource(["bitcoin": "1"])).get("/api/v3/coins/markets?vs_currency=usd")
    #expect(response.status == 422)
    #expect(response.text == #"{"error":"Missing parameter ids (web has no list of coins)"}"# + "\n")
  }

  @Test func `A coin without details is what its quote knows`() async throws {
    let coin = try await Exchange(WebSource(["bitcoin": "1.5"])).object("/api/v3/coins/bitcoin")
    let market = try #require(coin["market_data"] as? [String: Any])
    #expect((market["current_price"] as? [String: Double]) == ["usd": 1.5])
    #expect((market["market_cap"] as? [String: Double]) == [:])
    #expect(market["market_cap_rank"] is NSNull)
    let response = await Exchange(WebSource(["bitcoin": "1.5"])).get("/api/v3/coins/nope")
    #expect(response.status == 404 && response.text == #"{"error":"coin not found"}"# + "\n")
  }

  @Test func `Candles are stamped with their end, and charts with milliseconds`() async throws {
    let exchange = try Exchange.recorded()
    let candles = try #require(
      try await exchange.json("/api/v3/coins/bitcoin/ohlc?vs_currency=usd&days=1&precision=2") as? [[Double]])
    #expect(candles.allSatisfy { $0.count == 5 && Int($0[0]) % 1_800_000 == 0 })
    // The last one is open at 10:30, so that its end lies ahead.
    #expect(candles.last?.first == 1_736_938_800_000)
    let chart = try await exchange.object("/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=1")
    let prices = try #require(chart["prices"] as? [[Double]])
    #expect(prices.count > 280 && prices.allSatisfy { $0.count == 2 })
    #expect(prices.last?.first == 1_736_937_000_000)
    #expect((chart["market_caps"] as? [Any])?.count == prices.count)
  }

  @Test func `A chart by the day has the price of each midnight, and that of now`() async throws {
    let chart = try await Exchange.recorded().object(
      "/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=7&interval=daily")
    let times = try #require(chart["prices"] as? [[Double]]).map { Int($0[0]) }
    #expect(times.count == 8 && times.dropLast().allSatisfy { $0 % 86_400_000 < 3_600_000 })
  }

  @Test func `A part of a day is that part, and prices are as far apart as the interval says`() async throws {
    let exchange = Exchange(WebSource(["bitcoin": "1"], capabilities: [.quotes, .line]), time: SteppedTime())
    func prices(_ query: String) async throws -> [[Double]] {
      let chart = try await exchange.object("/api/v3/coins/bitcoin/market_chart?vs_currency=usd&" + query)
      return try #require(chart["prices"] as? [[Double]])
    }
    #expect(try await prices("days=0.5").count == 12)
    #expect(try await prices("days=1.0").count == 24)
    #expect(try await prices("days=1.5").count == 36)
    // The source's prices stand at half past.
    let hourly = try await prices("days=1&interval=hourly")
    #expect(hourly.count == 24 && hourly.last?.first == 1_736_937_000_000)
    #expect(try await prices("days=7&interval=Daily").count == 8)
    let path = "/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=1&interval="
    #expect(await exchange.get(path + "5m").text.contains("are not 5m but 1h apart"))
    #expect(await exchange.get(path + "15min").text.contains(#"unknown value \"15min\"; there are: 5m, hourly, daily"#))
    let range = "/api/v3/coins/bitcoin/market_chart/range?vs_currency=usd&from=1736900000.5&to=1736937000.25"
    #expect(await exchange.get(range).status == 200)
  }

  @Test func `Candles have the width of the interval, or are refused`() async throws {
    let exchange = try Exchange.recorded()
    let path = "/api/v3/coins/bitcoin/ohlc?vs_currency=usd&days=7&interval="
    let candles = try #require(try await exchange.json(path + "daily") as? [[Double]])
    #expect((7...8).contains(candles.count) && candles.allSatisfy { Int($0[0]) % 86_400_000 == 0 })
    #expect(await exchange.get(path + "5m").status == 422)
    #expect(await exchange.get("/api/v3/coins/bitcoin/ohlc?vs_currency=usd&days=0.5").status == 422)
  }

  @Test func `A range is of instants, in seconds or as days`() async throws {
    let exchange = try Exchange.recorded()
    let path = "/api/v3/coins/bitcoin/market_chart/range?vs_currency=usd&"
    let prices = try #require(
      try await exchange.object(path + "from=1736700000&to=1736900000")["prices"] as? [[Double]])
    #expect(prices.allSatisfy { (1_736_700_000_000...1_736_900_000_000).contains($0[0]) } && prices.count > 40)
    #expect(await exchange.get(path + "from=2025-01-13&to=2025-01-14").status == 200)
    #expect(await exchange.get(path + "from=2&to=1").status == 422)
    #expect(await exchange.get(path + "from=x&to=1").status == 422)
    #expect(await exchange.get(path + "from=1936700000&to=1936900000").text.contains(#""prices":[]"#))
  }

  @Test func `A day's history is its price at midnight, the close of the day before`() async throws {
    let exchange = try Exchange.recorded()
    let path = "/api/v3/coins/bitcoin/history?date="
    let coin = try await exchange.object(path + "15-01-2025")
    let prices = (coin["market_data"] as? [String: [String: Double]])?["current_price"]
    let close = try await exchange.object("/v1/history/bitcoin?on=2025-01-14")
    let day = try #require((close["days"] as? [[String: Any]])?.first)
    #expect(prices?["usd"].map { "\($0)" }?.prefix(12) == (day["price"] as? String)?.prefix(12))
    #expect(await exchange.get(path + "2025-01-15").text == exchange.get(path + "15-01-2025").text)
    for date in ["16-01-2025", "01-01-2009"] {
      #expect(try await exchange.object(path + date)["market_data"] == nil)
    }
    for date in ["32-01-2025", "yesterday", "1-2", "--", "15-01-25"] {
      #expect(await exchange.get(path + date).status == 422)
    }
  }

  @Test func `A chart asks for the next of a few lengths, and answers a part of it`() async throws {
    let source = WebSource(["bitcoin": "1"], capabilities: [.quotes, .line])
    let exchange = Exchange(source, time: SteppedTime())
    for (days, hours) in [("5", 120), ("6.5", 156), ("7", 168)] {
      let chart = try await exchange.object("/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=\(days)")
      #expect((chart["prices"] as? [Any])?.count == hours)
    }
    #expect(source.asked.all == ["line bitcoin"])
  }

  @Test func `A pause that the source asks for is 503 with the time to wait`() async throws {
    let source = WebSource(["bitcoin": "1"])
    source.fail(.rateLimited(provider: "web", wait: .milliseconds(1500), reason: "slow down"))
    let response = await Exchange(source).get("/api/v3/simple/price?ids=bitcoin&vs_currencies=usd")
    #expect(response.status == 503)
    #expect(response["Retry-After"] == "2")
    #expect(response.text.hasPrefix(#"{"status":{"error_code":503,"error_message":"web allows no more requests now"#))
  }

  @Test func `A limit of the plan and an unreachable source are reported as by CoinGecko`() async throws {
    let source = WebSource(["bitcoin": "1"], capabilities: [.quotes, .line])
    source.fail(.planLimit(provider: "web", reason: "a year"))
    let path = "/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=max"
    let limited = await Exchange(source).get(path)
    #expect(limited.status == 401 && limited.text.contains(#""error_code":10012"#))
    source.fail(.timedOut(provider: "web", limit: .seconds(1)))
    let late = await Exchange(source).get(path)
    #expect(late.status == 504 && late.text.contains(#"{"status":{"error_code":504"#))
  }

  @Test func `The lists are CoinGecko's`() async throws {
    let exchange = try Exchange.recorded()
    #expect(await exchange.get("/api/v3/ping").text == #"{"gecko_says":"(V3) To the Moon!"}"#)
    let coins = try await exchange.rows("/api/v3/coins/list?include_platform=true")
    #expect(coins.allSatisfy { Set($0.keys) == ["id", "symbol", "name", "platforms"] })
    let found = try #require(try await exchange.object("/api/v3/search?query=doge")["coins"] as? [[String: Any]])
    #expect(found.first?["symbol"] as? String == "DOGE")
    let currencies = try #require(try await exchange.json("/api/v3/simple/supported_vs_currencies") as? [String])
    #expect(Set(currencies).isSuperset(of: ["usd", "eur", "btc"]) && !currencies.contains("vef"))
    let own = Exchange(WebSource([:], currencies: ["chf"]))
    #expect(await own.get("/api/v3/simple/supported_vs_currencies").text == #"["chf","usd"]"#)
  }
}
