import BitpalCharts
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService
import FoundationEssentials

/// The paths with bitpal's own JSON, that of `--format json`, with the defaults of the command line.
struct NativeAPI: DescribedFamily {
  private let market: Market
  let prefix = ["v1"]
  let routes: [Route]

  init(_ market: Market) {
    self.market = market
    let prices = NativePriceRoutes(market)
    let charts = NativeChartRoutes(market)
    routes = [
      Route("/v1/price", .prices) { request, _ in try await prices.price(request) },
      Route("/v1/coin/{id}", .detail) { request, id in try await prices.coin(id, request) },
      Route("/v1/history/{id}", .days) { request, id in try await prices.history(id, request) },
      Route("/v1/search", .found) { request, _ in try await prices.search(request) },
      Route("/v1/providers", .providers) { _, _ in
        // Paths of files on this machine are not sent.
        WebResponse(ProvidersOutput(market.providers(), hasFiles: false).jsonText, as: .json)
      },
      Route("/v1/chart/{id}", .points) { request, id in try await charts.chart(id, request) },
      Route("/v1/schemas", .schemas) { _, _ in WebResponse(SchemasOutput().jsonText, as: .json) },
      Route("/v1/schemas/{name}", .schema) { _, name in Self.schema(name) },
    ]
  }

  private static func schema(_ name: String) -> WebResponse {
    guard let schema = OutputSchema.all.first(where: { $0.name == name }) else {
      return .nativeFailure(
        .usage("there is no schema \"\(name)\"", hint: "/v1/schemas has all there are"), status: 404)
    }
    return WebResponse(schema.text, as: .schema)
  }

  func failure(_ error: BitpalError, of request: WebRequest) -> WebResponse {
    .nativeFailure(error)
  }

  var failureSchema: ValueSchema {
    // When none of several coins has a price, the answer lists the reason for each.
    .either(ErrorOutput.schema.value, PricesOutput.schema.value, about: "Why there is no answer.")
  }

  var failures: [Int] { ErrorCode.allCases.map(\.status) }

  func nothing(for request: WebRequest) -> WebResponse {
    let paths = routes.map(\.pattern).joined(separator: ", ")
    return .nativeFailure(.usage("there is no such path", hint: "there are: \(paths)"), status: 404)
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

  /// The range of `limit` in a search.
  static let limits = 1...100_000

  /// Answers `/v1/price`.
  ///
  /// - Throws: `BitpalError.usage` for missing or too many coins, otherwise the error of the source.
  func price(_ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let names = try request.coinNames("/v1/price", most: Self.most)
    let currency = market.currency(request)
    let prices = PriceList(names, try await market.quotes.quotes(names, currency: currency))
    // Without any price the status is that of the first failure; otherwise failures are only in `errors`.
    return WebResponse(
      prices.output(market, currency: currency).jsonText, as: .json, status: prices.failure?.code.status ?? 200,
      headers: ProvenanceHeaders(prices.quotes).headers(market, began: began) + (prices.failure?.retryHeaders ?? []))
  }

  /// Answers `/v1/coin/{id}`.
  func coin(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let currency = market.currency(request)
    let detail = try await market.service.detail(id, currency: currency)
    return WebResponse(
      CoinOutput(detail, provider: market.service.descriptors.first?.id, currency: currency).jsonText, as: .json,
      headers: ProvenanceHeaders([detail]).headers(market, began: began))
  }

  /// Answers `/v1/history/{id}`.
  ///
  /// - Throws: `BitpalError.usage` for bad parameters, otherwise the error of the source.
  func history(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let currency = market.currency(request)
    let on = try request.day("on")
    let from = try request.day("from")
    let to = try request.day("to")
    if on != nil, from != nil || to != nil {
      throw BitpalError.usage("on is one day, from and to are several", hint: "give one or the other")
    }
    if to != nil, from == nil { throw BitpalError.usage("to needs from", hint: "as in from=2025-01-01&to=2025-01-14") }
    let days = HistoryDays(on: on, from: from, to: to, now: market.now)
    let isPartial = try request.isPartial
    let answer = try await market.service.history(
      id, from: days.first, to: days.last, currency: currency, reach: isPartial ? .asFarAsItGoes : .all)
    return WebResponse(
      HistoryOutput(
        answer, currency: currency, days: isPartial ? nil : days, provider: market.service.descriptors.first?.id
      ).jsonText, as: .json, headers: ProvenanceHeaders([answer]).headers(market, began: began))
  }

  /// Answers `/v1/search`.
  ///
  /// - Throws: `BitpalError.usage` for a missing query or a bad limit, otherwise the error of the source.
  func search(_ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    guard let text = request["query"] else {
      throw BitpalError.usage("query is missing", hint: "as in /v1/search?query=doge")
    }
    let limit = try request.number("limit", in: Self.limits) ?? 50
    let found = try await market.service.search(text, limit: limit)
    let output = SearchOutput(
      found, query: text, prices: market.service.cachedPrices(of: found.value), currency: market.defaults.currency,
      suggestion: found.value.isEmpty ? market.service.nearestCoin(to: text) : nil,
      name: market.service.name(ofID:))
    return WebResponse(output.jsonText, as: .json, headers: ProvenanceHeaders([found]).headers(market, began: began))
  }
}

extension WebRequest {
  /// Whether days before the source's first one are omitted.
  ///
  /// - Throws: `BitpalError.usage` for a value of `partial` other than `true`.
  fileprivate var isPartial: Bool {
    get throws(BitpalError) {
      guard let text = self["partial"] else { return false }
      guard text == "true" else {
        throw .usage("partial: there is no \"\(text.printable(limit: 80))\"", hint: "there is: true")
      }
      return true
    }
  }
}

/// `/v1/chart/{id}`, as numbers or, with `.svg` after the id, as a picture.
struct NativeChartRoutes: Sendable {
  private let market: Market

  init(_ market: Market) {
    self.market = market
  }

  /// The range of `points`.
  static let points = 2...100_000

  /// Answers `/v1/chart/{id}` with JSON, or with an SVG picture when the id ends in `.svg`.
  ///
  /// - Throws: `BitpalError.usage` for bad parameters, otherwise the error of the source.
  func chart(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let suffix = ".svg"
    let isPicture = id.hasSuffix(suffix) && id.count > suffix.count
    let width = try request.number("width", in: SVGChart.sizes.width) ?? 960
    let height = try request.number("height", in: SVGChart.sizes.height) ?? 480
    let output = try await output(isPicture ? String(id.dropLast(suffix.count)) : id, request)
    let headers = ProvenanceHeaders([output.provenance]).headers(market, began: began, incomplete: output.incomplete)
    guard isPicture else { return WebResponse(output.jsonText, as: .json, headers: headers) }
    let picture = SVGChart(output.chart, width: width, height: height)
    return WebResponse(picture.document(), as: .svg, headers: headers)
  }

  /// Returns the requested type and range.
  ///
  /// - Parameter only: The type, if the request cannot choose it.
  ///
  /// - Throws: `BitpalError.usage` for parameters that are bad or contradict each other.
  func asked(_ request: WebRequest, only: ChartType? = nil) throws -> (type: ChartType, range: ChartTimeRange) {
    let choice = try ChartRangeChoice(
      name: request["range"], from: request["from"], to: request["to"], candle: request["candle"], .parameters)
    let type = try only ?? Self.type(request, hasCandle: choice.candle != nil) ?? market.defaults.type
    if let last = request["last"] {
      if request["range"] ?? request["from"] != nil {
        throw BitpalError.usage("last contradicts range and from", hint: "give one of them")
      }
      let range = try range(last: last)
      return (type, choice.candle.map { range.with(candle: $0) } ?? range)
    }
    let range = try choice.range(
      type, usual: market.defaults.range, among: market.defaults.ranges, zone: market.defaults.zone, now: market.now)
    return (type, range.range)
  }

  /// Returns the range of a length that ends now, or of all prices for `max`, with the settings' points and candles
  /// where they have that range.
  private func range(last text: String) throws(BitpalError) -> ChartTimeRange {
    let ranges = market.defaults.ranges.filter { $0.end == nil }
    if text == "max" { return ranges.first { $0.beginning == .ever } ?? Market.all }
    guard let length = Duration(unitText: text), (.seconds(60)...Self.longest).contains(length) else {
      throw .usage("last: \"\(text)\" is not a length from 1m to 36500d", hint: "write it like 24h or 30d, or max")
    }
    if let range = ranges.first(where: { $0.beginning == .windowAgo && $0.window == length }) { return range }
    let range = ChartTimeRange.between(market.now.adding(.zero - length), nil, now: market.now, name: text)
    return ChartTimeRange(
      name: text, window: length, points: range.points, candle: range.candle, timeToLive: range.timeToLive)
  }

  private static let longest = Duration.seconds(36_500 * 86_400)

  /// Returns the requested chart of a coin.
  ///
  /// - Throws: `BitpalError.usage` for bad parameters, otherwise the error of the source.
  func output(_ name: String, _ request: WebRequest) async throws -> ChartOutput {
    let (type, range) = try asked(request)
    let count = try request.number("points", in: Self.points)
    let currency = market.currency(request)
    let now = market.now
    func subject(_ coin: String) -> ChartOutput.Subject {
      ChartOutput.Subject(
        coin: coin, range: range, currency: currency, providers: market.service.descriptors,
        window: range.beginning == .ever ? nil : range.timeWindow(at: now), zone: market.defaults.zone)
    }
    switch type {
    case .line:
      let line = try await market.service.line(name, range: range, currency: currency)
      return ChartOutput(line: line, subject(line.about.coin), atMost: count)
    case .candle:
      let candles = try await market.service.candles(name, range: range, currency: currency)
      return ChartOutput(candles: candles, subject(candles.about.coin), atMost: count)
    }
  }

  /// Returns the requested type: a width of candles implies candles; nil when the request has neither.
  private static func type(_ request: WebRequest, hasCandle: Bool) throws(BitpalError) -> ChartType? {
    guard let text = request["type"] else { return hasCandle ? .candle : nil }
    guard let type = ChartType(rawValue: text) else {
      throw .usage("type: there is no \"\(text)\"", hint: "there are: line, candle")
    }
    if hasCandle, type == .line { throw .usage("candle and type=line contradict each other") }
    return type
  }
}

extension Market {
  /// Returns the requested currency in lower case, or that of the settings.
  func currency(_ request: WebRequest) -> String {
    request["currency"]?.lowercased() ?? defaults.currency
  }
}

extension WebRequest {
  /// Returns the value of a parameter as a whole number within bounds; nil when it is missing.
  fileprivate func number(_ name: String, in range: ClosedRange<Int>) throws(BitpalError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "\(name): \"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Returns the value of a parameter as a day in UTC; nil when it is missing.
  fileprivate func day(_ name: String) throws(BitpalError) -> Date? {
    guard let text = self[name] else { return nil }
    guard text.utf8.count == 10, let day = Date(utcText: text) else {
      throw .usage("\(name): \"\(text)\" is not a day", hint: "write it like 2025-01-14")
    }
    return day
  }
}

extension WebResponse {
  /// Returns a failure as `bitpal.error/1`.
  ///
  /// - Parameter status: The HTTP status; nil for that of the failure's code.
  static func nativeFailure(_ error: BitpalError, status: Int? = nil) -> WebResponse {
    WebResponse(
      ErrorOutput(error, isOverHTTP: true).jsonText, as: .json, status: status ?? error.code.status,
      headers: error.retryHeaders)
  }
}
