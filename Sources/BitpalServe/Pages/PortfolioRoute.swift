import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalService
import BitpalValuation

/// The portfolio's page: to whoever it is of, and nobody else.
enum PortfolioRoute {
  static func response(_ request: WebRequest, _ site: Site) async throws -> WebResponse {
    guard let store = site.own.portfolio else {
      let error = BitpalError.usage("this server shows no portfolio: it was not started with --portfolio")
      return FailurePage.response(error, site, status: 404)
    }
    guard site.gate.isOwn(request.head) else {
      let error = BitpalError.usage("a portfolio is shown on the machine itself, or to who has the server's token")
      return FailurePage.response(error, site, status: 403)
    }
    do {
      let info = try store.info()
      let currency = info?.ownCurrency ?? site.currency
      let valued = try await ValuedPortfolio(store, in: currency, by: site.market.service, policy: .normal)
      let gains = try GainsOutput(
        try Gains(try store.transactions(), by: info?.method ?? .average), of: store.portfolio, currency: currency,
        year: nil, zone: site.market.defaults.zone)
      return WebResponse(PortfolioPage(site: site, valued: valued, gains: gains).page, site)
    } catch let error as PortfolioError {
      throw BitpalError.usage(error.message, hint: error.hint)
    }
  }
}
