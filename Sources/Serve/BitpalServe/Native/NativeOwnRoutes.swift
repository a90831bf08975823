import Bitpal
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// `/v1/watchlist` and `/v1/portfolio`, which only their owner may read.
struct NativeOwnRoutes: Sendable {
  static let part = ParameterSpec(
    "part", .choice(PortfolioOutput.Part.allCases.map(\.rawValue)), "the rows of csv and txt (summary)")

  private let site: Site

  init(_ site: Site) {
    self.site = site
  }

  private var service: PriceService { site.market.service }

  /// Answers `/v1/watchlist`.
  ///
  /// - Throws: `BitpalError` for a bad parameter, and for a watchlist that cannot be read.
  func watchlist(_ request: WebRequest) async throws -> WebResponse {
    if let refusal = try refusal(request) { return refusal }
    guard let store = try site.own.watchlist?.get() else {
      return .nativeFailure(
        .usage("this server has no watchlist"), status: 404, as: try request.form())
    }
    _ = try request.word(WatchlistQuery.order)
    let began = site.market.now
    let currency = try request.currency() ?? site.market.defaults.currency
    do {
      let answer = try await WatchlistQuery(request).answer(from: store, currency: currency, by: service)
      let output = WatchlistOutput(
        answer.rows, figures: answer.figures, failures: answer.prices.failures,
        provider: service.descriptors.first?.id, currency: currency, isOverHTTP: true)
      return try own(output, answer.prices, request, began)
    } catch let error as WatchlistError {
      throw error.failure
    }
  }

  /// Answers `/v1/portfolio`.
  ///
  /// - Throws: `BitpalError` for a bad parameter, and for transactions that cannot be booked.
  func portfolio(_ request: WebRequest) async throws -> WebResponse {
    if let refusal = try refusal(request) { return refusal }
    guard let store = site.own.portfolio else {
      return .nativeFailure(
        .usage("this server shows no portfolio: it was not started with --portfolio"), status: 404,
        as: try request.form())
    }
    let part = try request.word(Self.part).flatMap(PortfolioOutput.Part.init(rawValue:)) ?? .summary
    let began = site.market.now
    do {
      let currency = try store.info()?.ownCurrency ?? site.market.defaults.currency
      let valued = try await ValuedPortfolio(store, in: currency, by: service, policy: .normal)
      let output = PortfolioOutput(
        valued.portfolio, part, of: valued.name, currency: currency, prices: valued.answer, coins: valued.coins,
        isOverHTTP: true)
      return try own(output, valued.answer, request, began)
    } catch let error as PortfolioError {
      throw error.failure
    }
  }

  /// Returns the refusal of a request that is not proved to be the owner's; nil for any other.
  private func refusal(_ request: WebRequest) throws(BitpalError) -> WebResponse? {
    guard !site.gate.isOwn(request.head) else { return nil }
    return .nativeFailure(
      .usage(Site.foreign.message, hint: "programs send the token of a server that was started with --token-file"),
      status: 403, as: try request.form())
  }

  /// Returns an answer that nothing between here and the owner keeps, and that pages of other origins cannot read.
  private func own(
    _ output: some OutputShape, _ prices: QuotesAnswer, _ request: WebRequest, _ began: Date
  ) throws -> WebResponse {
    try WebResponse(
      output, for: request, status: prices.failure?.status ?? 200,
      headers: ProvenanceHeaders(prices.quotes).headers(site.market, began: began)
        + (prices.failure?.retryHeaders ?? []) + [
          WebResponse.privately, WebHeader("Cross-Origin-Resource-Policy", "same-origin"),
        ])
  }
}

extension WebResponse {
  /// The header of an answer that is the owner's alone, which ``RecentAnswers`` does not keep, either.
  static let privately = WebHeader("Cache-Control", "no-store, private")

  /// Whether the answer is the owner's alone.
  var isPrivate: Bool { self["Cache-Control"]?.contains("private") == true }
}
