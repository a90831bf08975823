import Bitpal
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// The paths, parameters and errors of CoinGecko's API, version 3, with the prices of any provider.
struct CoinGeckoAPI: RouteFamily {
  let market: Market
  let prefix = ["api", "v3"]
  let routes: [Route]

  init(_ market: Market) {
    self.market = market
    let prices = CoinGeckoPriceRoutes(market)
    let coins = CoinGeckoCoinRoutes(market)
    let series = CoinGeckoSeriesRoutes(market)
    routes = [
      Route(undescribed: "/api/v3/ping") { _, _ in WebResponse(CoinGeckoList.ping.text, as: .json) },
      Route(undescribed: "/api/v3/simple/price") { request, _ in try await prices.simple(request) },
      Route(undescribed: "/api/v3/simple/supported_vs_currencies") { _, _ in
        WebResponse(CoinGeckoList.currencies(market.currencies).text, as: .json)
      },
      Route(undescribed: "/api/v3/coins/list") { request, _ in try await coins.list(request) },
      Route(undescribed: "/api/v3/coins/markets") { request, _ in try await prices.markets(request) },
      Route(undescribed: "/api/v3/coins/{id}", except: ["categories", "top_gainers_losers"]) { request, id in
        try await coins.coin(id, request)
      },
      Route(undescribed: "/api/v3/coins/{id}/market_chart") { request, id in try await series.chart(id, request) },
      Route(undescribed: "/api/v3/coins/{id}/market_chart/range") { request, id in
        try await series.range(id, request)
      },
      Route(undescribed: "/api/v3/coins/{id}/ohlc") { request, id in try await series.candles(id, request) },
      Route(undescribed: "/api/v3/coins/{id}/history") { request, id in try await coins.history(id, request) },
      Route(undescribed: "/api/v3/search") { request, _ in try await coins.search(request) },
    ]
  }

  func failure(_ error: BitpalError, of request: WebRequest) -> WebResponse {
    let (body, status): (CoinGeckoError, Int) =
      switch error.code {
      case .notFound, .noPrice: (.message("coin not found"), 404)
      case .unsupportedCurrency: (.message("invalid vs_currency"), 422)
      // CoinGecko also answers 401 when a plan does not reach that far back.
      case .planLimit: (.ofPlan(error.messageOverHTTP, market.now), 401)
      case .usage, .ambiguous, .notRecorded, .noData: (.message(error.messageOverHTTP), error.status)
      case .rateLimited, .coolingDown, .unsupported, .unauthorized, .refused, .network, .timedOut, .offline,
        .unreadable, .plugin, .sourcesDisagree, .recordingDamaged, .configuration, .untrusted, .dataFile:
        (.coded(error.status, error.messageOverHTTP), error.status)
      }
    return WebResponse(body.text, as: .json, status: status, headers: error.retryHeaders)
  }

  func nothing(for request: WebRequest) -> WebResponse {
    let paths = routes.map { String($0.pattern.dropFirst("/api/v3".count)) }.joined(separator: ", ")
    return WebResponse(
      CoinGeckoError.message("this server has no such path of CoinGecko's API; it has \(paths)").text, as: .json,
      status: 404)
  }
}

extension WebRequest {
  /// Returns the value of a required parameter.
  ///
  /// - Throws: `BitpalError.usage` with CoinGecko's message when it is missing.
  func required(_ name: String) throws(BitpalError) -> String {
    guard let value = self[name] else { throw .usage("Missing parameter \(name)") }
    return value
  }

  /// Refuses parameters that choose coins by what no source states; without them the answer would be about others.
  ///
  /// - Throws: `BitpalError.usage` for the first that is there.
  func refuse(_ names: String...) throws(BitpalError) {
    for name in names where self[name] != nil {
      throw .usage("\(name): coins cannot be chosen by it here", hint: "ask for ids or symbols")
    }
  }

  /// Returns the value of `vs_currency` in lower case.
  ///
  /// - Throws: `BitpalError.usage` when it is missing.
  func vsCurrency() throws(BitpalError) -> String {
    try Self.currency(try required("vs_currency"), "vs_currency")
  }

  /// Returns a currency in small letters.
  ///
  /// - Throws: `BitpalError.usage` for a minor unit such as `GBp`, a hundredth of `GBP`.
  static func currency(_ code: String, _ name: String) throws(BitpalError) -> String {
    if let problem = MinorUnit.problem(in: code) { throw .usage("\(name): \(problem)") }
    return code.lowercased()
  }

  /// Returns the value of a parameter as a whole number from 1 on; nil when it is missing.
  ///
  /// - Throws: `BitpalError.usage` for any other value.
  func count(_ name: String) throws(BitpalError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), number > 0 else { throw .usage("\(name): \"\(text)\" is not a number from 1 on") }
    return number
  }

  /// Returns the members of a list, which clients write as `ids=a,b`, as `ids=a&ids=b` or as `ids[]=a&ids[]=b`.
  func members(_ name: String) -> [String] {
    query.filter { $0.name == name || $0.name == name + "[]" }.flatMap(\.value.commaSeparated)
  }

  /// Returns the key of each coin in the answer and the name in the question; an id is always read as an id, even when
  /// a ticker is spelled the same.
  func coins() -> [(key: String, name: String)] {
    let ids = members("ids").map { ($0, "id:\($0)") }
    let coins = ids.isEmpty ? members("symbols").map { ($0.lowercased(), $0.lowercased()) } : ids
    var seen: Set<String> = []
    return coins.filter { seen.insert($0.0).inserted }
  }
}
