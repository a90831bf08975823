import Bitpal
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The route of the portfolio's page, which only its owner may see.
enum PortfolioRoute {
  static func response(_ request: WebRequest, _ site: Site) async throws -> WebResponse {
    guard let store = site.own.portfolio else {
      guard request.head.wantsPage else {
        return .nativeFailure(.usage("this server shows no portfolio"), status: 404)
      }
      let error = BitpalError.usage("this server shows no portfolio: it was not started with --portfolio")
      return FailurePage.response(error, site, status: 404)
    }
    guard site.gate.isOwn(request.head) else {
      return SignInPage.refusal(request, site.shown(to: request))
    }
    do {
      let store = store.placed(in: site.market.defaults.zone)
      let info = try store.info()
      let currency = info?.ownCurrency ?? site.currency
      let valued = try await ValuedPortfolio(store, in: currency, by: site.market.service, policy: .normal)
      let gains = try GainsOutput(
        try GainsQuery().answer(from: store), of: store.portfolio, currency: currency, days: .all,
        zone: site.market.defaults.zone)
      let page = PortfolioPage(
        site: site, valued: valued, gains: gains, worth: try await worth(store, currency, request, site))
      return WebResponse(page.page, site)
    } catch let error as PortfolioError {
      throw error.failure
    }
  }

  /// Returns the value over the requested range; over a year by default.
  private static func worth(
    _ store: TransactionStore, _ currency: String, _ request: WebRequest, _ site: Site
  ) async throws -> PortfolioPage.Value {
    let now = site.market.now
    let ranges = site.market.defaults.ranges.map { $0.standing(at: now, in: .utc) }.filter {
      $0.types.contains(.line) && PortfolioHistory.spans($0, now: now)
    }
    let asked =
      try request["range"].map { name throws(BitpalError) in
        guard let range = ranges.named(name) else {
          throw .usage(
            "range: unknown range \"\(name.printable(limit: 60))\"",
            hint: "there are: \(ranges.map(\.name).joined(separator: ", "))")
        }
        return range
      } ?? ranges.named("1Y") ?? ranges.last
    let history = try await PortfolioHistory(
      store, in: currency, by: site.market.service,
      from: asked.flatMap { PortfolioHistory.firstDay(of: $0, now: now) }, to: nil, policy: .normal)
    let range = asked?.name ?? "MAX"
    let title = (asked ?? .ever).spelledOut
    return PortfolioPage.Value(
      ranges: ranges, range: range, output: PortfolioChartOutput(history, range: range, titled: title))
  }
}
