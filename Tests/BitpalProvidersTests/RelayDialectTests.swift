import BitpalModel
import BitpalNetwork
import BitpalProviders
import Foundation
import Testing

@Suite struct `The dialect of another server of bitpal` {
  private let dialect: RelayDialect = {
    var specification = ProviderSpecification(id: "relay", name: "Relay", kind: RelayKind())
    specification.baseURL = "http://relay.example:8642"
    return RelayDialect(specification)
  }()

  private static let end = Date(milliseconds: 1_736_937_000_123)

  private static func window(_ seconds: Int64) -> TimeWindow {
    TimeWindow(ending: end, length: .seconds(seconds))
  }

  static let questions: [(ProviderQuery, String)] = [
    (
      .quotes(coins: ["bitcoin", "fx:eur"], currency: "sek"), "/v1/price?coins=id%3Abitcoin,id%3Afx%3Aeur&currency=sek"
    ),
    (.coinList, "/api/v3/coins/list"), (.detail(coin: "a/b", currency: "usd"), "/v1/coin/id%3Aa%2Fb?currency=usd"),
    (
      .line(coin: "bitcoin", currency: "usd", window: window(86_400)),
      "/v1/chart/id%3Abitcoin?type=line&last=1d&currency=usd"
    ),
    (
      .line(coin: "bitcoin", currency: "usd", window: TimeWindow(start: ChartTimeRange.firstDay, end: end)),
      "/v1/chart/id%3Abitcoin?type=line&last=max&currency=usd"
    ),
    (
      .candles(
        coin: "bitcoin", currency: "usd", window: TimeWindow(start: Date(milliseconds: 1_735_689_600_000), end: end),
        width: .seconds(14_400)),
      "/v1/chart/id%3Abitcoin?type=candle&from=2025-01-01T00%3A00%3A00Z&candle=4h&currency=usd"
    ),
    (
      .line(
        coin: "bitcoin", currency: "usd",
        window: TimeWindow(
          start: Date(milliseconds: 1_735_689_600_000), end: Date(milliseconds: 1_735_776_000_000), isPast: true)),
      "/v1/chart/id%3Abitcoin?type=line&from=2025-01-01T00%3A00%3A00Z&to=2025-01-02T00%3A00%3A00Z&currency=usd"
    ),
  ]

  @Test(arguments: questions)
  func `Each question is a path of its own shapes`(query: ProviderQuery, path: String) throws {
    let request = try dialect.request(for: query)
    #expect(request.url == "http://relay.example:8642" + path)
    #expect(request.secret == nil)
  }

  private func response(_ body: String, _ status: Int = 200, _ headers: [HTTPHeader] = []) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
  }

  private static let row = #"""
    {"schema":"bitpal.prices/1","currency":"usd","prices":[{"id":"bitcoin","symbol":"btc","name":"Bitcoin",
    "price":"1.5","change_24h":null,"last_updated":null,"fetched_at":"2025-01-15T10:30:00Z","stale":true,
    "stale_reason":"renewing","source":"kraken","converted":null}],"errors":[]}
    """#

  @Test func `A quote has the provenance that it had there`() throws {
    let answer = try dialect.quotes(["bitcoin", "ethereum"], currency: "usd", from: response(Self.row))
    #expect(answer.value.coins["bitcoin"]?.currentPrice == 1.5)
    #expect(answer.value.failures == ["ethereum": .notFound(coin: "ethereum", provider: "relay")])
    #expect(
      answer.origins == [
        "bitcoin": AnswerOrigin(
          source: "kraken", fetchedAt: Date(milliseconds: 1_736_937_000_000),
          freshness: .stale(age: .zero, because: .renewing))
      ])
  }

  @Test(arguments: [
    (#""fetched_at":"2025-01-15T10:30:00Z""#, #""fetched_at":null"#, "source or fetched_at should be stated"),
    (#""price":"1.5""#, #""price":1.5"#, "price should be a string"),
    (#""stale_reason":"renewing""#, #""stale_reason":"tired""#, "stale_reason should be a known reason"),
    (
      #""converted":null"#,
      #""converted":{"from":"eur","price":"1","rate":"0","rate_source":"ecb","rate_time":"2025-01-15T00:00:00Z"}"#,
      "converted should be above zero"
    ),
    (
      #""converted":null"#,
      #""converted":{"from":"eur","price":"-4","rate":"1","rate_source":"ecb","rate_time":"2025-01-15T00:00:00Z"}"#,
      "converted should be above zero"
    ),
    (
      #""converted":null"#,
      #""converted":{"from":"eur","price":"1","rate":"1","rate_source":"ecb","rate_time":"9999-01-15T00:00:00Z"}"#,
      "rate_time should be no later than fetched_at"
    ),
  ])
  func `A quote that lacks what makes it true is a failure of its coin`(part: String, other: String, words: String)
    throws
  {
    let body = Self.row.replacing(part, with: other)
    #expect(body != Self.row)
    let answer = try dialect.quotes(["bitcoin"], currency: "usd", from: response(body))
    #expect(answer.value.failures["bitcoin"]?.message.contains(words) == true, "\(answer.value)")
  }

  @Test(arguments: ["bitpal.prices/2", "bitpal.history/1", ""])
  func `Prices of another shape are not read as prices`(schema: String) {
    let body = Self.row.replacing("bitpal.prices/1", with: schema)
    #expect { try dialect.quotes(["bitcoin"], currency: "usd", from: response(body)) } throws: {
      ($0 as? BitpalError)?.message.contains("its shape is \"\(schema)\"") == true
    }
  }

  @Test func `An answer in another currency, or about another coin, is never taken`() throws {
    #expect(throws: BitpalError.unreadable(provider: "relay", reason: #"it is in "usd", not in eur"#)) {
      try dialect.quotes(["bitcoin"], currency: "eur", from: response(Self.row))
    }
    let chart = #"""
      {"schema":"bitpal.chart/1","coin":"ethereum","currency":"usd","candle":null,"points":[],"source":"k",
      "fetched_at":"2025-01-15T10:30:00Z","stale_reason":null,"converted":null,"errors":[]}
      """#
    #expect(throws: BitpalError.unreadable(provider: "relay", reason: #"it is about "ethereum", not "bitcoin""#)) {
      try dialect.line("bitcoin", currency: "usd", window: Self.window(60), from: response(chart))
    }
  }

  @Test func `Closes come from the history of the server, as prices of whole days`() throws {
    let history = #"""
      {"schema":"bitpal.history/1","coin":"bitcoin","currency":"usd","days":[{"date":"2025-01-13","price":"94516.1"},
      {"date":"2025-01-14","price":"96534.050000000001"}],"source":"kraken","fetched_at":"2025-01-15T10:30:00Z",
      "stale_reason":null,"converted":null,"errors":[]}
      """#
    let answer = try dialect.line("bitcoin", currency: "usd", window: Self.window(60), from: response(history))
    #expect(answer.value.isDaily)
    #expect(answer.value.points.map(\.price.plainText) == ["94516.1", "96534.050000000001"])
    #expect(answer.value.points.last?.timestamp == Date(milliseconds: 1_736_812_800_000))
  }

  @Test func `The age of a coin list is that of the server`() throws {
    let headers = [
      HTTPHeader("Date", "Wed, 15 Jan 2025 10:30:00 GMT"), HTTPHeader("Age", "3600"),
      HTTPHeader("X-Bitpal-Source", "coingecko"),
    ]
    let answer = try dialect.coinList(
      from: response(#"[{"id":"bitcoin","symbol":"btc","name":"Bitcoin"}]"#, 200, headers))
    #expect(
      answer.origins == ["": AnswerOrigin(source: "coingecko", fetchedAt: Date(milliseconds: 1_736_933_400_000))])
  }

  @Test(arguments: [
    (401, #"{"error":"this server wants its token"}"#, ErrorCode.unauthorized),
    (421, #"{"error":"this server does not go by that name (Host)"}"#, .refused), (429, "", .rateLimited),
    (502, "<html>Bad gateway</html>", .refused),
    (502, #"{"schema":"bitpal.error/1","errors":[{"code":"unauthorized","message":"m"}]}"#, .refused),
    (409, #"{"schema":"bitpal.error/1","errors":[{"code":"ambiguous","message":"m"}]}"#, .refused),
    (404, #"{"schema":"bitpal.error/1","errors":[{"code":"not_found","message":"m"}]}"#, .notFound),
  ])
  func `A refusal becomes the failure that callers act on`(status: Int, body: String, code: ErrorCode) {
    #expect {
      try dialect.detail("bitcoin", currency: "usd", from: response(body, status, [HTTPHeader("retry-after", "7")]))
    } throws: {
      ($0 as? BitpalError)?.code == code
    }
  }
}
