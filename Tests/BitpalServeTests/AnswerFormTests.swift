import BitpalModel
import BitpalPortfolio
import Foundation
import TestSupport
import Testing

@testable import BitpalServe

@Suite struct `Forms of answers` {
  private let folder: TemporaryFolder
  private let own: OwnPages

  init() throws {
    folder = try TemporaryFolder()
    let file = UserDataFile(path: folder.path + "/bitpal.db")
    let watchlist = WatchlistStore(file: file)
    try watchlist.add(["bitcoin", "dogecoin"], now: Date())
    own = OwnPages(watchlist: .success(watchlist), portfolio: TransactionStore(file: file))
  }

  @Test(arguments: [
    ([], AnswerForm.json), (["text/csv"], .csv), (["text/plain"], .txt), (["*/*"], .json), (["image/png"], .json),
    (["application/json, text/plain, */*"], .json), (["text/plain;q=0.5, text/csv;q=0.8"], .csv),
    (["text/html,application/xhtml+xml,*/*;q=0.8"], .json), (["TEXT/CSV ; header=present"], .csv),
    (["application/json;q=0.1", "text/csv"], .csv), (["text/csv;q=0"], .json),
  ])
  func `Accept decides without a format, by its weights`(accept: [String], form: AnswerForm) {
    #expect(AnswerForm(accepting: accept) == form)
  }

  @Test func `Text is the bare number of one coin, and a table of several`() async throws {
    let exchange = try Exchange.recorded()
    let bare = [
      ("/v1/price?coins=btc&format=txt", "96841.328675354258"), ("/v1/coin/btc?format=txt", "96841.328675354258"),
      ("/v1/convert?amount=0.5&from=btc&to=eur&format=txt", "46992.884208352045"),
      ("/v1/history/btc?on=2025-01-10&format=txt", "99407.99479757283"),
    ]
    for (target, number) in bare {
      let response = await exchange.get(target)
      #expect(response.text == number && response["Content-Type"] == "text/plain; charset=utf-8", "\(target)")
    }
    let table = await exchange.get("/v1/price?coins=btc,nope&format=txt").text.split(separator: "\n")
    #expect(table.count == 3 && table[2].hasPrefix("nope ") && table[2].hasSuffix(" not_found"))
    let failed = await exchange.get("/v1/price?coins=nope&format=txt")
    #expect(failed.status == 404 && failed.text.hasPrefix("no coin \"nope\""))
  }

  @Test func `CSV has a row for each coin that was asked for, and no empty cell for a price`() async throws {
    let exchange = try Exchange.recorded()
    let response = await exchange.get("/v1/price?coins=btc,nope,eth", [("Accept", "text/csv")])
    #expect(response["Content-Type"] == "text/csv; charset=utf-8; header=present")
    #expect(response["Vary"] == "Accept")
    let rows = response.text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(rows.map { $0[0] } == ["id", "bitcoin", "nope", "ethereum"])
    let error = try #require(rows[0].firstIndex(of: "error"))
    #expect(rows[2][3] == "#N/A" && rows[2][error] == "not_found")
    // The answer to the same address in another form is not served again.
    #expect(await exchange.get("/v1/price?coins=btc,nope,eth").text.hasPrefix("{"))
    let head = WebHead(method: "GET", target: "/v1/price?coins=btc,nope,eth")
    #expect(exchange.router.recentAnswer(to: head)?.response.text.hasPrefix("{") == true)
  }

  @Test(arguments: [
    ("/v1/price?coins=btc&format=xml", "format: unknown value \"xml\"; there are: json, csv, txt"),
    ("/v1/price?coins=btc&curency=eur", "unknown parameter \"curency\"; did you mean currency?"),
    ("/v1/price?coins=btc&coins=eth", "coins is given twice; as a list it is coins=btc,eth"),
    ("/v1/convert?from=btc&amount=", "amount is empty"), ("/v1/price?coins=btc&currency=%20", "currency is empty"),
    ("/v1/schemas/prices?format=csv", "unknown parameter \"format\"; this path has none"),
    ("/v1/chart/btc.svg?format=csv", "a picture takes no format; without .svg after the coin there is one"),
    ("/v1/convert?to=eur", "from is missing; as in /v1/convert?amount=0.5&from=btc&to=eur"),
    ("/events?coin=btc", "unknown parameter \"coin\"; did you mean coins?"),
    ("/metrics?coin=btc", "unknown parameter \"coin\"; there are: coins, currency"),
  ])
  func `An unknown form and an unknown parameter are refused, never ignored`(target: String, message: String)
    async throws
  {
    let response = try await Exchange.recorded().get(target)
    #expect(
      response.status == 422 && response.text.contains(message.replacing("\"", with: "\\\""))
        || response.text.contains(message.replacing("\"", with: "\"\"")), "\(response.text)")
  }

  @Test func `Watchlist and portfolio are for their owner, and stay in no cache`() async throws {
    let exchange = try Exchange.recorded(own: own)
    for target in ["/v1/watchlist", "/v1/portfolio?format=txt"] {
      #expect(await exchange.get(target, [("Host", "localhost")]).status == 403)
      let response = await exchange.get(target, [await exchange.cookie(), ("Host", "localhost")])
      #expect(response.status == 200 && response["Cache-Control"] == "no-store, private")
      #expect(response["Cross-Origin-Resource-Policy"] == "same-origin")
      #expect(exchange.router.recentAnswer(to: WebHead(method: "GET", target: target)) == nil)
    }
    let rows = await exchange.get(
      "/v1/watchlist?format=csv&sort=name", [await exchange.cookie(), ("Host", "localhost")])
    #expect(rows.text.split(separator: "\n").map { $0.prefix { $0 != "," } } == ["id", "bitcoin", "dogecoin"])
    #expect(try await Exchange.recorded().get("/v1/watchlist").status == 403)
    // The figures that another question has brought stand in each list of prices.
    _ = await exchange.get("/v1/coin/bitcoin")
    for target in ["/v1/watchlist", "/v1/price?coins=bitcoin"] {
      let list = await exchange.get(target, [await exchange.cookie(), ("Host", "localhost")])
      #expect(list.text.contains("\"market_cap\": \"1918543802225\""), "\(list.text)")
    }
  }

  @Test func `Gauges are of the coins that are named, and for the owner of the watchlist`() async throws {
    let exchange = try Exchange.recorded(own: own)
    func prices(_ target: String, _ headers: [(String, String)]) async -> [Substring] {
      await exchange.get(target, headers + [("Host", "localhost")]).text.split(separator: "\n")
        .filter { $0.hasPrefix("bitpal_price{") || $0.hasPrefix("bitpal_portfolio_complete{") }
    }
    #expect(await prices("/metrics", []) == [])
    #expect(
      await prices("/metrics?coins=btc", [])
        == ["bitpal_price{coin=\"bitcoin\",symbol=\"btc\",currency=\"usd\"} 96841.328675354258"])
    let all = await prices("/metrics", [await exchange.cookie()])
    #expect(all.count == 3 && all[2] == "bitpal_portfolio_complete{portfolio=\"main\",currency=\"usd\"} 1")
  }

  @Test func `A gauge waits for no source: the first scrape has it fetched`() async throws {
    let source = WebSource(["one": "1.50"])
    let exchange = Exchange(source)
    #expect(await !exchange.get("/metrics?coins=one").text.contains("bitpal_price{"))
    // What was begun behind is joined, so the source is asked once.
    #expect(await exchange.get("/v1/price?coins=one&format=txt").text == "1.5")
    #expect(
      await exchange.get("/metrics?coins=one").text.contains(
        "bitpal_price{coin=\"one\",symbol=\"s-one\",currency=\"usd\"} 1.5\n"))
    #expect(source.asked.all == ["quotes one"])
  }
}
