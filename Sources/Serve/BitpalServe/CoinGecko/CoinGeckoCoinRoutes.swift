import Bitpal
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// `/coins/list`, `/coins/{id}`, `/coins/{id}/history` and `/search`.
struct CoinGeckoCoinRoutes: Sendable {
  private let market: Market

  init(_ market: Market) {
    self.market = market
  }

  /// Answers `/coins/list`.
  func list(_ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    if request["status"]?.lowercased() != "active" { try request.refuse("status") }
    let list = try await market.service.coinList()
    return WebResponse(
      CoinGeckoList.coins(list.value, hasPlatforms: request.isOn("include_platform")).text, as: .json,
      headers: ProvenanceHeaders([list]).headers(market, began: began))
  }

  /// Answers `/coins/{id}` in the currency of the settings, because the request names none.
  func coin(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let currency = market.defaults.currency
    let name = "id:\(id)"
    let detail = try await market.detail(name, currency: currency)
    let week = request.isOn("sparkline") ? await market.week(name, id: id, currency: currency) : nil
    return WebResponse(
      CoinGeckoCoin(
        detail, currency: currency, week: week, hasMarket: request["market_data"]?.lowercased() != "false"
      ).text, as: .json, headers: ProvenanceHeaders([detail]).headers(market, began: began))
  }

  /// Answers `/coins/{id}/history` with the price at 00:00 UTC of a day, which is the close of the day before.
  ///
  /// - Throws: `BitpalError.usage` for a bad date, otherwise the error of the source.
  func history(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let currency = market.defaults.currency
    let name = "id:\(id)"
    let text = try request.required("date")
    guard let day = Self.day(text) else {
      throw BitpalError.usage("invalid date: \"\(text)\"; write it like 30-12-2024")
    }
    let coin = try await identity(id)
    // A day that has not begun has no price yet.
    guard day <= market.now else {
      return WebResponse(CoinGeckoHistory(coin, price: nil, currency: currency).text, as: .json)
    }
    let before = day.adding(.seconds(-86_400))
    do {
      let closes = try await market.service.history(name, from: before, to: before, currency: currency)
      return WebResponse(
        CoinGeckoHistory(coin, price: closes.value.first?.price, currency: currency).text, as: .json,
        headers: ProvenanceHeaders([closes]).headers(market, began: began))
    } catch BitpalError.noData {
      return WebResponse(CoinGeckoHistory(coin, price: nil, currency: currency).text, as: .json)
    }
  }

  /// Answers `/search` with at most 25 coins.
  ///
  /// - Throws: `BitpalError.usage` without `query`, otherwise the error of the source.
  func search(_ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let found = try await market.service.search(try request.required("query"), limit: 25)
    return WebResponse(
      CoinGeckoList.found(found.value).text, as: .json,
      headers: ProvenanceHeaders([found]).headers(market, began: began))
  }

  /// Returns the names of a coin: from the table of the best known, otherwise from the source.
  private func identity(_ id: String) async throws -> CoinListItem {
    if let known = WellKnownCoins.coin(ofID: id) { return known }
    let name = "id:\(id)"
    let prices = try await market.quotes.answer(PricesQuery([name], currency: market.defaults.currency))
    switch prices.outcomes[name] {
    case .success(let quote)?:
      return try CoinListItem(validating: quote.value.id, symbol: quote.value.symbol, name: quote.value.name)
    case .failure(let error)? where error.code != .notRecorded && error.code != .noPrice: throw error
    // A coin without a present price may have past ones.
    case .failure, nil: return try CoinListItem(validating: id, symbol: id, name: id)
    }
  }

  /// Reads CoinGecko's `30-12-2024` and ISO 8601's `2024-12-30`.
  private static func day(_ text: String) -> Date? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let first = Int(parts[0]), let month = Int(parts[1]), let last = Int(parts[2])
    else { return nil }
    let (year, day) = parts[0].count == 4 ? (first, last) : (last, first)
    // Two digits could be a year or a day.
    guard year >= 1000 else { return nil }
    return CivilTime(year: year, month: month, day: day)?.instant
  }
}
