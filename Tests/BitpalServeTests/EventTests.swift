import Bitpal
import BitpalCache
import BitpalModel
import BitpalOutput
import BitpalQueries
import BitpalServe
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Prices as they change` {
  /// A server over a source, whose listeners are told by the same clock that makes cached prices old.
  private func server(_ source: WebSource, _ time: ManualTime) throws -> PriceServer {
    let service = PriceService(
      providers: [source], cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in }, time: time)
    return try PriceServer(Market(service, pace: time), on: NetworkAddress("127.0.0.1:0"), gate: Gate())
  }

  private func listen(_ server: PriceServer, _ target: String) -> RawClient {
    let client = RawClient(port: server.address.port)
    client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return client
  }

  private static let minute = Duration.seconds(61)

  @Test func `A stream begins with the prices of now, in the shape of v1`() async throws {
    let server = try server(WebSource(["one": "1", "two": "2"]), ManualTime())
    let text = await listen(server, "/events?coins=one,two").read(to: "}\n\n")
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    for header in ["Content-Type: text/event-stream", "Cache-Control: no-cache", "X-Bitpal-Source: web"] {
      #expect(text.contains(header + "\r\n"))
    }
    #expect(text.contains("retry: 3000\n\n"))
    #expect(text.contains("event: prices\ndata: {\"schema\":\"bitpal.prices/1\","))
    await server.stop()
  }

  /// The prices and the failures of an answer by their coins.
  private struct Summary: Decodable, Equatable {
    struct Row: Decodable, Equatable { let id: String }
    struct Failure: Decodable, Equatable { let coin: String }
    let prices: [Row]
    let errors: [Failure]

    init(_ json: Substring) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }

    init(_ answer: QuotesAnswer) throws {
      try self.init(Substring(PricesOutput(answer, provider: nil, currency: "usd").jsonLine))
    }
  }

  @Test func `A command, a screen, v1 and a stream have the same outcome for each name`() async throws {
    let source = WebSource(["one": "1", "two": "2"])
    let server = try server(source, ManualTime())
    let names = ["two", "none", "id:none", "one", "id:two", "two", "none"]
    let query = "coins=" + names.joined(separator: ",")
    let service = PriceService(
      providers: [source], cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in })
    let command = try Summary(try await PricesQuery(names, currency: "usd").answer(by: service))
    #expect(command.prices.map(\.id) == ["two", "one"] && command.errors.map(\.coin) == ["none", "id:none"])
    let screen = PriceTicker(SteadyRule(names, every: .seconds(1), from: .zero), on: ManualTime()) {
      coins, _ in try await service.quotes(coins, currency: "usd")
    }
    for await case .update(let update) in screen {
      #expect(try Summary(update.answer) == command)
      break
    }
    let v1 = await listen(server, "/v1/price?\(query)").readAnswer()
    #expect(try Summary(v1.drop { $0 != "{" }) == command)
    let events = await listen(server, "/events?\(query)").read(to: "}\n\n")
    let line = try #require(events.split(separator: "\n").last { $0.hasPrefix("data: ") })
    #expect(try Summary(line.dropFirst("data: ".count)) == command)
    await server.stop()
  }

  @Test(arguments: [("/events", 422), ("/events?coins=none", 404), ("/events/x", 404)])
  func `A question without a stream fails at once`(target: String, status: Int) async throws {
    let server = try server(WebSource(["one": "1"]), ManualTime())
    let text = await listen(server, target).readAnswer()
    #expect(text.hasPrefix("HTTP/1.1 \(status) "))
    #expect(text.contains("\"schema\": \"bitpal.error/1\""))
    await server.stop()
  }

  @Test func `A listener gets only changes, and all coins are requested together`() async throws {
    let (source, time) = (WebSource(["one": "1", "two": "2"]), ManualTime())
    let server = try server(source, time)
    let both = listen(server, "/events?coins=one,two")
    _ = await both.read(to: "}\n\n")
    let second = listen(server, "/events?coins=two")
    _ = await second.read(to: "}\n\n")
    let asked = source.asked.all.count
    source.set(["one": "1", "two": "3"])
    await time.waitForSleepers()
    time.advance(by: Self.minute)
    #expect(await both.read(to: "\"price\":\"3\"").contains("\"price\":\"1\""))
    #expect(await second.read(to: "\"price\":\"3\"").contains("event: prices"))
    #expect(source.asked.all.count == asked + 1)
    // A price that has not changed is no news, but a source that no longer answers is.
    source.fail(.network(host: "web.example", reason: "gone"))
    await time.waitForSleepers()
    time.advance(by: Self.minute)
    #expect(await both.read(to: "source_failed").contains("\"stale\":true"))
    await server.stop()
  }

  @Test func `Streams that are open use half of a budget at most`() async throws {
    let budget = try #require(RateLimit(limit: 4, window: .seconds(3600)))
    let (source, time) = (WebSource(["one": "1"], budgets: [budget]), ManualTime())
    let server = try server(source, time)
    let client = listen(server, "/events?coins=one")
    _ = await client.read(to: "}\n\n")
    let asked = source.asked.all.count
    for price in 2...9 {
      source.set(["one": "\(price)"])
      await time.waitForSleepers()
      time.advance(by: Self.minute)
    }
    await time.waitForSleepers()
    #expect(source.asked.all.count == asked + 2)
    // Whoever asks may use the other half, and the streams are told of it.
    let other = listen(server, "/v1/price?coins=one")
    #expect(await other.readAnswer().contains("\"9\""))
    time.advance(by: .seconds(2))
    #expect(await client.read(to: "\"price\":\"9\"").contains("\"price\":\"3\""))
    #expect(source.asked.all.count == asked + 3)
    await server.stop()
  }

  @Test func `A source of one coin a request is asked for half of its budget, also while answers are renewed`()
    async throws
  {
    let budget = try #require(RateLimit(limit: 20, window: .seconds(4)))
    let names = (0..<30).map { "c\($0)" }
    let source = WebSource(
      Dictionary(uniqueKeysWithValues: names.map { ($0, "1") }), budgets: [budget], coinsPerRequest: 1)
    let time = ManualTime()
    var settings = ServiceSettings(quotesTimeToLive: .seconds(2))
    settings.whileRenewing = .seconds(10)
    let cache = PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in }
    let service = PriceService(providers: [source], cache: cache, settings: settings, time: time)
    let server = try PriceServer(Market(service, pace: time), on: NetworkAddress("127.0.0.1:0"), gate: Gate())
    let client = listen(server, "/events?coins=\(names.joined(separator: ","))")
    _ = await client.read(to: "}\n\n")
    var asked: [Int] = []
    for _ in 0..<12 {
      await time.waitForSleepers()
      asked.append(source.asked.all.reduce(0) { $0 + $1.split(separator: ",").count })
      time.advance(by: .seconds(2))
    }
    // Eleven steps are five and a half windows of ten requests; answers are renewed in tasks of their own.
    #expect((50...60).contains(asked[11] - asked[0]), "\(asked)")
    await server.stop()
  }

  @Test func `An unchanged price that was fetched again does not send an event`() async throws {
    let (source, time) = (WebSource(["one": "1"]), ManualTime())
    let server = try server(source, time)
    let client = listen(server, "/events?coins=one")
    _ = await client.read(to: "}\n\n")
    for _ in 0..<4 {
      await time.waitForSleepers()
      time.advance(by: Self.minute)
    }
    source.set(["one": "2"])
    await time.waitForSleepers()
    time.advance(by: Self.minute)
    let text = await client.read(to: "\"price\":\"2\"")
    #expect(text.ranges(of: "event: prices").count == 1, "\(text)")
    #expect(source.asked.all.count >= 5)
    await server.stop()
  }

  /// The second was given the first one's stream, which then ended for one of them alone, and the library ended the process.
  @Test func `Two streams with the same question both get events, and the server stops with both`() async throws {
    let (source, time) = (WebSource(["one": "1"]), ManualTime())
    let server = try server(source, time)
    let first = listen(server, "/events?coins=one")
    _ = await first.read(to: "}\n\n")
    let others = (0..<5).map { _ in listen(server, "/events?coins=one") }
    for other in others { #expect(await other.read(to: "}\n\n").contains("\"price\":\"1\"")) }
    source.set(["one": "2"])
    await time.waitForSleepers()
    time.advance(by: Self.minute)
    for client in [first] + others { #expect(await client.read(to: "\"price\":\"2\"").contains("event: prices")) }
    await server.stop()
  }

  @Test func `Silence is broken every quarter of a minute`() async throws {
    let time = ManualTime()
    let server = try server(WebSource(["one": "1"]), time)
    let client = listen(server, "/events?coins=one")
    _ = await client.read(to: "}\n\n")
    for _ in 0..<8 {
      await time.waitForSleepers()
      time.advance(by: .seconds(2))
    }
    #expect(await client.read(to: ":\n\n").contains(":\n\n"))
    await server.stop()
  }
}
