import BitpalModel
import BitpalNetwork
import BitpalProviders
import Testing

/// The value of an answer, with what came with it.
struct Read<Value> {
  let value: Value
  let warnings: [AnswerWarning]
  let origins: [String: AnswerOrigin]

  init(_ value: Value, of answer: ProviderAnswer) {
    self.value = value
    warnings = answer.warnings
    origins = answer.origins
  }
}

/// Quotes, the failures of the other coins, and the figures and weeks that came along.
struct Quotes {
  let coins: [String: Coin]
  let failures: [String: BitpalError]
  let details: [String: CoinDetail]
  let weeks: [String: LineSeries]

  init(_ answer: ProviderAnswer) {
    coins = answer.values()
    failures = answer.failures
    details = answer.extras.compactMapValues { $0.lazy.compactMap { CoinDetail.value(of: $0) }.first }
    weeks = answer.extras.compactMapValues { $0.lazy.compactMap { LineSeries.value(of: $0) }.first }
  }
}

/// Answers of a dialect by their kinds, for tests that look at one.
extension Dialect {
  /// Returns the answer of one response to a query, or its first page.
  func answer(to query: ProviderQuery, from response: HTTPResponse) throws -> ProviderAnswer {
    let request = (try? plan(query).first) ?? HTTPRequest(url: "")
    switch try step(after: [HTTPExchange(request: request, response: response)], asking: query, round: 0) {
    case .answer(let answer), .page(let answer, _): return answer
    case .ask: throw BitpalError.noData(question: "a page of \(query)", provider: descriptor.id)
    }
  }

  /// Returns the first request of a query.
  func request(for query: ProviderQuery) throws(BitpalError) -> HTTPRequest {
    try plan(query).first ?? HTTPRequest(url: "")
  }

  func quotes(_ coins: [String], currency: String, from response: HTTPResponse) throws -> Read<Quotes> {
    let answer = try answer(to: .quotes(coins: coins, currency: currency), from: response)
    return Read(Quotes(answer), of: answer)
  }

  func coinList(from response: HTTPResponse) throws -> Read<[CoinListItem]> {
    try read(.coinList, from: response)
  }

  func detail(_ coin: String, currency: String, from response: HTTPResponse) throws -> Read<CoinDetail> {
    try read(.detail(coin: coin, currency: currency), from: response)
  }

  func line(
    _ coin: String, currency: String, window: TimeWindow, from response: HTTPResponse
  ) throws -> Read<LineSeries> {
    try read(.line(coin: coin, currency: currency, window: window), from: response)
  }

  func candles(
    _ coin: String, currency: String, window: TimeWindow, width: Duration, from response: HTTPResponse
  ) throws -> Read<CandleSeries> {
    try read(.candles(coin: coin, currency: currency, window: window, width: width), from: response)
  }

  private func read<Value: AnswerValue>(_ query: ProviderQuery, from response: HTTPResponse) throws -> Read<Value> {
    let answer = try answer(to: query, from: response)
    return Read(try #require(answer.values(Value.self)[query.coins.first ?? ""]), of: answer)
  }
}

/// Answers of a provider by their kinds, for tests that look at one.
extension PriceProvider {
  func quotes(_ coins: [String], currency: String) async throws -> Read<Quotes> {
    let answer = try await answer(to: .quotes(coins: coins, currency: currency))
    return Read(Quotes(answer), of: answer)
  }

  func coinList() async throws -> Read<[CoinListItem]> { try await read(.coinList) }

  func detail(_ coin: String, currency: String) async throws -> Read<CoinDetail> {
    try await read(.detail(coin: coin, currency: currency))
  }

  func line(_ coin: String, currency: String, window: TimeWindow) async throws -> Read<LineSeries> {
    try await read(.line(coin: coin, currency: currency, window: window))
  }

  func candles(
    _ coin: String, currency: String, window: TimeWindow, width: Duration
  ) async throws -> Read<CandleSeries> {
    try await read(.candles(coin: coin, currency: currency, window: window, width: width))
  }

  private func read<Value: AnswerValue>(_ query: ProviderQuery) async throws -> Read<Value> {
    let answer = try await answer(to: query)
    return Read(try #require(answer.values(Value.self)[query.coins.first ?? ""]), of: answer)
  }
}
