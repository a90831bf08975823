import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalTesting
import Foundation
import ProviderFiles
import TestSupport
import Testing

@Suite struct `A source of the coins in its file` {
  private struct Counter: Transport {
    let requests = Notes<HTTPRequest>()

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      requests.add(request)
      return HTTPResponse(status: 200, body: Array(#"[{"s":"BTC","p":1},{"s":"AAPL","p":2}]"#.utf8))
    }
  }

  private static let text = """
    symbols: { bitcoin: BTC, ethereum: ETH }
    only: symbols
    quotes:
      get: /q?s={SYMBOLS}
      batch: 9
      each: $
      fields: { symbol: $.s, price: $.p }
    line:
      get: /l?s={SYMBOL}
      time: seconds
      fields: { time: $.t, price: $.p }
    coin_list:
      get: /all
      each: $
      fields: { id: $.s, symbol: $.s, name: $.s }
    """

  @Test func `is not asked for any other coin, not even one with a known ticker`() async throws {
    let counter = Counter()
    let dialect = try Declared(Self.text).dialect(tickers: ["apple": "aapl"])
    let provider = DialectProvider(dialect: dialect, transport: counter, time: ManualTime())
    let answer = try await provider.quotes(["apple", "bitcoin"], currency: "usd").value
    #expect(answer.coins.keys.sorted() == ["bitcoin"])
    #expect(answer.failures == ["apple": .notFound(coin: "apple", provider: "mine")])
    #expect(counter.requests.all.map(\.url) == ["https://api.example.com/v1/q?s=BTC"])
  }

  @Test func `is not asked at all, and no budget is touched, when it has none of them`() async throws {
    let counter = Counter()
    let provider = DialectProvider(
      dialect: try Declared(Self.text).dialect(tickers: ["apple": "aapl"]), transport: counter, time: ManualTime())
    let failures = try await provider.quotes(["apple"], currency: "usd").value.failures
    #expect(failures == ["apple": .notFound(coin: "apple", provider: "mine")])
    await #expect(throws: BitpalError.notFound(coin: "apple", provider: "mine")) {
      try await provider.answer(to: .line(coin: "apple", currency: "usd", window: Declared.window(.seconds(60))))
    }
    #expect(counter.requests.all.isEmpty)
  }

  @Test func `never has a coin under without, whatever aliases, lists and answers say`() async throws {
    let counter = Counter()
    let text = Self.text.replacing("only: symbols", with: "without: [apple, stepn]")
    let dialect = try Declared(text).dialect(tickers: ["apple": "aapl"])
    let provider = DialectProvider(dialect: dialect, transport: counter, time: ManualTime())
    let answer = try await provider.quotes(["apple", "bitcoin"], currency: "usd").value
    #expect(answer.coins.keys.sorted() == ["bitcoin"])
    #expect(answer.failures == ["apple": .notFound(coin: "apple", provider: "mine")])
    await #expect(throws: BitpalError.notFound(coin: "apple", provider: "mine")) {
      try await provider.answer(to: .line(coin: "apple", currency: "usd", window: Declared.window(.seconds(60))))
    }
    #expect(counter.requests.all.map(\.url) == ["https://api.example.com/v1/q?s=BTC"])
    let body = Array(#"[{"s":"stepn"},{"s":"AAPL"}]"#.utf8)
    #expect(try dialect.coinList(from: HTTPResponse(status: 200, body: body)).value.map(\.id) == ["AAPL"])
    #expect(
      try Declared(text.replacing("stepn", with: "ethereum")).complaint.contains(
        "mine.yaml:6:18: without: ethereum has a name under symbols: too; leave one of them out"))
  }

  @Test func `lists no other`() throws {
    let dialect = try Declared(Self.text).dialect()
    let body = Array(#"[{"s":"BTC"},{"s":"AAPL"}]"#.utf8)
    #expect(try dialect.coinList(from: HTTPResponse(status: 200, body: body)).value.map(\.id) == ["bitcoin"])
  }

  @Test func `may have those that are written in capitals`() async throws {
    let text = "only: capitals\nquotes:\n  get: /q/{id}\n  fields: { price: $.p }\n"
    let dialect = try Declared(text).dialect()
    for coin in ["AAPL", "^GSPC", "SAP.DE", "EURUSD=X", "7203.T"] {
      #expect(dialect.descriptor.coins.has(coin))
      #expect(throws: Never.self) { try dialect.request(for: .quotes(coins: [coin], currency: "usd")) }
    }
    for coin in ["near", "Near", "fx:eur"] {
      #expect(throws: BitpalError.notFound(coin: coin, provider: "mine")) {
        try dialect.request(for: .quotes(coins: [coin], currency: "usd"))
      }
    }
  }

  @Test func `may be named by ids as well`() throws {
    let text = "ids: { apple: AAPL }\nonly: ids\nquotes:\n  get: /q/{id}\n  fields: { price: $.p }\n"
    let dialect = try Declared(text).dialect()
    #expect(try dialect.request(for: .quotes(coins: ["apple"], currency: "usd")).url.hasSuffix("/q/AAPL"))
    #expect(throws: BitpalError.notFound(coin: "AAPL", provider: "mine")) {
      try dialect.request(for: .quotes(coins: ["AAPL"], currency: "usd"))
    }
  }
}

@Suite struct `A source that says which currency it answers in` {
  private static let text = """
    currency: $.meta.currency
    error: [$.error, $.note]
    quotes:
      get: /q/{id}
      fields: { price: $.p }
    """

  private func failure(_ body: String, in currency: String = "gbp") throws -> String {
    try Declared(Self.text).failure(of: .quotes(coins: ["VOD.L"], currency: currency), body: body)
  }

  @Test func `is believed to the letter`() throws {
    #expect(try failure(#"{"meta":{"currency":"GBP"},"p":1}"#) == "")
    #expect(try failure(#"{"meta":{"currency":"Gbp"},"p":100}"#) == "mine does not answer in gbp")
    #expect(try failure(#"{"meta":{"currency":"USD"},"p":1}"#) == "mine does not answer in gbp")
    let dialect = try Declared(Self.text).dialect()
    #expect(throws: BitpalError.unsupportedCurrency("gbp", provider: "mine", supported: ["usd"])) {
      try dialect.quotes(
        ["a"], currency: "gbp",
        from: HTTPResponse(status: 200, body: Array(#"{"meta":{"currency":"USD"},"p":1}"#.utf8)))
    }
  }

  @Test func `must say it, unless it complains`() throws {
    #expect(
      try failure(#"{"p":1}"#)
        == "mine sent an answer that cannot be read: $.meta.currency, the currency of the answer, matches nothing (mine.yaml:9)"
    )
    #expect(try failure(#"{"error":null,"note":"slow down"}"#) == "mine answered with HTTP 200: slow down")
    #expect(
      try failure("<html>")
        == "mine sent an answer that cannot be read: it is not JSON; it starts with <html> (mine.yaml:9)")
  }

  @Test func `may have a code of its own`() throws {
    let text = "currencies: { gbp: GBp }\n" + Self.text
    let body = HTTPResponse(status: 200, body: Array(#"{"meta":{"currency":"GBp"},"p":100}"#.utf8))
    #expect(try Declared(text).dialect().quotes(["a"], currency: "gbp", from: body).value.coins.count == 1)
  }

  @Test func `never costs the factor of the file`() throws {
    let body = HTTPResponse(status: 200, body: Array(#"{"meta":{"currency":"GBp"},"p":150}"#.utf8))
    func price(factor: String) throws -> Decimal? {
      let text = Self.text.replacing("quotes:\n", with: "quotes:\n  factor: \(factor)\n")
      return try Declared(text).dialect().quotes(["a"], currency: "gbp", from: body).value.coins["a"]?.currentPrice
    }
    func failure(factor: String) throws -> String {
      do { return "\(String(describing: try price(factor: factor)))" } catch let error as BitpalError {
        return error.message
      }
    }
    #expect(try price(factor: "2") == 3)
    // The least that a decimal can be.
    #expect(try failure(factor: "0." + String(repeating: "0", count: 126) + "1").contains("has more than 38 digits"))
  }
}
