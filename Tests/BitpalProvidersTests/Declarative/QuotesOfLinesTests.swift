import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalReplay
import BitpalTesting
import FoundationEssentials
import ProviderFiles
import TestSupport
import Testing

@Suite struct `Quotes of a source with lines alone` {
  private struct Source: Transport {
    var status = 200
    let body: String
    let requests = Notes<HTTPRequest>()

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      requests.add(request)
      return HTTPResponse(status: status, body: Array(body.utf8))
    }
  }

  private static let text = """
    ids: { "fx:usd": USD }
    line:
      get: /l/{id}?from={from:yyyy-MM-dd}&to={to:yyyy-MM-dd}
      time: iso8601
      each: $
      fields: { time: $.d, price: $.p }
    """
  private static let days = #"[{"d":"2025-01-16","p":7},{"d":"2025-01-13","p":5.1},{"d":"2025-01-14","p":5.25}]"#

  private func provider(_ source: Source, _ text: String = text) throws -> DialectProvider {
    DialectProvider(dialect: try Declared(text).dialect(), transport: source, time: ManualTime())
  }

  @Test func `are the last points of the last ten days, with their days`() async throws {
    let source = Source(body: Self.days)
    let provider = try provider(source)
    #expect(provider.descriptor.capabilities == [.quotes, .line])
    let answer = try await provider.quotes(["fx:usd"], currency: "brl")
    let quote = try #require(answer.value.coins["fx:usd"])
    // The rate of tomorrow is not that of now.
    #expect(quote.currentPrice == Decimal(string: "5.25"))
    #expect(quote.symbol == "usd" && quote.name == "USD" && quote.lastUpdated?.iso8601 == "2025-01-14T00:00:00Z")
    #expect(
      source.requests.all.map(\.url) == ["https://api.example.com/v1/l/USD?from=2025-01-05&to=2025-01-15"])
    #expect(source.requests.all.map { $0.query?.capability } == [.line])
  }

  @Test func `go back as far as a price may be old`() async throws {
    let source = Source(body: Self.days)
    _ = try await provider(source, "max_age: 31d\n" + Self.text).quotes(["fx:usd"], currency: "brl")
    #expect(source.requests.all.map(\.url) == ["https://api.example.com/v1/l/USD?from=2024-12-15&to=2025-01-15"])
  }

  @Test func `fail as the line does, each coin by itself`() async throws {
    let empty = try await provider(Source(body: "[]")).quotes(["a", "b"], currency: "usd").value
    #expect(empty.coins.isEmpty && empty.failures.keys.sorted() == ["a", "b"])
    let later = Source(body: #"[{"d":"2025-01-16","p":7}]"#)
    let failures = try await provider(later).quotes(["a"], currency: "usd").value.failures
    #expect(failures["a"]?.code == .noPrice)
    let source = Source(status: 429, body: "")
    await #expect(throws: BitpalError.self) { try await provider(source).quotes(["a", "b"], currency: "usd") }
    #expect(source.requests.all.count == 1)
    let scope = try provider(Source(body: Self.days), Self.text + "\nonly: ids")
    #expect(scope.denial(of: .quotes(coins: ["a"], currency: "usd"))?.code == .notFound)
  }

  @Test func `come with the warnings of the line`() async throws {
    let source = Source(body: #"[{"d":"2025-01-14","p":5.25},{"d":"2025-01-13","p":"x"}]"#)
    let answer = try await provider(source).answer(to: .quotes(coins: ["a"], currency: "usd"))
    #expect(answer.warnings.count == 1 && answer.answers["a"]?.kind == .quote)
  }

  @Test func `are those of the file where it has some`() throws {
    let text = Self.text + "\nquotes:\n  get: /q/{id}\n  fields: { price: $.p }"
    #expect(try Declared(text).dialect().descriptor.quotesLine == nil)
  }
}

@Suite struct `A complaint in plain text of a source that sends JSON` {
  private static let text = """
    errors: { not_found: [Ticker Not Found], no_data: [Brak danych], rate_limited: ["404"] }
    quotes:
      get: /q/{id}
      fields: { price: $.p }
    """
  private static let query = ProviderQuery.quotes(coins: ["a"], currency: "usd")

  private func code(_ status: Int, _ body: String) throws -> ErrorCode? {
    do {
      let response = HTTPResponse(status: status, body: Array(body.utf8))
      return try Declared(Self.text).dialect().answer(to: Self.query, from: response).failures["a"]?.code
    } catch let error as BitpalError {
      return error.code
    }
  }

  @Test(
    arguments: [
      (404, "Ticker Not Found.", .notFound), (400, "ticker not found", .notFound),
      (200, "Ticker Not Found.", .notFound),
      (404, "404 NotFound - Brak danych", .noPrice), (200, "404 NotFound - Brak danych", .noPrice),
      (404, "<html>Ticker Not Found</html>", .refused), (200, "<html>Ticker Not Found</html>", .unreadable),
      (400, #"{"a":"Ticker Not Found"}"#, .refused), (200, #"{"p":404}"#, nil), (200, "404", .unreadable),
      (500, "Something else", .refused), (200, "Something else", .unreadable), (200, "", .unreadable),
      (200, "Ticker Not Found " + String(repeating: "x", count: 500), .unreadable),
    ] as [(Int, String, ErrorCode?)])
  func `is heard where the file knows a part of it`(status: Int, body: String, code: ErrorCode?) throws {
    #expect(try self.code(status, body) == code)
  }
}
