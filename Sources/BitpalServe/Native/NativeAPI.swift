import BitpalCharts
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService
import FoundationEssentials

/// Our own shapes over HTTP: those of `--format json`, with the defaults of the command line.
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
        // The paths of files on this machine are not sent.
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
    // Of several coins none of which has a price, each says why.
    .either(OutputSchema.error.value, OutputSchema.prices.value, about: "Why there is no answer.")
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

  /// The most coins of one request.
  private static let most = 500

  /// The numbers of coins that a search may be asked for.
  static let limits = 1...100_000

  func price(_ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let names = try request.coinNames("/v1/price", most: Self.most)
    let currency = market.currency(request)
    let prices = PriceList(names, try await market.quotes.quotes(names, currency: currency))
    // With nothing answered the status is that of the first reason; with something, what is missing is in `errors`.
    return WebResponse(
      prices.output(market, currency: currency).jsonText, as: .json, status: prices.failure?.code.status ?? 200,
      headers: ProvenanceHeaders(prices.quotes).headers(market, began: began) + (prices.failure?.retryHeaders ?? []))
  }

  func coin(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let currency = market.currency(request)
    let detail = try await market.service.detail(id, currency: currency)
    return WebResponse(
      CoinOutput(detail, provider: market.service.descriptors.first?.id, currency: currency).jsonText, as: .json,
      headers: ProvenanceHeaders([detail]).headers(market, began: began))
  }

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
  /// Whether days before the first that the source has are left out.
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

  /// The numbers of points that a chart may be asked for.
  static let points = 2...100_000

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

  /// Returns the type and the range that are asked for.
  ///
  /// - Parameter only: The type where there is no choice.
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

  /// The range of a length that ends now, or that holds all there is: that of the settings where they have one.
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

  /// The type asked for; who says how wide candles are to be wants candles.
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
  /// The currency asked for, or that of the settings.
  func currency(_ request: WebRequest) -> String {
    request["currency"]?.lowercased() ?? defaults.currency
  }
}

extension WebRequest {
  /// A whole number within bounds; nil when there is none.
  fileprivate func number(_ name: String, in range: ClosedRange<Int>) throws(BitpalError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "\(name): \"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A day in UTC; nil when there is none.
  fileprivate func day(_ name: String) throws(BitpalError) -> Date? {
    guard let text = self[name] else { return nil }
    guard text.utf8.count == 10, let day = Date(utcText: text) else {
      throw .usage("\(name): \"\(text)\" is not a day", hint: "write it like 2025-01-14")
    }
    return day
  }
}

extension WebResponse {
  /// A failure as `bitpal.error/1`.
  ///
  /// - Parameter status: Nil for that of the failure's code.
  static func nativeFailure(_ error: BitpalError, status: Int? = nil) -> WebResponse {
    WebResponse(
      ErrorOutput(error, isOverHTTP: true).jsonText, as: .json, status: status ?? error.code.status,
      headers: error.retryHeaders)
  }
}
