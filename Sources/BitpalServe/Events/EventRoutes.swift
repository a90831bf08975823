import BitpalModel
import BitpalOutput

/// `/events`: prices as they change, as server-sent events.
struct EventRoutes: DescribedFamily {
  private let market: Market
  let prefix = ["events"]
  let routes: [Route]

  /// The largest number of coins of one stream.
  static let most = 250

  init(_ market: Market) {
    self.market = market
    let feed = PriceFeed(market)
    routes = [
      Route("/events", .events) { request, _ in
        let began = market.now
        let names = try request.coinNames("/events", most: Self.most)
        let currency = market.currency(request)
        let prices = PriceList(names, try await market.quotes.quotes(names, currency: currency))
        if let failure = prices.failure { throw failure }
        guard let stream = feed.stream(names, currency: currency, first: prices) else {
          var full = WebResponse.nativeFailure(
            .usage("all \(PriceFeed.most) streams of this server are taken", hint: "/v1/price has the same"),
            status: 503)
          full.headers.append(WebHeader("Retry-After", "60"))
          return full
        }
        return WebResponse(
          status: 200,
          headers: [
            WebHeader("Content-Type", WebResponse.Kind.events.rawValue),
            // A reverse proxy must not buffer the stream.
            WebHeader("X-Accel-Buffering", "no"),
          ] + ProvenanceHeaders(prices.quotes).headers(market, began: began), stream: stream)
      }
    ]
  }

  func failure(_ error: BitpalError, of request: WebRequest) -> WebResponse { .nativeFailure(error) }

  var failureSchema: ValueSchema { ErrorOutput.schema.value }

  let failures = ErrorCode.allCases.map(\.status)

  func nothing(for request: WebRequest) -> WebResponse {
    .nativeFailure(.usage("unknown path", hint: "as in /events?coins=bitcoin,eth"), status: 404)
  }
}

extension PathDescription {
  fileprivate static let events = PathDescription(
    "Prices as they change: events named prices with bitpal.prices/1 as data, at once and after each change.",
    [
      Parameter(
        "coins", .line("Coins as on the command line, with commas, at most 250.", example: "btc,eth"),
        isRequired: true),
      Parameter("currency", .line("A currency, that of the settings by default.", example: "eur")),
    ], .events)
}
