import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials
import ProviderFiles
import Testing

@Suite struct `Answers with an array for each column` {
  private static let text = """
    error: $.error
    candles:
      get: /c/{id}?i={interval}
      intervals: { 1d: 1d }
      time: seconds
      columns: { time: $.r.t, open: "$.r.q[0].o", high: "$.r.q[0].h", low: "$.r.q[0].l", close: "$.r.q[0].{CURRENCY}" }
    """

  private static let query = ProviderQuery.candles(
    coin: "a", currency: "usd", window: Declared.window(.seconds(86_400 * 9)), width: .seconds(86_400))

  private func candles(_ body: String) throws -> Read<CandleSeries> {
    try Declared(Self.text).dialect().candles(
      "a", currency: "usd", window: Declared.window(.seconds(86_400 * 9)), width: .seconds(86_400),
      from: HTTPResponse(status: 200, body: Array(body.utf8)))
  }

  private func failure(_ body: String) throws -> String { try Declared(Self.text).failure(of: Self.query, body: body) }

  @Test func `are rows, with every digit, and a time without a trade is none`() throws {
    let answer = try candles(
      #"{"r":{"t":[1736812800,1736899200,1736985600],"q":[{"o":[1,null,3],"h":[2.10000000000000000001,null,5],"l":[1,null,3],"USD":[2,null,4]}]}}"#
    )
    #expect(answer.value.candles.map(\.close.plainText) == ["2", "4"])
    #expect(answer.value.candles.first?.high.plainText == "2.10000000000000000001")
    #expect(answer.warnings == [])
  }

  @Test func `of another length are an error that names both`() throws {
    #expect(
      try failure(#"{"r":{"t":[1,2],"q":[{"o":[1,2],"h":[1,2],"l":[1],"USD":[1,2]}]}}"#)
        == "mine sent an answer that cannot be read: low: $.r.q[0].l has 1 elements, but time has 2 (mine.yaml:10)")
  }

  @Test func `that are missing are reported with the existing ones, or with the source's error`() throws {
    #expect(
      try failure(#"{"r":{"t":[1],"q":[{"o":[1],"h":[1],"low":[1],"USD":[1]}]}}"#)
        == "mine sent an answer that cannot be read: low: $.r.q[0].l matches nothing; $.r.q[0] has o, h, low, USD (mine.yaml:10)"
    )
    #expect(
      try failure(#"{"r":{"t":3,"q":[{"o":[1],"h":[1],"l":[1],"USD":[1]}]}}"#)
        == "mine sent an answer that cannot be read: time: $.r.t is not an array; $.r.t is a integer (mine.yaml:10)")
    #expect(try failure(#"{"error":"gone"}"#) == "mine answered with HTTP 200: gone")
    #expect(
      try failure(#"{"r":{"t":[1]"#)
        == #"mine sent an answer that cannot be read: it is not JSON; it starts with {"r":{"t":[1] (mine.yaml:10)"#)
  }

  @Test(arguments: [
    #"{"r":{"t":[],"q":[{"o":[],"h":[],"l":[],"USD":[]}]}}"#, #"{"r":{"q":[{}]}}"#,
    #"{"r":{"t":[1],"q":[{"o":[null],"h":[null],"l":[null],"USD":[null]}]}}"#,
  ])
  func `that are empty, or are all missing, are missing data`(body: String) throws {
    #expect(try failure(body) == "mine has no data for candles of a")
  }

  @Test func `may name coins`() throws {
    let text = """
      quotes:
        get: /q?ids={ids}
        batch: 5
        columns: { id: $.ids, price: $.prices }
      coin_list:
        get: /all
        columns: { id: $.ids, symbol: $.s, name: $.n }
      """
    let dialect = try Declared(text).dialect()
    let quotes = try dialect.quotes(
      ["a", "b"], currency: "usd",
      from: HTTPResponse(status: 200, body: Array(#"{"ids":["b","a"],"prices":["1.5",2]}"#.utf8))
    ).value
    #expect(quotes.coins.mapValues(\.currentPrice.plainText) == ["a": "2", "b": "1.5"])
    let list = #"{"ids":["a"],"s":["A"],"n":["Alpha, \"A\""]}"#
    #expect(
      try dialect.coinList(from: HTTPResponse(status: 200, body: Array(list.utf8))).value.map(\.name) == [
        #"Alpha, "A""#
      ])
  }
}
