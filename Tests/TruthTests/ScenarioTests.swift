import Bitpal
import BitpalModel
import BitpalNetwork
import BitpalServe
import Foundation
import Testing

/// What takes several questions in a row, in the same world.
@Suite struct ScenarioTests {
  private static func world(
    _ sources: [Source], _ name: String = "bitcoin", condition: Condition = .well
  ) async throws -> TruthWorld {
    let files = try await WorldFiles.shared.value
    let one = Case(
      ask: .price, sources: sources, name: name, currency: "usd", condition: condition, hasList: true, converts: false)
    let world = try TruthWorld(files, one)
    _ = try await world.answer(through: .command)
    return world
  }

  @Test func `A pause that a source asks for is not a failure, and asking again does not lengthen it`() async throws {
    let world = try await Self.world([.coingecko, .yahoo], "ethereum")
    world.network.turn(.coingecko, .limited)
    for _ in 0..<8 {
      let outcome = await world.run(["price", "bitcoin"])
      #expect(outcome.status == 5, "\(outcome.errors)")
    }
  }

  @Test func `A coin whose source fails is not left out of CoinGecko's form`() async throws {
    let world = try await Self.world([.coingecko], "bitcoin")
    let router = try world.router()
    func get(_ ids: String) async throws -> (text: String, status: Int) {
      let head = WebHead(method: "GET", target: "/api/v3/simple/price?vs_currencies=usd&ids=\(ids)")
      let response = await router.answer(head).response
      return (String(decoding: response.body, as: UTF8.self), response.status)
    }
    _ = try await get("bitcoin")
    world.network.turn(.coingecko, .down)
    let both = try await get("bitcoin,ethereum")
    #expect(both.text.contains("ethereum") || both.status >= 500, "\(both)")
  }

  @Test(arguments: [[Source.coingecko], [.coingecko, .yahoo], [.binance, .coingecko], [.coinbase, .coingecko]])
  func `An id that is printed, given back, is the same coin`(_ sources: [Source]) async throws {
    let world = try await Self.world(sources)
    var names: Set<String> = []
    for word in ["bitcoin", "beam", "uni", "near", "twin", "matic", "polygon"] {
      let found = JSONReply(Array(await world.run(["search", word]).output.utf8))
      for row in found?.root["results"] as? [[String: Any]] ?? [] { names.insert(row["id"] as? String ?? "") }
    }
    #expect(!names.isEmpty)
    for name in names.sorted() {
      let bare = String(name.hasPrefix("id:") ? name.dropFirst(3) : name[...])
      let priced = JSONReply(Array(await world.run(["price", name]).output.utf8))?.reply().figures.first
      let bought = JSONReply(Array(await world.run(["buy", "1", name, "--price", "1"]).output.utf8))
      let coin = (bought?.root["transactions"] as? [[String: Any]])?.first?["coin"] as? String
      #expect(priced == nil || priced?.thing == bare, "\(name) is priced as \(priced?.thing ?? "")")
      #expect(coin == nil || Oracle.meaning(of: coin ?? "") == bare, "\(name) is recorded as \(coin ?? "")")
    }
  }

  @Test(arguments: Cases.lists)
  func `A past close is that of the candle where one source answers both`(_ sources: [Source]) async throws {
    guard !sources.contains(.plugin) else { return }
    let world = try await Self.world(sources)
    for name in ["bitcoin", "ethereum", "AAPL", "SAP.DE"] {
      let currency = name == "SAP.DE" ? "eur" : "usd"
      let days = ["--from", "2026-11-11", "--to", "2026-11-17", "--currency", currency]
      let line = JSONReply(Array(await world.run(["history", name] + days).output.utf8))?.reply()
      let whole = JSONReply(Array(await world.run(["history", name, "--ohlc"] + days).output.utf8))?.reply()
      guard let line, let whole, let first = whole.figures.first, line.figures.first?.source == first.source else {
        continue
      }
      func closes(_ reply: Reply) -> [String: Decimal] {
        let closes = reply.figures.compactMap { figure -> (String, Decimal)? in
          if case .close = figure.kind { (figure.at(), figure.value) } else { nil }
        }
        return Dictionary(closes) { $1 }
      }
      #expect(closes(line) == closes(whole), "\(sources) \(name)")
    }
  }

  @Test func `A body about another pair is not believed`() async throws {
    let body =
      #"{"error":[],"result":{"BCHEUR":{"a":["1","1","1"],"b":["1","1","1"],"c":["355.4","1"],"v":["1","1"],"p":["1","1"],"t":[1,1],"l":["1","1"],"h":["1","1"],"o":"1"}}}"#
    let world = try await Self.world([.coingecko])
    let service = try world.service("kraken", answering: body)
    let answer = try await service.quotes(["bitcoin-cash"], currency: "usd")
    #expect(answer.quotes.isEmpty, "\(answer.quotes.map(\.value.currentPrice))")
  }
}

/// A network on which every host sends one body.
private struct OneBody: Transport {
  let body: String

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    HTTPResponse(status: 200, headers: [], body: Array(body.utf8))
  }
}

extension TruthWorld {
  /// The service of a shipped provider whose source sends one body whatever it is asked.
  fileprivate func service(_ provider: String, answering body: String) throws -> PriceService {
    try service(provider, wire: OneBody(body: body))
  }
}
