import Bitpal
import BitpalCharts
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// The paths with bitpal's own JSON, that of `--format json`, with the defaults of the command line.
struct NativeAPI: DescribedFamily {
  let prefix = ["v1"]
  let routes: [Route]

  init(_ site: Site) {
    let market = site.market
    let prices = NativePriceRoutes(market)
    let own = NativeOwnRoutes(site)
    let charts = NativeChartRoutes(market)
    routes = [
      Route("/v1/price", .prices) { request, _ in try await prices.price(request) },
      Route("/v1/coin/{id}", .detail) { request, id in try await prices.coin(id, request) },
      Route("/v1/history/{id}", .days) { request, id in try await prices.history(id, request) },
      Route("/v1/search", .found) { request, _ in try await prices.search(request) },
      Route("/v1/convert", .conversion) { request, _ in try await prices.convert(request) },
      Route("/v1/watchlist", .watchlist) { request, _ in try await own.watchlist(request) },
      Route("/v1/portfolio", .portfolio) { request, _ in try await own.portfolio(request) },
      Route("/v1/providers", .providers) { request, _ in
        // Paths of files on this machine are not sent.
        try WebResponse(ProvidersOutput(market.providers().map(\.withoutPlace)), for: request)
      },
      Route("/v1/chart/{id}", .points) { request, id in try await charts.chart(id, request) },
      Route("/v1/schemas", .schemas) { request, _ in try WebResponse(SchemasOutput(), for: request) },
      Route("/v1/schemas/{name}", .schema) { _, name in Self.schema(name) },
    ]
  }

  private static func schema(_ name: String) -> WebResponse {
    guard let schema = OutputSchema.all.first(where: { $0.name == name }) else {
      return .nativeFailure(
        .usage("unknown schema \"\(name)\"", hint: "/v1/schemas lists all"), status: 404)
    }
    return WebResponse(schema.text, as: .schema)
  }

  func failure(_ error: BitpalError, of request: WebRequest) -> WebResponse {
    .nativeFailure(error, as: (try? request.form()) ?? .json)
  }

  var failureSchema: ValueSchema {
    // When none of several coins has a price, the answer lists the reason for each.
    .either(ErrorOutput.schema.value, PricesOutput.schema.value, about: "The reason for the missing answer.")
  }

  var failures: [Int] { ErrorCode.allCases.map(\.status) }

  func nothing(for request: WebRequest) -> WebResponse {
    let (paths, asked) = (routes.map(\.pattern), request.path.dropFirst().first ?? "")
    let names = paths.map { String($0.split(separator: "/")[1]) }
    let near = NearestName.match(asked, among: names).flatMap(names.firstIndex).map { "did you mean \(paths[$0])? " }
    return .nativeFailure(
      .usage(
        "unknown path",
        hint: (near ?? "") + "there are: \(paths.joined(separator: ", ")); /v1/openapi.json describes them"),
      status: 404)
  }
}

/// `/v1/price`, `/v1/coin/{id}`, `/v1/history/{id}` and `/v1/search`.
struct NativePriceRoutes: Sendable {
  private let market: Market

  init(_ market: Market) {
    self.market = market
  }

  /// The largest number of coins in one request.
  private static let most = 500

  /// Answers `/v1/price`.
  ///
  /// - Throws: `BitpalError.usage` for missing or too many coins, otherwise the error of the source.
  func price(_ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let asked = try PricesQuery(request, market.defaults, most: Self.most, example: "/v1/price?")
    let (coins, currency) = try market.separated(asked.coins, request)
    let query = PricesQuery(coins, currency: currency)
    let prices = try await market.quotes.answer(query)
    if let failure = prices.failure, try request.form() == .txt { return .nativeFailure(failure, as: .txt) }
    // Without any price the status is that of the first failure; otherwise failures are only in `errors`.
    return try WebResponse(
      market.output(prices, currency: query.currency), for: request, status: prices.failure?.status ?? 200,
      headers: ProvenanceHeaders(prices.quotes, of: coins).headers(market, began: began)
        + (prices.failure?.retryHeaders ?? []))
  }

  /// Answers `/v1/coin/{id}`.
  func coin(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let (coins, currency) = try market.separated([id], request)
    let detail = try await market.service.detail(coins[0], currency: currency)
    return try WebResponse(
      CoinOutput(detail, provider: market.service.descriptors.first?.id, currency: currency), for: request,
      headers: ProvenanceHeaders([detail], of: coins).headers(market, began: began))
  }

  /// Answers `/v1/history/{id}`.
  ///
  /// - Throws: `BitpalError.usage` for bad parameters, otherwise the error of the source.
  func history(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let (coins, currency) = try market.separated([id], request)
    let query = try HistoryQuery(request, missing: try request.flag(HistoryQuery.partial.name) ? .skip : .tell)
    let answer = try await query.answer(coins[0], by: market.service, currency: currency)
    // A list may lack days on which the market was closed; without any price it answers nothing.
    if answer.closes.value.isEmpty {
      if let day = answer.closes.closedDays.first { throw answer.closes.withoutClose(on: day, in: currency) }
      if let failure = answer.incompleteness { throw failure }
    }
    return try WebResponse(
      HistoryOutput(answer, currency: currency, provider: market.service.descriptors.first?.id), for: request,
      headers: ProvenanceHeaders([answer.closes], of: coins).headers(
        market, began: began, incomplete: answer.incompleteness?.messageOverHTTP ?? answer.closes.missingPrices))
  }

  /// Answers `/v1/convert`.
  ///
  /// - Throws: `BitpalError.usage` for bad parameters, otherwise the error of the source.
  func convert(_ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let answer = try await ConversionQuery(request, example: "/v1/convert?")
      .answer(by: market.service, currency: market.defaults.currency)
    return try WebResponse(
      ConvertOutput(answer), for: request, headers: ProvenanceHeaders([answer.price]).headers(market, began: began))
  }

  /// Answers `/v1/search`.
  ///
  /// - Throws: `BitpalError.usage` for a missing query or a bad limit, otherwise the error of the source.
  func search(_ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    guard let text = request["query"] else {
      throw BitpalError.usage("query is missing", hint: "as in /v1/search?query=doge")
    }
    let answer = try await SearchQuery(text, request).answer(by: market.service)
    return try WebResponse(
      SearchOutput(answer, currency: market.defaults.currency), for: request,
      headers: ProvenanceHeaders([Provenance(answer.coins)], renamed: [answer.renaming]).headers(market, began: began))
  }
}

/// `/v1/chart/{id}`, as numbers or, with `.svg` after the id, as a picture.
struct NativeChartRoutes: Sendable {
  private let market: Market

  init(_ market: Market) {
    self.market = market
  }

  /// Answers `/v1/chart/{id}` with JSON, or with an SVG picture when the id ends in `.svg`.
  ///
  /// - Throws: `BitpalError.usage` for bad parameters, otherwise the error of the source.
  func chart(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let suffix = ".svg"
    let isPicture = id.hasSuffix(suffix) && id.count > suffix.count
    if isPicture, request[AnswerForm.parameter.name] != nil {
      throw BitpalError.usage("a picture takes no format", hint: "without .svg after the coin there is one")
    }
    let width = try request.number("width", in: SVGChart.sizes.width) ?? 960
    let height = try request.number("height", in: SVGChart.sizes.height) ?? 480
    let name = isPicture ? String(id.dropLast(suffix.count)) : id
    let output = try await output(name, request)
    let coin = try market.separated([name], request).0[0]
    let renaming = WellKnownCoins.renaming(of: coin, to: output.coin, at: output.provenance.source)
    let headers = ProvenanceHeaders([output.provenance], renamed: [renaming])
      .headers(market, began: began, incomplete: output.incomplete)
    guard isPicture else { return try WebResponse(output, for: request, headers: headers) }
    let picture = SVGChart(output.chart, width: width, height: height)
    return WebResponse(picture.document(), as: .svg, headers: headers)
  }

  /// Returns the requested chart of a coin.
  ///
  /// - Throws: `BitpalError.usage` for bad parameters, otherwise the error of the source.
  func output(_ name: String, _ request: WebRequest) async throws -> ChartOutput {
    let query = try ChartQuery(request, last: request[ChartQuery.last.name])
    let (coins, currency) = try market.separated([name], request)
    let question = try query.question(market.defaults, currency: currency, by: market.service)
    return ChartOutput(try await question.answer(coins[0], by: market.service), question, atMost: query.count)
  }
}

extension Market {
  /// Returns the coins of a request without the currencies of pairs such as `btc-usd`, and the currency that it asks for.
  ///
  /// - Throws: `BitpalError.usage` for different currencies.
  func separated(
    _ coins: [String], _ request: WebRequest
  ) throws(BitpalError) -> (coins: [String], currency: String) {
    let (coins, currency) = try service.separated(coins, currency: request.currency())
    return (coins, currency?.lowercased() ?? defaults.currency)
  }

  /// Returns prices as `bitpal.prices/1`.
  func output(_ prices: QuotesAnswer, currency: String) -> PricesOutput {
    PricesOutput(
      prices, provider: service.descriptors.first?.id, currency: currency,
      figures: service.figures(of: prices.quotes, currency: currency), isOverHTTP: true)
  }
}

extension WebResponse {
  /// Returns a failure as `bitpal.error/1`.
  ///
  /// - Parameters:
  ///   - status: The HTTP status; nil for that of the failure's code.
  ///   - form: The form that was asked for; text is the message alone.
  static func nativeFailure(
    _ error: BitpalError, status: Int? = nil, as form: AnswerForm = .json
  ) -> WebResponse {
    let output = ErrorOutput(error, isOverHTTP: true)
    return WebResponse(
      form == .txt ? error.messageOverHTTP + "\n" : form.text(output), as: form.kind,
      status: status ?? error.status, headers: error.retryHeaders + [AnswerForm.variance])
  }
}
