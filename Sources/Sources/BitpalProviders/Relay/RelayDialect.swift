package import BitpalModel
package import BitpalNetwork

/// The dialect of another `bitpal serve`, which lets one server relay another.
///
/// Requests name coins by id (`id:bitcoin`), so that the aliases of that server do not apply. Each answer keeps its
/// provenance: the source, the time of fetching, the reason of staleness and the conversion.
package struct RelayDialect: Dialect {
  /// The provider's names, capabilities and limits.
  package let descriptor: ProviderDescriptor
  private let base: URLText
  private let secret: HTTPRequest.SecretHeader?

  /// The default budgets (100 requests per second), generous because the other server keeps the budgets of its sources.
  static let budgets = [RateLimit(limit: 100, window: .seconds(1))].compactMap(\.self)

  /// Creates a relay dialect.
  ///
  /// - Parameters:
  ///   - specification: The provider file.
  ///   - key: The token of the other server; the caller checks that the host may get it.
  package init(_ specification: ProviderSpecification, key: Secret? = nil) {
    base = URLText(base: specification.baseURL ?? "")
    secret = key.map { HTTPRequest.SecretHeader("Authorization", $0, after: "Bearer ") }
    // The server itself marks outdated prices by its source's rule, and its list is that of its first source alone.
    descriptor = ProviderDescriptor(
      id: specification.id, name: specification.name, kind: specification.kindName,
      capabilities: Set(Capability.allCases), currencies: specification.currencies ?? [],
      attribution: specification.attribution, maxAge: specification.maxAge ?? ProviderDescriptor.noMaxAge,
      listedIDs: .tickers, cacheIdentity: CacheIdentity.of(specification), hasCloses: true)
  }

  /// Returns the only request for a query; every query has one.
  package func plan(_ query: ProviderQuery) throws(BitpalError) -> [HTTPRequest] {
    var url: URLText
    switch query {
    case .quotes(let coins, _):
      url = base.path("v1", "price").query("coins", coins.map(Self.name).joined(separator: ","))
    case .top: throw .noData(question: "the largest coins", provider: descriptor.id)
    case .coinList: url = base.path("api", "v3", "coins", "list")
    case .detail(let coin, _): url = base.path("v1", "coin", Self.name(coin))
    case .line(let coin, _, let window) where window.isOfCloses: url = closes(of: coin, window)
    case .line(let coin, _, let window): url = chart(of: coin, "line", window)
    case .candles(let coin, _, let window, let width):
      url = chart(of: coin, "candle", window).query("candle", width.unitText)
    }
    if let currency = query.currency { url = url.query("currency", currency) }
    return [HTTPRequest(url: url.string, headers: [HTTPHeader("accept", "application/json")], secret: secret)]
  }

  private static func name(_ coin: String) -> String { "id:\(coin)" }

  /// Returns the URL of the closes of the days that are over at the end of a window.
  ///
  /// With `partial=true` the server leaves out the days before the first one of its source.
  private func closes(of coin: String, _ window: TimeWindow) -> URLText {
    base.path("v1", "history", Self.name(coin)).query("from", window.start.adding(.milliseconds(1)).dayText)
      .query("to", window.end.startOfDay.adding(.milliseconds(-1)).dayText).query("partial", "true")
  }

  /// Returns the URL of a chart; a window that ends now is given by its length, so that equal queries share an answer.
  private func chart(of coin: String, _ type: String, _ window: TimeWindow) -> URLText {
    let url = base.path("v1", "chart", Self.name(coin)).query("type", type)
    if window.isPast { return url.query("from", window.start.iso8601).query("to", window.end.iso8601) }
    if window.isAll { return url.query("last", "max") }
    // A window with a fixed beginning rarely has a length in whole minutes.
    let slides = window.length.milliseconds % 60_000 == 0
    return slides ? url.query("last", window.length.unitText) : url.query("from", window.start.iso8601)
  }

  /// Returns the answer of the only response to a query.
  ///
  /// - Throws: `BitpalError`: the server's failure, `.unsupported` for a server without a coin list, or `.unreadable`.
  package func step(after exchanges: [HTTPExchange], asking query: ProviderQuery, round: Int) throws -> DialectStep {
    guard let response = exchanges.last?.response else { return .ask(try plan(query)) }
    return .answer(try answer(to: query, from: response))
  }

  private func answer(to query: ProviderQuery, from response: HTTPResponse) throws -> ProviderAnswer {
    switch query {
    case .quotes(let coins, let currency):
      return try quotes(coins, currency: currency, from: response, query)
    case .top: throw BitpalError.noData(question: "the largest coins", provider: descriptor.id)
    case .coinList:
      // The server's sources, or the recording that it answers from, may have no list.
      if [404, 501].contains(response.status) {
        throw BitpalError.unsupported(.coinList, provider: descriptor.id, others: [])
      }
      try check(response, about: query)
      return try coinList(from: response)
    case .detail(let coin, let currency):
      try check(response, about: query)
      return try detail(coin, currency: currency, from: response)
    case .line(let coin, let currency, _):
      try check(response, about: query)
      return try line(coin, currency: currency, from: response)
    case .candles(let coin, let currency, _, _):
      try check(response, about: query)
      return try candles(coin, currency: currency, from: response)
    }
  }
}
