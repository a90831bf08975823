package import Bitpal
package import BitpalModel
package import BitpalPortfolio
package import FoundationEssentials

/// All portfolios at the latest prices, in one currency, and their sum.
package struct ValuedPortfolios: Sendable {
  /// The exchange rate by which a portfolio's money was converted.
  package struct Rate: Sendable {
    package let source: String
    package let time: Date
  }

  package let total: PortfolioTotal

  /// The common currency, lower case.
  package let currency: String

  /// The rates, by the converted currency.
  package let rates: [String: Rate]

  /// The subjects without a price or a rate.
  package let failures: [CoinFailure]

  /// The renamings and splits of all portfolios that lack a half.
  package let loneHalves: [PortfolioError]

  /// The prices of all portfolios.
  package let quotes: [Sourced<Coin>]

  /// Values every portfolio of a file that has transactions.
  ///
  /// A portfolio without a rate to the common currency is without figures there.
  ///
  /// - Throws: Errors of the store and of transactions that cannot be booked; a missing price or rate is a failure.
  package init(
    _ file: UserDataFile, in currency: String, by service: PriceService, policy: FetchPolicy, zone: ClockZone = .utc
  ) async throws {
    var valued: [(info: PortfolioInfo, summary: PortfolioSummary, rate: Decimal?)] = []
    var rates: [String: Rate] = [:]
    var prices: [String: Decimal] = [currency: 1]
    var missing: Set<String> = []
    var failures: [CoinFailure] = []
    var quotes: [Sourced<Coin>] = []
    var loneHalves: [PortfolioError] = []
    for info in try PortfolioCatalog(file: file).portfolios() where info.transactions > 0 {
      let store = TransactionStore(file: file, portfolio: info.name, zone: zone)
      let own = try await ValuedPortfolio(store, in: info.currency, by: service, policy: policy)
      quotes += own.answer.quotes
      failures += own.answer.failures
      loneHalves += own.loneHalves
      if prices[info.currency] == nil, missing.insert(info.currency).inserted {
        do {
          let rate = try await service.convert(
            1, from: CurrencyCoin.id(of: info.currency), to: currency, policy: policy
          ).price
          prices[info.currency] = rate.value.currentPrice
          rates[info.currency] = Rate(source: rate.source, time: rate.value.lastUpdated ?? rate.fetchedAt)
        } catch let error as BitpalError {
          failures.append(CoinFailure(coin: info.currency.uppercased(), error: error))
        }
      }
      valued.append((info, own.portfolio.summary, prices[info.currency]))
    }
    total = try PortfolioTotal(valued)
    self.currency = currency
    self.rates = rates
    self.failures = failures
    self.quotes = quotes
    self.loneHalves = loneHalves
  }
}
