package import Bitpal
package import BitpalFiles
package import BitpalModel
import BitpalOutput
import BitpalProviders
package import BitpalQueries
package import FoundationEssentials

/// The prices for all answers over HTTP, and the defaults of requests.
package struct Market: Sendable {
  package let service: PriceService
  package private(set) var defaults: QueryDefaults

  /// The time zones of this machine, for pages of other zones than that of the settings.
  let zones: ZoneFiles

  /// Returns every provider; called only when needed, because it takes longer than the rest of a start.
  package let providers: @Sendable () -> [ProviderSummary]

  /// The longest time for an answer.
  package let limit: Duration

  /// The clock for updates of streams: the machine's, even when the clock of prices stands still.
  let pace: any TimeSource
  package let quotes: SharedQuotes

  package init(
    _ service: PriceService, defaults: QueryDefaults = QueryDefaults(),
    providers: @escaping @Sendable () -> [ProviderSummary] = { [] },
    limit: Duration = Deadline.standard, pace: any TimeSource = SystemTime(),
    zones: ZoneFiles = ZoneFiles(folders: ZoneFiles.folders(tzdir: nil)), fetched: SharedQuotes.Fetched? = nil
  ) {
    self.zones = zones
    self.service = service
    self.defaults = defaults
    self.providers = providers
    self.limit = limit
    self.pace = pace
    quotes = SharedQuotes(service, limit: limit, fetched: fetched)
  }

  /// Returns the same market with other defaults.
  func with(_ defaults: QueryDefaults) -> Market {
    var market = self
    market.defaults = defaults
    return market
  }

  /// The present time of answers, which stands still for a recording.
  package var now: Date { service.time.now }

  /// Whether a source is on the network, where each request uses a budget.
  var isOnWeb: Bool { service.descriptors.contains(where: \.needsNetwork) }

  // MARK: Market figures

  /// Returns the available market figures of quotes, by the names of their coins: those that are cached or come with
  /// quotes.
  ///
  /// A source on the web never gets a request per coin for them.
  func figures(
    _ quotes: [(name: String, quote: Sourced<Coin>)], currency: String
  ) async -> [String: Sourced<CoinDetail>] {
    guard service.descriptors.contains(where: { $0.capabilities.contains(.detail) }) else { return [:] }
    var found: [String: Sourced<CoinDetail>] = [:]
    for (name, _) in quotes {
      let detail = try? await service.detail(name, currency: currency, policy: isOnWeb ? .cached : .normal)
      if let detail, !detail.freshness.isServedStale { found[name] = detail }
    }
    let missing = quotes.filter { found[$0.name] == nil && $0.quote.conversion == nil }
    guard isOnWeb, !missing.isEmpty else { return found }
    let details = try? await service.details(ofIDs: missing.map(\.quote.value.id), currency: currency)
    for (name, quote) in missing {
      if let detail = details?[quote.value.id], !detail.freshness.isServedStale { found[name] = detail }
    }
    return found
  }

  /// Returns a coin with its market figures, or with its quote alone when the source has no figures.
  ///
  /// - Throws: The error of the source.
  func detail(_ name: String, currency: String) async throws -> Sourced<CoinDetail> {
    do {
      return try await service.detail(name, currency: currency)
    } catch let error as BitpalError where error.lacksDetail {
      let prices = try await quotes.answer(PricesQuery([name], currency: currency))
      return try prices.demand(name).map { try CoinDetail(validating: $0) }
    }
  }

  /// Returns the line of a coin over some days up to now; nil days stand for all there is.
  ///
  /// The source is asked for the next longer one of a few lengths, and the answer is cut: requests for five and six
  /// days share one request with each other and with the charts of the command line.
  ///
  /// - Throws: The error of the source.
  func line(_ name: String, days: Int?, currency: String) async throws -> Sourced<LineSeries> {
    guard let days else {
      return try await service.line(name, range: .ever, currency: currency)
    }
    let exact = Self.range(days: days)
    guard let step = Self.steps.first(where: { $0 >= days }), step > days else {
      return try await service.line(name, range: exact, currency: currency)
    }
    let window = exact.timeWindow(at: now)
    do {
      let line = try await service.line(name, range: Self.range(days: step), currency: currency)
      let part = SeriesRules.cut(line.value, to: window)
      if !part.points.isEmpty { return line.map { _ in part } }
    } catch let error as BitpalError where error.has(.mayHaveShorterRange) {
      // The source does not reach back as far as the step, but possibly as far as requested.
    }
    return try await service.line(name, range: exact, currency: currency)
  }

  /// Returns the reason why a series begins later than its range; nil when it does not.
  func incomplete(_ series: ChartSeries, over range: ChartTimeRange) -> String? {
    LateBeginning.message(about: series, over: range, providers: service.descriptors, by: service, in: defaults.zone)
  }

  /// Returns the prices of a week: from the source when that needs no network, otherwise those that are cached.
  func week(_ name: String, id: String, currency: String) async -> [ChartDataPoint] {
    if !isOnWeb, let line = try? await line(name, days: 7, currency: currency) { return line.value.points }
    return service.cachedWeek(ofID: id, currency: currency)?.points ?? []
  }

  /// The lengths of requests in days: those of the standard ranges.
  private static let steps = [1, 7, 30, 90, 180, 365]

  /// Returns the range of some days up to now, with candles of the same width as CoinGecko's.
  static func range(days: Int) -> ChartTimeRange {
    let candle = days <= 2 ? 1800 : days <= 30 ? 4 * 3600 : 4 * 86_400
    return ChartTimeRange(
      name: "\(days)d", window: .seconds(days * 86_400), points: 96, candle: .seconds(candle),
      timeToLive: days <= 1 ? .seconds(300) : days <= 30 ? .seconds(900) : .seconds(3600))
  }

  // MARK: Currencies

  /// The currencies in which prices are available.
  var currencies: [String] {
    let declared = service.descriptors.map(\.currencies)
    // A source that declares none may have any: then those of CoinGecko are listed.
    // The others are converted, where they have rates.
    let known =
      declared.contains([])
      ? Self.usualCurrencies
      : Self.usualCurrencies.filter {
        CurrencyCoin.isCurrency($0) && CurrencyCoin.isRate(CurrencyCoin.id(of: $0)) && service.converts(into: $0)
      }
    return (declared.flatMap(\.self) + known + [defaults.currency]).distinct
  }

  /// CoinGecko's list of 2024, in its order, without the bolívar that was replaced in 2018.
  private static let usualCurrencies =
    """
    btc eth ltc bch bnb eos xrp xlm link dot yfi usd aed ars aud bdt bhd bmd brl cad chf clp cny czk dkk eur gbp gel hkd \
    huf idr ils inr jpy krw kwd lkr mmk mxn myr ngn nok nzd php pkr pln rub sar sek sgd thb try twd uah vnd zar xdr xag xau \
    bits sats
    """.split(separator: " ").map(String.init)
}

extension BitpalError {
  /// Whether the error means that a coin lacks market figures, but may have a price.
  fileprivate var lacksDetail: Bool {
    switch self {
    case .unsupported(.detail, _, _), .notRecorded: true
    case .allFailed(let causes): causes.contains { $0.error.lacksDetail }
    default: false
    }
  }
}
