import Bitpal
import BitpalCache
import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalServe
import BitpalTesting
import Foundation
import TestSupport
import Testing

/// A network in which servers go by their names, without a socket.
final class ServerNetwork: Transport {
  private let routers = Locked<[String: Router]>([:])

  /// The targets that were asked for, each after its server.
  let asked = Notes<String>()

  func add(_ router: Router, as name: String) {
    routers.withLock { $0[name] = router }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let url = try #require(URLComponents(string: request.url))
    let name = url.host ?? ""
    guard let router = routers.withLock({ $0[name] }) else { throw BitpalError.network(host: name, reason: "down") }
    let target = url.percentEncodedPath + (url.percentEncodedQuery.map { "?\($0)" } ?? "")
    asked.add("\(name) \(target)")
    var headers = request.headers.map { WebHeader($0.name, $0.value) }
    if let secret = request.secret { headers.append(WebHeader(secret.name, secret.value.reveal())) }
    let response = await router.answer(WebHead(method: "GET", target: target, headers: headers)).response
    return HTTPResponse(
      status: response.status, headers: response.headers.map { HTTPHeader($0.name, $0.value) }, body: response.body)
  }

  /// Takes a server off the network.
  func remove(_ name: String) {
    routers.withLock { $0[name] = nil }
  }

  /// A provider that asks the server of a name.
  func relay(to name: String, id: String = "relay", key: Secret? = nil) throws -> any PriceProvider {
    var specification = ProviderSpecification(id: id, name: id, kind: RelayKind())
    specification.baseURL = "http://\(name):8642"
    let environment = ProviderEnvironment(
      time: SystemTime(), trace: .silent, key: { _ in key }, transport: { _, _ in self },
      specification: { throw BitpalError.usage("there is no \($0)") })
    return try environment.provider(specification)
  }

  /// Adds a server, and returns how it is asked.
  @discardableResult
  func serve(
    _ providers: [any PriceProvider], converters: [any PriceProvider] = [], as name: String, time: any TimeSource,
    cache path: String? = nil, gate: Gate = Gate()
  ) -> Exchange {
    let service = PriceService(
      providers: providers, converters: converters,
      cache: PriceCache(path: path, memoryLimit: 1 << 22, diskLimit: 1 << 24) { Issue.record("\($0)") }, time: time)
    let router = Router(Market(service), gate: gate)
    add(router, as: name)
    return Exchange(router: router)
  }
}

@Suite struct `A server behind a server` {
  private let network = ServerNetwork()
  private let time = SteppedTime()

  /// Servers in a row, of which the first has the source.
  private func chain(_ source: any PriceProvider) throws -> [Exchange] {
    let first = network.serve([source], as: "first", time: time)
    let second = network.serve([try network.relay(to: "first")], as: "second", time: time)
    return [first, second, network.serve([try network.relay(to: "second", id: "far")], as: "third", time: time)]
  }

  @Test(arguments: [
    "price?coins=btc,eth,shiba-inu,zzz", "price?coins=btc&currency=eur", "coin/btc", "coin/eth?currency=eur",
    "chart/btc?range=1D", "chart/eth?range=1W&type=candle", "chart/btc?range=1M", "chart/btc?range=1Y&type=candle",
    "chart/btc?from=2025-01-10&to=2025-01-12",
    "history/btc?from=2025-01-05&to=2025-01-14", "history/btc?on=2024-06-30",
  ])
  func `Two hops give the same object as the server of the source`(path: String) async throws {
    let first = try Exchange.recorded()
    network.add(first.router, as: "first")
    let second = network.serve([try network.relay(to: "first")], as: "second", time: time)
    let third = network.serve([try network.relay(to: "second")], as: "third", time: time)
    let wanted = try await comparable(first, path)
    #expect(wanted.contains("fixture"))
    #expect(try await comparable(second, path) == wanted)
    #expect(try await comparable(third, path) == wanted)
  }

  /// The answer without the sentences of its errors, which name the provider that was asked, and without the figures
  /// beside prices, which a server does not pass on.
  private func comparable(_ exchange: Exchange, _ path: String) async throws -> String {
    let response = await exchange.get("/v1/" + path)
    #expect(response.status == 200, "\(response.text)")
    let left =
      path.hasPrefix("price") ? ["\"message\"", "\"market_cap\"", "\"total_volume\"", "\"rank\""] : ["\"message\""]
    return response.text.split(separator: "\n").filter { line in !left.contains { line.contains($0) } }
      .joined(separator: "\n")
  }

  @Test func `The age of an answer counts on from its source`() async throws {
    let source = WebSource(["bitcoin": "67187.335893665612345678901234567"])
    let servers = try chain(source)
    let path = "/v1/price?coins=bitcoin"
    _ = await servers[0].get(path)
    time.advance(.seconds(59))
    for server in [servers[2], servers[1], servers[2]] {
      let response = await server.get(path)
      #expect(response["Age"] == "59" && response["X-Bitpal-Source"] == "web" && response["X-Bitpal-Stale"] == nil)
      #expect(response.text.contains(#""fetched_at": "2025-01-15T10:30:00Z""#))
      #expect(response.text.contains("67187.335893665612345678901234567"))
    }
    // The second question to the third server came from its cache.
    #expect(network.asked.all.count == 2)
    #expect(source.asked.all.count == 1)
    time.advance(.seconds(2))
    #expect(await servers[2].get(path)["Age"] == "0")
    #expect(source.asked.all.count == 2)
  }

  @Test func `A price that is fresh by the relay's mark and a month old by our clock is marked`() async throws {
    let first = network.serve([WebSource(["bitcoin": "1"])], as: "first", time: time)
    let later = SteppedTime()
    later.advance(.seconds(30 * 86_400))
    let second = network.serve([try network.relay(to: "first")], as: "second", time: later)
    #expect(await first.get("/v1/price?coins=bitcoin")["X-Bitpal-Stale"] == nil)
    #expect(await second.get("/v1/price?coins=bitcoin")["X-Bitpal-Stale"] == "outdated")
  }

  @Test func `An answer that stands in for a failed source says so at every server`() async throws {
    let source = WebSource(["bitcoin": "1"])
    let servers = try chain(source)
    let path = "/v1/price?coins=bitcoin"
    for server in servers { _ = await server.get(path) }
    source.fail(.network(host: "web", reason: "down"))
    time.advance(.seconds(3600))
    for server in servers.reversed() + servers {
      let response = await server.get(path)
      #expect(response["Age"] == "3600" && response["X-Bitpal-Stale"] == "source_failed", "\(response.text)")
      #expect(response.text.contains(#""stale_reason": "source_failed""#))
    }
    source.fail(nil)
    time.advance(.seconds(31))
    for server in servers.reversed() { #expect(await server.get(path)["X-Bitpal-Stale"] == nil) }
  }

  @Test func `An answer of a relay stands in when the relay is gone`() async throws {
    let source = WebSource(["bitcoin": "1"])
    let servers = try chain(source)
    _ = await servers[2].get("/v1/price?coins=bitcoin")
    network.remove("second")
    time.advance(.seconds(90))
    let response = await servers[2].get("/v1/price?coins=bitcoin")
    #expect(response.status == 200 && response["Age"] == "90" && response["X-Bitpal-Stale"] == "source_failed")
    #expect(response["X-Bitpal-Source"] == "web")
  }

  /// Prices and rates of its own, whose time may be long ago.
  private struct DatedSource: PriceProvider {
    let descriptor: ProviderDescriptor
    let price: Decimal
    let made: Date

    init(_ id: String, currency: String, price: Decimal, made: Date, hasCurrencies: Bool = false) {
      descriptor = ProviderDescriptor(
        id: id, name: id, kind: "test", capabilities: [.quotes], currencies: [currency],
        maxAge: hasCurrencies ? .seconds(7 * 86_400) : .seconds(3600), hasCurrencies: hasCurrencies, cacheIdentity: id)
      self.price = price
      self.made = made
    }

    func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
      var coins: [String: Coin] = [:]
      for id in query.coins {
        coins[id] = try Coin(validating: id, symbol: id, name: id, currentPrice: price, lastUpdated: made)
      }
      return ProviderAnswer(quotes: coins)
    }
  }

  @Test func `A conversion and an old price keep their marks, from the files of the caches too`() async throws {
    let folder = try TemporaryFolder()
    let old = time.now.adding(.seconds(-5 * 3600))
    let source = DatedSource("shares", currency: "usd", price: 8, made: old)
    let rates = DatedSource(
      "bank", currency: "sek", price: try Decimal(strict: "10.125"), made: old, hasCurrencies: true)
    network.serve([source], converters: [rates], as: "first", time: time)
    let path = "/v1/price?coins=acme&currency=sek"
    for _ in 0..<2 {
      // A server that has just started finds in its file what the one before it has left.
      let second = network.serve(
        [try network.relay(to: "first")], as: "second", time: time, cache: folder.path + "/cache.db")
      let text = await second.get(path).text
      for part in [
        #""price": "81""#, #""from": "usd""#, #""price": "8""#, #""rate": "10.125""#, #""rate_source": "bank""#,
        #""source": "shares""#, #""stale_reason": "outdated""#, #""fetched_at": "2025-01-15T10:30:00Z""#,
      ] { #expect(text.contains(part), "\(text)") }
    }
    #expect(network.asked.all.count == 1)
  }

  @Test(arguments: [
    BitpalError.notFound(coin: "bitcoin", provider: "web"), .noPrice(coin: "bitcoin", provider: "web"),
    .noData(question: "bitcoin", provider: "web"), .planLimit(provider: "web", reason: "a year"),
    .unsupportedCurrency("usd", provider: "web", supported: []), .unsupported(.quotes, provider: "web", others: []),
    .rateLimited(provider: "web", wait: .seconds(30), reason: "full"), .unreadable(provider: "web", reason: "a page"),
    .refused(provider: "web", status: 418, reason: "teapot"),
    .notRecorded(question: "bitcoin", recording: "web", available: []),
  ])
  func `A failure has the same code, status and wait behind two servers`(failure: BitpalError) async throws {
    let source = WebSource([:], capabilities: [.quotes, .detail])
    source.fail(failure)
    let servers = try chain(source)
    for path in ["/v1/price?coins=id:bitcoin", "/v1/coin/id:bitcoin"] {
      let near = await servers[0].get(path)
      // Each server asks again after its pause.
      time.advance(.seconds(31))
      let far = await servers[2].get(path)
      time.advance(.seconds(31))
      #expect(far.status == near.status && far["Retry-After"] == near["Retry-After"], "\(far.text)")
      #expect(far.text.contains(#""code": "\#(failure.code.rawValue)""#), "\(far.text)")
    }
  }

  @Test func `A source that cannot be reached is a refusal of the relay, and the next source is asked`() async throws {
    let source = WebSource(["bitcoin": "1"])
    source.fail(.network(host: "web", reason: "down"))
    network.serve([source], as: "first", time: time)
    let other = WebSource(["bitcoin": "2"])
    let second = network.serve([try network.relay(to: "first"), other], as: "second", time: time)
    #expect(await second.get("/v1/price?coins=bitcoin").text.contains(#""price": "2""#))
    let third = network.serve([try network.relay(to: "first")], as: "third", time: time)
    time.advance(.seconds(5))
    let response = await third.get("/v1/price?coins=bitcoin")
    #expect(response.status == 502 && response.text.contains("cannot reach web: down"))
  }

  @Test func `The token of a server is sent as a bearer`() async throws {
    let gate = Gate(token: AccessToken("correct horse"))
    network.serve([WebSource(["bitcoin": "1"])], as: "first", time: time, gate: gate)
    let good = network.serve([try network.relay(to: "first", key: Secret("correct horse"))], as: "a", time: time)
    #expect(await good.get("/v1/price?coins=bitcoin").status == 200)
    let bad = network.serve([try network.relay(to: "first")], as: "b", time: time)
    let response = await bad.get("/v1/price?coins=bitcoin")
    #expect(response.text.contains(#""code": "unauthorized""#) && response.text.contains("this server wants its token"))
  }

  @Test(
    .timeLimit(.minutes(20)), arguments: [["one", "one"], ["one", "two", "one"], ["one", "two", "three", "one"]])
  func `Servers that name each other end a question with an error`(ring: [String]) async throws {
    for (name, next) in zip(ring, ring.dropFirst()) {
      network.serve([try network.relay(to: next)], as: name, time: time)
    }
    let response = try await network.send(HTTPRequest(url: "http://one:8642/v1/price?coins=bitcoin"))
    #expect(response.status == 502)
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.contains("HTTP 508: the question has come back to a server that passed it on"), "\(text)")
    #expect(network.asked.all.count == ring.count)
  }

  @Test func `A question passes eight servers and no more`() async throws {
    let exchange = Exchange(WebSource(["bitcoin": "1"]))
    func ask(_ count: Int) async -> Int {
      let via = (0..<count).map { "1.1 bitpal-\($0)" }.joined(separator: ", ")
      return await exchange.get("/v1/price?coins=bitcoin", [("Via", via), ("Via", "1.1 nginx")]).status
    }
    #expect(await ask(7) == 200)
    #expect(await ask(8) == 508)
  }

  @Test func `Over sockets too, a server behind a server has the list, the prices and the charts`() async throws {
    let first = try TestPriceServer(recording: "market")
    var specification = ProviderSpecification(id: "relay", name: "Relay", kind: RelayKind())
    specification.baseURL = first.url
    let wire = CurlTransport(userAgent: "bitpal-test")
    let second = try TestPriceServer(
      DialectProvider(dialect: RelayDialect(specification), transport: wire, time: SystemTime()), time: time)
    for path in ["price?coins=btc,eth", "chart/btc?range=1W&type=candle", "history/btc?from=2025-01-12", "coin/doge"] {
      let near = try await wire.send(HTTPRequest(url: first.url + "/v1/" + path))
      let far = try await wire.send(HTTPRequest(url: second.url + "/v1/" + path))
      #expect(near.status == 200 && near.body == far.body, "\(path): \(String(decoding: far.body, as: UTF8.self))")
    }
    let list = try await wire.send(HTTPRequest(url: second.url + "/api/v3/coins/list"))
    #expect(list.body == (try await wire.send(HTTPRequest(url: first.url + "/api/v3/coins/list")).body))
    #expect(list.headers.first(named: "x-bitpal-source")?.hasPrefix("recording") == true)
    await second.stop()
    await first.stop()
  }
}
