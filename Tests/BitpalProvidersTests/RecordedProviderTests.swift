import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalReplay
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `A recording as a provider` {
  private let folder: TemporaryFolder
  private let provider: DialectProvider
  private let now: Date

  init() throws {
    func entry(_ query: String, status: Int = 200, headers: String = "[]", _ body: String) -> String {
      let text = body.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return """
        {"startedDateTime":"2025-01-15T10:30:00Z","request":{"method":"GET","url":"https://api.example.com/"},\
        "response":{"status":\(status),"headers":\(headers),"content":{"text":"\(text)"}},"_bitpal":{"query":\(query)}}
        """
    }
    func quotes(_ ids: String) -> String { #"{"operation":"quotes","coins":[\#(ids)],"currency":"usd"}"# }
    func series(_ operation: String, _ days: Int, width: String = "") -> String {
      let from = Date(milliseconds: 1_736_937_000_000 - Int64(days) * 86_400_000).iso8601
      return
        #"{"operation":"\#(operation)","coin":"a","currency":"usd","from":"\#(from)","to":"2025-01-15T10:30:00Z"\#(width)}"#
    }
    func row(_ id: String, _ price: String) -> String {
      #"{"id":"\#(id)","symbol":"s","name":"n","current_price":\#(price)}"#
    }
    let entries = [
      entry(quotes(#""a","b","gone""#), "[\(row("b", "2")),\(row("a", "1"))]"),
      entry(quotes(#""limited""#), status: 429, headers: #"[{"name":"retry-after","value":"60"}]"#, "Throttled"),
      entry(quotes(#""a""#), "[\(row("a", "1.5"))]"),
      entry(quotes(#""bad""#), "[1,"),
      entry(series("line", 1), #"{"prices":[[1736850600000,1],[1736937000000,2]]}"#),
      entry(series("line", 30), #"{"prices":[[1734345000000,5]]}"#),
      entry(series("candles", 1, width: #","width":"30m""#), "[[1736937000000,1,2,1,2]]"),
    ]
    folder = try TemporaryFolder()
    try folder.write(
      #"{"log":{"version":"1.2","_bitpal":{"recorded_at":"2025-01-15T10:30:00Z","note":"made up"},"entries":[\#(entries.joined(separator: ","))]}}"#,
      to: "r/recording.har")
    provider = DialectProvider(
      id: "fixture", name: "F", recording: try HARReader.head(folder.path + "/r"), dialect: CoinGeckoDialect())
    now = try #require(provider.descriptor.recordedAt)
  }

  @Test func `Any subset in any order is answered, and the latest answer counts`() async throws {
    let answer = try await provider.quotes(["b", "a"], currency: "usd").value
    #expect(answer.coins.mapValues(\.currentPrice.plainText) == ["a": "1.5", "b": "2"] && answer.failures.isEmpty)
  }

  @Test func `Recorded failures are replayed as such`() async throws {
    let answer = try await provider.quotes(["a", "limited", "bad", "gone"], currency: "usd").value
    #expect(answer.coins.keys.sorted() == ["a"])
    #expect(
      answer.failures == [
        "limited": .rateLimited(
          provider: "coingecko", wait: .seconds(60), reason: "its limit for this address or key is reached"),
        "bad": .unreadable(provider: "coingecko", reason: "it is not JSON; it starts with [1,"),
        "gone": .notFound(coin: "gone", provider: "coingecko"),
      ])
  }

  /// CoinGecko's format with other questions: candles come in pages.
  private func recorded(
    _ exchanges: [(query: ProviderQuery, provider: String, body: String)], command: [String] = []
  ) throws -> DialectProvider {
    try HARWriter.write(
      exchanges.map { query, provider, body in
        CapturedExchange(
          request: HTTPRequest(url: "https://api.example.com/", query: query),
          response: HTTPResponse(status: 200, body: Array(body.utf8)), provider: provider)
      }, to: folder.path + "/p", recordedAt: now, provider: exchanges.first?.provider, command: command,
      redaction: Redaction([]))
    return DialectProvider(
      id: "fixture", name: "F", recording: try HARReader.head(folder.path + "/p"), dialect: CoinGeckoDialect(),
      otherDialect: { $0 == "second" ? CoinGeckoDialect(id: "fixture", name: "Second") : nil })
  }

  @Test func `Pages of candles are joined as they were when they were recorded`() async throws {
    func page(_ from: Int64, _ to: Int64) -> ProviderQuery {
      let window = TimeWindow(start: now.adding(.seconds(-from)), end: now.adding(.seconds(-to)))
      return .candles(coin: "a", currency: "usd", window: window, width: .seconds(1800))
    }
    func candle(_ ago: Int64, _ price: Int) -> String {
      "[\(now.milliseconds - ago * 1000),\(price),\(price),\(price),\(price)]"
    }
    let provider = try recorded([
      (page(10800, 7200), "first", "[\(candle(9000, 1)),\(candle(7200, 2))]"),
      (page(7200, 3600), "first", "[\(candle(5400, 3)),\(candle(3600, 4))]"),
      (page(3600, 0), "first", "[\(candle(1800, 5)),\(candle(0, 6))]"),
    ])
    func opens(_ hours: Int64) async throws -> [String] {
      try await provider.candles(
        "a", currency: "usd", window: TimeWindow(ending: now, length: .seconds(3600 * hours)), width: .seconds(1800)
      ).value.candles.map(\.open.plainText)
    }
    #expect(try await opens(3) == ["1", "2", "3", "4", "5", "6"])
    #expect(try await opens(2).suffix(4) == ["3", "4", "5", "6"])
    await #expect(throws: BitpalError.self) { try await opens(4) }
  }

  @Test func `A HAR file that names no questions is matched by its requests`() async throws {
    func row(_ id: String) -> String { #"{"id":"\#(id)","symbol":"s","name":"n","current_price":3}"# }
    let window = TimeWindow(ending: now, length: .seconds(86_400))
    let asked: [(query: ProviderQuery, body: String)] = [
      (.quotes(coins: ["a", "b"], currency: "usd"), "[\(row("a")),\(row("b"))]"),
      (.quotes(coins: ["c"], currency: "usd"), "[\(row("c"))]"),
      (.line(coin: "a", currency: "usd", window: window), #"{"prices":[[1736937000000,2]]}"#),
    ]
    let dialect = CoinGeckoDialect()
    try HARWriter.write(
      try asked.map { query, body in
        CapturedExchange(
          request: try dialect.request(for: query), response: HTTPResponse(status: 200, body: Array(body.utf8)))
      }, to: folder.path + "/b", recordedAt: now, redaction: Redaction([]))
    let provider = DialectProvider(
      id: "b", name: "B", recording: try HARReader.head(folder.path + "/b"), dialect: dialect)
    #expect(try await provider.quotes(["a", "b"], currency: "usd").value.coins.count == 2)
    #expect(try await provider.line("a", currency: "usd", window: window).value.points.count == 1)
    let mixed = try await provider.quotes(["c", "b"], currency: "usd").value
    #expect(mixed.coins.keys.sorted() == ["c"])
    #expect(mixed.failures == ["b": .notRecorded(question: "price of b in usd", recording: "b", available: [])])
  }

  /// A recording of quotes of `a` and `b`.
  private func market(_ name: String) throws -> DialectProvider {
    func row(_ id: String) -> String {
      #"{"id":"\#(id)","symbol":"s","name":"n","current_price":3,"market_cap_rank":4,"#
        + #""last_updated":"2025-01-15T10:29:00Z","sparkline_in_7d":{"price":[1,2]}}"#
    }
    let dialect = CoinGeckoDialect()
    let query = ProviderQuery.quotes(coins: ["a", "b"], currency: "usd")
    var request = try dialect.request(for: query)
    request.query = query
    let body = Array("[\(row("a")),\(row("b"))]".utf8)
    try HARWriter.write(
      [CapturedExchange(request: request, response: HTTPResponse(status: 200, body: body))],
      to: folder.path + "/" + name, recordedAt: now, redaction: Redaction([]))
    return DialectProvider(
      id: name, name: name, recording: try HARReader.head(folder.path + "/" + name), dialect: dialect)
  }

  @Test func `Quotes that were recorded with their figures answer for the detail of each coin`() async throws {
    let provider = try market("m")
    #expect(try await provider.detail("b", currency: "usd").value.rank == 4)
    let batch = try await provider.quotes(["b"], currency: "usd").value
    #expect(batch.weeks["b"]?.points.count == 2 && batch.weeks["a"] == nil)
    // A detail that was recorded goes first, so figures that came with prices are not laid over it.
    #expect(batch.details.isEmpty)
    for (coin, currency) in [("b", "eur"), ("c", "usd")] {
      await #expect(throws: BitpalError.self) { try await provider.detail(coin, currency: currency) }
    }
  }

  @Test func `The recorded answer of another provider is read in its dialect`() async throws {
    func body(_ id: String) -> String { #"[{"id":"\#(id)","symbol":"s","name":"n","current_price":7}]"# }
    let provider = try recorded([
      (.quotes(coins: ["a", "b"], currency: "usd"), "first", body("a")),
      (.quotes(coins: ["b"], currency: "usd"), "second", body("b")),
      (.quotes(coins: ["c"], currency: "usd"), "third", body("c")),
    ])
    let answer = try await provider.quotes(["a", "b", "c"], currency: "usd").value
    #expect(answer.coins.keys.sorted() == ["a", "b"])
    #expect(
      answer.failures == [
        "c": .recordingDamaged(
          file: folder.path + "/p/recording.har", entry: 3,
          reason: "was answered by third, which has no provider file")
      ])
  }

  @Test
  func `A question that is not recorded lists the recorded ones, the same coin first, and the command that adds it`()
    async throws
  {
    let provider = try recorded(
      (1...12).map { (.quotes(coins: ["c\($0)"], currency: "usd"), "first", "[]") }, command: ["price", "c1"])
    let answer = try await provider.quotes(["c11"], currency: "eur").value
    #expect(
      answer.failures["c11"]
        == .notRecorded(
          question: "price of c11 in eur", recording: "p",
          available: ["c11 in usd"] + (1...7).map { "c\($0) in usd" } + ["and 4 more"],
          append: "bitpal record \(folder.path)/p --append -p first -- price c11 --currency eur"))
  }

  @Test func `The command that adds a year is not that of the year that has begun`() async throws {
    let provider = try recorded([(.quotes(coins: ["c"], currency: "usd"), "first", "[]")], command: ["price", "c"])
    let end = Date(milliseconds: 1_736_937_000_000)
    let window = TimeWindow(start: end.adding(.seconds(-365 * 86_400)), end: end)
    let failure = await #expect(throws: BitpalError.self) {
      try await provider.line("c", currency: "usd", window: window)
    }
    #expect(
      failure?.description.hasSuffix("-- chart c --range 1Y --currency usd") == true, "\(failure?.description ?? "")")
  }

  @Test func `A question that is not recorded lists the recorded ones`() async throws {
    let answer = try await provider.quotes(["x"], currency: "eur").value
    #expect(
      answer.failures["x"]
        == .notRecorded(
          question: "price of x in eur", recording: "r",
          available: ["a in usd", "b in usd", "gone in usd", "limited in usd", "bad in usd"]))
    await #expect(throws: BitpalError.notRecorded(question: "detail of a in eur", recording: "r", available: [])) {
      try await provider.detail("a", currency: "eur")
    }
    await #expect(
      throws: BitpalError.notRecorded(
        question: "line of a in usd over 365d", recording: "r", available: ["a in usd over 1d", "a in usd over 30d"])
    ) {
      try await provider.line("a", currency: "usd", window: TimeWindow(ending: now, length: .seconds(365 * 86_400)))
    }
  }

  @Test(arguments: [("15m", "2"), ("1d", "2"), ("7d", "5"), ("30d", "5")])
  func `The shortest recorded series that covers the window answers`(length: String, last: String) async throws {
    let window = TimeWindow(ending: now, length: try #require(Duration(unitText: length)))
    #expect(try await provider.line("a", currency: "usd", window: window).value.points.last?.price.plainText == last)
  }

  @Test func `It describes itself by what it holds`() throws {
    let environment = ProviderEnvironment(
      time: SystemTime(), trace: .silent, key: { _ in nil },
      transport: { _, _ in throw BitpalError.usage("a recording asks nobody", hint: nil) },
      specification: { ProviderSpecification(id: $0, name: "G", kind: CoinGeckoKind()) })
    let specification = ProviderSpecification(
      id: "fixture", name: "F", kind: RecordedKind(folder: folder.path + "/r", of: nil))
    let descriptor = try environment.descriptor(specification)
    #expect(descriptor.capabilities == [.quotes, .line, .candles] && descriptor.currencies == ["usd"])
    #expect(descriptor.note == "recorded 2025-01-15 10:30Z · made up")
    #expect(descriptor.cacheIdentity.hasPrefix("fixture@"))
  }
}
