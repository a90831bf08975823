package import Bitpal
package import BitpalModel
package import BitpalProviders
package import FoundationEssentials

/// A chart of a certain type over a certain range.
package struct ChartQuestion: Sendable {
  package let type: ChartType
  package let range: ChartTimeRange

  /// The range that was asked for, where it is not offered for the type; nil otherwise.
  package let insteadOf: ChartTimeRange?

  /// The currency, lower case.
  package let currency: String
  package let zone: ClockZone
  package let now: Date

  /// The configured providers, in order.
  package let descriptors: [ProviderDescriptor]

  private let name: @Sendable (Sourced<Void>) -> String?

  /// The service that knows the providers that reach further; nil for none.
  private let service: PriceService?

  /// Creates a question.
  ///
  /// - Parameters:
  ///   - name: Returns the name of the coin of an answer; nil for none.
  package init(
    type: ChartType, range: ChartTimeRange, insteadOf: ChartTimeRange? = nil, currency: String,
    zone: ClockZone = .utc, now: Date, descriptors: [ProviderDescriptor],
    name: @escaping @Sendable (Sourced<Void>) -> String? = { _ in nil }, service: PriceService? = nil
  ) {
    self.type = type
    self.range = range
    self.insteadOf = insteadOf
    self.currency = currency
    self.zone = zone
    self.now = now
    self.descriptors = descriptors
    self.name = name
    self.service = service
  }

  /// Returns the coin of an answer as titles name it: by its name, with the id after it unless the name spells it.
  package func title(of origin: Sourced<Void>) -> String {
    let id = origin.about.coin
    guard let name = name(origin)?.printable(limit: 40), !name.searchKey.isEmpty else { return id }
    return name.searchKey.replacing(" ", with: "-") == id.lowercased() ? name : "\(name) (\(id))"
  }

  /// Returns the time window of the picture; nil for the range of the points.
  package func window(of series: ChartSeries) -> TimeWindow? {
    let window = range.timeWindow(at: now)
    let isOutside = series.type == .line && series.instants.first.map { $0 < window.start } ?? false
    return range.beginning == .ever || isOutside ? nil : window
  }

  /// Returns the series of a coin.
  ///
  /// - Throws: The error of the source.
  package func answer(
    _ coin: String, by service: PriceService, policy: FetchPolicy = .normal
  ) async throws -> ChartSeries {
    do {
      return try await answer(coin, over: range, by: service, policy: policy)
    } catch let error as BitpalError where error.code == .noData && mayBePause {
      return try await lastTrading(of: coin, by: service, policy: policy, after: error)
    }
  }

  private func answer(
    _ coin: String, over range: ChartTimeRange, by service: PriceService, policy: FetchPolicy
  ) async throws -> ChartSeries {
    switch type {
    case .line: .line(try await service.line(coin, range: range, currency: currency, policy: policy))
    case .candle: .candles(try await service.candles(coin, range: range, currency: currency, policy: policy))
    }
  }

  /// Whether a range without prices may lie in a pause of trading: nights, weekends and holidays of shares, and the first
  /// days of a year.
  private var mayBePause: Bool {
    (range.beginning == .windowAgo || range.countsFromBefore) && range.end == nil
      && range.window < ProviderDescriptor.longestPause
      && descriptors.contains(where: \.hasPauses)
  }

  /// Returns the series of the same length that ends with the last price, with a warning that names the days since then.
  ///
  /// - Throws: The failure of the range where that has no price either.
  private func lastTrading(
    of coin: String, by service: PriceService, policy: FetchPolicy, after failure: BitpalError
  ) async throws -> ChartSeries {
    let longer = ChartTimeRange(
      name: range.name, window: range.window + ProviderDescriptor.longestPause, points: range.points,
      candle: range.candle,
      timeToLive: range.timeToLive, types: range.types)
    let series: ChartSeries
    do { series = try await answer(coin, over: longer, by: service, policy: policy) } catch is BitpalError {
      throw failure
    }
    guard let last = series.instants.last else { throw failure }
    let window = TimeWindow(ending: last, length: range.window)
    let days = stride(from: last.startOfDay.adding(.seconds(86_400)), to: now.startOfDay, by: 86_400).map { $0 }
    let warnings = [AnswerWarning.marketClosed(coin: series.coin, days: days)]
    return switch series {
    case .line(let line): .line(line.map { SeriesRules.cut($0, to: window) }.adding(warnings))
    case .candles(let candles):
      .candles(
        candles.map { $0.with(SeriesRules.cut($0.candles, width: $0.width, to: window)) }.adding(warnings))
    }
  }

  /// Returns the lines of several coins, one for each coin, however many names it has, and the failures.
  ///
  /// - Parameters:
  ///   - isAtOnce: Whether all coins are asked for at once, so that their waits for a budget are one wait.
  ///   - begin: Called with the place of the next coin that has no outcome yet, from 1.
  /// - Throws: `CancellationError`.
  package func comparison(
    _ coins: [String], by service: PriceService, policy: FetchPolicy = .normal, isAtOnce: Bool = false,
    begin: (Int) -> Void = { _ in }
  ) async throws -> (series: [ComparedSeries], failures: [CoinFailure]) {
    let outcomes = try await withThrowingTaskGroup(of: ComparedOutcome.self) { group in
      var outcomes: [ComparedOutcome] = []
      for (place, coin) in coins.enumerated() {
        begin(outcomes.count + 1)
        group.addTask { try await outcome(of: coin, at: place, by: service, policy: policy) }
        if !isAtOnce, let outcome = try await group.next() { outcomes.append(outcome) }
      }
      while let outcome = try await group.next() {
        outcomes.append(outcome)
        if outcomes.count < coins.count { begin(outcomes.count + 1) }
      }
      return outcomes
    }
    var series: [ComparedSeries] = []
    var failures: [CoinFailure] = []
    for outcome in outcomes.sorted(by: { $0.place < $1.place }) {
      if let error = outcome.error { failures.append(CoinFailure(coin: coins[outcome.place], error: error)) }
      guard let line = outcome.line, !series.contains(where: { $0.coin == line.about.coin }) else { continue }
      series.append(ComparedSeries(coin: line.about.coin, line: line))
    }
    return (series, failures)
  }

  /// The line of one of several coins, or the failure.
  private struct ComparedOutcome: Sendable {
    let place: Int
    let line: Sourced<LineSeries>?
    let error: BitpalError?
  }

  private func outcome(
    of coin: String, at place: Int, by service: PriceService, policy: FetchPolicy
  ) async throws -> ComparedOutcome {
    do {
      guard case .line(let line) = try await answer(coin, by: service, policy: policy) else {
        return ComparedOutcome(place: place, line: nil, error: nil)
      }
      return ComparedOutcome(place: place, line: line, error: nil)
    } catch let error as BitpalError {
      return ComparedOutcome(place: place, line: nil, error: error)
    }
  }

  /// Returns a sentence on a series that begins later than its range, with the providers that may go further back; nil
  /// when no prices are missing as far as is known.
  package func incomplete(_ series: ChartSeries) -> String? {
    LateBeginning.message(about: series, over: range, providers: descriptors, by: service, in: zone)
  }

  /// Returns the same for a terminal, where a provider can be chosen: also for a beginning that is that of the source.
  package func lateBeginning(of series: ChartSeries, by service: PriceService) -> String? {
    guard let late = LateBeginning(series, over: range, providers: descriptors) else { return nil }
    let others = late.others(by: service)
    guard late.isShort || !others.isEmpty else { return nil }
    return late.message(in: zone) + BitpalError.further(BitpalError.choices(others))
  }

  /// Returns a sentence on candles of another width than the range's, with the providers that have finer ones; nil where
  /// the width is that of the range.
  package func otherWidth(of series: ChartSeries, by service: PriceService) -> String? {
    guard case .candles(let candles) = series, candles.value.width != range.candle else { return nil }
    let width = candles.value.width
    let finer = service.others(of: series.coin) { provider in
      provider.id != candles.source && provider.capabilities.contains(.candles) && !provider.candleWidths.isEmpty
        && Resampling.nativeWidth(for: range.candle, among: provider.candleWidths) < width
    }
    return "\(range.name) wants candles of \(range.candle.unitText); \(candles.source) has them of \(width.unitText)"
      + (finer.isEmpty ? "" : "; finer ones: " + BitpalError.choices(finer))
  }
}

/// A line or candles of a coin, with its source.
package enum ChartSeries: Sendable {
  case line(Sourced<LineSeries>)
  case candles(Sourced<CandleSeries>)

  package var type: ChartType {
    switch self {
    case .line: .line
    case .candles: .candle
    }
  }

  /// The series without its values.
  package var origin: Sourced<Void> {
    switch self {
    case .line(let line): line.map { _ in }
    case .candles(let candles): candles.map { _ in }
    }
  }

  /// The id of the coin.
  package var coin: String { origin.about.coin }

  /// The id of the provider.
  package var source: String { origin.source }

  /// Whether each point or candle is that of a day or of several days, which have one date in every time zone.
  package var isOfDays: Bool {
    switch self {
    case .line(let line): line.value.isDaily
    case .candles(let candles): candles.value.width >= .seconds(86_400)
    }
  }

  /// The instants of the points or candles, in order.
  package var instants: [Date] {
    switch self {
    case .line(let line): line.value.points.map(\.timestamp)
    case .candles(let candles): candles.value.candles.map(\.timestamp)
    }
  }
}

/// A coin of a comparison.
package struct ComparedSeries: Sendable {
  /// The id of the coin.
  package let coin: String

  /// All points, even where fewer are given.
  package let line: Sourced<LineSeries>

  package init(coin: String, line: Sourced<LineSeries>) {
    self.coin = coin
    self.line = line
  }
}
