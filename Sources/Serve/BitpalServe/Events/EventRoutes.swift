import Bitpal
import BitpalModel
import BitpalOutput
import BitpalQueries

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
        let query = try PricesQuery(request, market.defaults, most: Self.most, example: "/events?")
        let prices = try await market.quotes.answer(query)
        if let failure = prices.failure { throw failure }
        guard let stream = feed.stream(prices, in: query.currency) else {
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
      Parameter(PricesQuery.coins(most: EventRoutes.most), isRequired: true), Parameter(PricesQuery.currency),
    ], .events)
}
