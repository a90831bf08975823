import Bitpal
import BitpalCache
import BitpalModel
import BitpalNetwork
import BitpalPortfolio
import BitpalProviders
import BitpalServe
import BitpalTesting
import Foundation
import TestSupport
import Testing

/// CoinGecko's `/coins/markets` as it answers with all that is asked for, which notes its requests.
private struct CoinGeckoSource: Transport {
  let requests = Notes<String>()
  let time: any TimeSource

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    requests.add(request.url)
    let items = URLComponents(string: request.url)?.queryItems ?? []
    let ids = items.first { $0.name == "ids" }?.value?.split(separator: ",") ?? []
    let hasWeek = items.contains { $0.name == "sparkline" && $0.value == "true" }
    guard request.url.contains("/coins/markets?") else { return HTTPResponse(status: 404, body: Array("{}".utf8)) }
    let week = (1...168).map { "\($0).5" }.joined(separator: ",")
    let rows = ids.map { id in
      #"{"id":"\#(id)","symbol":"s","name":"n","image":"https://i/x.png","current_price":2.5,"market_cap":1000,"#
        + #""market_cap_rank":3,"total_volume":10.0,"ath":9,"ath_date":"2024-03-14T07:10:36.635Z","#
        + #""price_change_percentage_24h":1,"price_change_percentage_7d_in_currency":7.25,"#
        + #""last_updated":"\#(time.now.iso8601)""# + (hasWeek ? #","sparkline_in_7d":{"price":[\#(week)]}"# : "") + "}"
    }
    return HTTPResponse(status: 200, body: Array("[\(rows.joined(separator: ","))]".utf8))
  }
}

@Suite struct `The requests behind an answer over HTTP` {
  private let time = ManualTime()
  private let source: CoinGeckoSource
  private let service: PriceService

  init() {
    source = CoinGeckoSource(time: time)
    let provider = DialectProvider(dialect: CoinGeckoDialect(), transport: source, time: time)
    service = PriceService(
      providers: [provider], cache: PriceCache(path: nil, memoryLimit: 1 << 24, diskLimit: 1) { _ in }, time: time)
  }

  @Test func `Prices that were fetched are reported once, and cached ones are not`() async throws {
    let (reports, mailbox) = AsyncStream<[String]>.makeStream()
    let router = Router(Market(service, fetched: { quotes, _ in mailbox.yield(quotes.map(\.value.id).sorted()) }))
    let exchange = Exchange(router: router)
    for path in ["/v1/price?coins=a,b", "/v1/price?coins=a", "/v1/price?coins=c"] { _ = await exchange.get(path) }
    var iterator = reports.makeAsyncIterator()
    #expect(await iterator.next() == ["a", "b"])
    #expect(await iterator.next() == ["c"])
  }

  @Test(arguments: [20, 250]) func `A market is one request, figures, changes and weeks included`(count: Int)
    async throws
  {
    let exchange = Exchange(router: Router(Market(service)))
    let ids = (1...count).map { "coin-\($0)" }.joined(separator: ",")
    let path = "/api/v3/coins/markets?vs_currency=usd&per_page=250&sparkline=true&price_change_percentage=7d&ids=" + ids
    let rows = try await exchange.rows(path)
    #expect(source.requests.all.count == 1)
    #expect(rows.count == count)
    for row in rows {
      #expect(row["market_cap"] as? Double == 1000 && row["ath"] as? Double == 9)
      #expect(row["price_change_percentage_7d_in_currency"] as? Double == 7.25)
      #expect((row["sparkline_in_7d"] as? [String: [Double]])?["price"]?.count == 168)
    }
    _ = try await exchange.object("/api/v3/coins/coin-1")
    _ = try await exchange.object("/api/v3/simple/price?ids=coin-2&vs_currencies=usd&include_market_cap=true")
    #expect(source.requests.all.count == 1)
  }

  @Test func `A page of nine coins is one request, and has the week of each`() async throws {
    let folder = try TemporaryFolder()
    let ids = (1...9).map { "coin-\($0)" }
    let store = WatchlistStore(file: UserDataFile(path: folder.path + "/data.db"))
    _ = try store.add(ids, now: time.now)
    let owner = OwnerProof()
    let exchange = Exchange(
      router: Router(Market(service), own: OwnPages(watchlist: .success(store)), gate: Gate(owner: owner)), owner: owner
    )
    let page = await exchange.page("/").text
    #expect(page.matches(of: /class="spark"/).count == 9)
    #expect(!page.contains("data-spark"))
    #expect(source.requests.all.count == 1)
    // A week that is asked for by itself is there too.
    #expect(await exchange.page("/spark/coin-3").text.contains("<svg"))
    #expect(source.requests.all.count == 1)
  }

  @Test func `The page of a coin asks once for its price and its figures, renewed too`() async throws {
    let exchange = Exchange(router: Router(Market(service)))
    for view in 1...3 {
      #expect(await exchange.page("/coin/coin-1").text.contains("Market figures in"))
      #expect(source.requests.all.filter { $0.contains("/coins/markets?") }.count == view)
      time.advance(by: .seconds(3600))
    }
  }

  @Test func `A week is taken out of a month that is cached, in every form, and a day is asked for`() async throws {
    let source = WebSource(["one": "1"], capabilities: [.quotes, .line])
    let exchange = Exchange(source, time: time)
    _ = try await exchange.object("/v1/chart/one?range=1M")
    let asked = source.asked.all.count
    for target in [
      "/v1/chart/one?range=1W", "/v1/chart/one?last=5d", "/api/v3/coins/one/market_chart?vs_currency=usd&days=7",
    ] {
      #expect(await exchange.get(target).status == 200, "\(target)")
    }
    #expect(source.asked.all.count == asked)
    _ = try await exchange.object("/v1/chart/one?range=1D")
    #expect(source.asked.all.count == asked + 1)
    // What the range has of its own comes first.
    time.advance(by: .seconds(1200))
    _ = try await exchange.object("/v1/chart/one?range=1W")
    #expect(source.asked.all.count == asked + 2)
  }

  @Test func `The week of a coin that has no price yet comes with its price`() async throws {
    let exchange = Exchange(router: Router(Market(service)))
    #expect(await exchange.page("/spark/coin-3").text.contains("<svg"))
    _ = try await exchange.object("/api/v3/simple/price?ids=coin-3&vs_currencies=usd")
    #expect(source.requests.all.count == 1)
  }
}
