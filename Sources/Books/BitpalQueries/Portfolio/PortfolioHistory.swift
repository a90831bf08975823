package import Bitpal
package import BitpalModel
package import BitpalPortfolio
package import BitpalProviders
package import FoundationEssentials

/// The value of a portfolio day by day, with the answers that its closes come from.
package struct PortfolioHistory: Sendable {
  package let name: PortfolioName

  /// Lower case.
  package let currency: String

  /// The values; the last day is today, at the latest prices, where the days asked for had no end and every coin has one.
  package let history: ValueHistory

  /// The closes of each coin that has any.
  package let closes: [Sourced<[Resampling.DailyClose]>]

  /// The coins that have none, and why.
  package let failures: [CoinFailure]

  /// The day from which its values were asked for, where they begin later than that, and what has no closes of then; nil
  /// otherwise.
  package let lateStart: LateStart?

  /// The cause for values that begin later than was asked for: the coin whose closes do.
  package struct LateStart: Sendable {
    /// The day from which values were asked for, or that of the first transaction after it.
    package let wanted: Date

    /// The first day that has a value.
    package let begin: Date

    /// The coin's id, and the oldest close of it.
    package let coin: String
    package let source: String

    /// The reason that the source states; nil where none is known.
    let limit: SourceReach?

    /// The providers that have the coin and go further back.
    let others: [String]

    /// A predicate about the figures, for doors through which no provider can be chosen.
    package var text: String { cause + BitpalError.further(limit == nil ? "" : BitpalError.names(others)) }

    /// The same for a terminal.
    package var choosingText: String { cause + BitpalError.further(BitpalError.choices(others)) }

    private var cause: String {
      "begins on \(begin.dayText) and not on \(wanted.dayText), because \(source) has no older closes of "
        + coin.printable(limit: 80) + (limit.map { ": \($0.description)" } ?? "")
    }
  }

  /// The coins that were split.
  private let split: Set<String>

  /// A predicate about the figures, where they end earlier than was asked for: the last day, and the coin that lacks prices after it.
  package let earlyEnd: String?

  /// The configured ones, in order.
  package let providers: [ProviderDescriptor]

  /// Asks for the closes of every coin that was held, and for the latest prices where the history is to end with them.
  ///
  /// - Parameters:
  ///   - currency: That of the portfolio, lower case.
  ///   - first: Any instant of the first day; nil for that of the first transaction.
  ///   - last: Any instant of the last day; nil for now.
  ///   - policy: Whether to fetch.
  ///   - within: Asks for one coin, within a time of its own where it is to have one.
  /// - Throws: `PortfolioError` for transactions that cannot be booked; what one coin lacks is a failure of it.
  package init(
    _ store: TransactionStore, in currency: String, by service: PriceService, from first: Date?, to last: Date?,
    policy: FetchPolicy,
    within: (() async throws -> Sourced<[Resampling.DailyClose]>) async throws -> Sourced<[Resampling.DailyClose]> = {
      try await $0()
    }
  ) async throws {
    let today = service.time.now.startOfDay
    let newest = today.adding(.seconds(-86_400))
    let end = last.map { min($0.startOfDay, today) }
    let needs = try HistoryNeeds(try store.transactions(), from: first, to: end ?? today)
    let (found, failures) = try await Self.closes(needs.coins.filter { $0.first <= newest }) { need in
      try await within {
        try await service.history(
          service.name(ofID: need.coin), from: need.first, to: min(need.last, newest), currency: currency,
          reach: .carriedForward, policy: policy)
      }
    }
    var closes = found.map(\.answer)
    var known = Dictionary(found.map { ($0.coin, $0.answer.value) }) { $1 }
    var final = min(end ?? newest, newest)
    let held = needs.coins.filter { $0.isHeld && (known[$0.coin] != nil || $0.first > newest) }.map(\.coin)
    let latest = end ?? today == today ? try await Self.latest(held, currency, service, policy) : nil
    if let latest, latest.failures.isEmpty {
      final = today
      for quote in latest.quotes {
        known[quote.value.id, default: []].append(Self.close(quote.value, of: today))
        closes.append(quote.map { [Resampling.DailyClose(day: today, price: $0.currentPrice)] })
      }
    }
    let begin = first ?? needs.begin ?? today
    history = try ValueHistory(booked: needs.bookings, closes: known, from: begin, to: final)
    lateStart = Self.lateStart(
      of: history, from: max(begin.startOfDay, needs.begin ?? begin), needs.coins, found.map(\.answer), service)
    earlyEnd = Self.earlyEnd(of: history, before: final, found.map(\.answer), latest)
    split = Set(needs.bookings.lazy.map(\.transaction).filter { $0.label == .split }.map(\.coinId))
    self.failures = failures + (latest?.failures ?? [])
    (name, self.currency, providers) = (store.portfolio, currency, service.descriptors)
    // Those of later days only show in which shares a source gives its closes.
    self.closes = closes.map { answer in answer.map { $0.filter { $0.day <= final } } }.filter { !$0.value.isEmpty }
  }

  /// Returns the cause for a history that begins later than it should: the coin whose closes begin last.
  private static func lateStart(
    of history: ValueHistory, from wanted: Date, _ needs: [HistoryNeeds.Coin],
    _ closes: [Sourced<[Resampling.DailyClose]>], _ service: PriceService
  ) -> LateStart? {
    guard let day = history.days.first, day.day > wanted, !day.isOpening else { return nil }
    let held = Set(needs.filter { $0.first < day.day }.map(\.coin))
    let oldest = closes.filter { held.contains($0.about.coin) }.compactMap { answer in
      answer.value.first.map { (answer, first: $0.carriedFrom ?? $0.day) }
    }
    guard let (answer, first) = oldest.max(by: { $0.first < $1.first }) else { return nil }
    let source = service.descriptors.first { $0.cacheIdentity == answer.about.provider }
    return LateStart(
      wanted: wanted, begin: day.day, coin: answer.about.coin, source: answer.source,
      limit: source?.limit(ofClosesFrom: first, now: service.time.now),
      others: service.others(
        than: answer.source, of: answer.about.coin, back: service.time.now.since(wanted), \.capabilityOfCloses))
  }

  /// Returns a latest price as the close of today.
  private static func close(_ coin: Coin, of today: Date) -> Resampling.DailyClose {
    let priced = coin.lastUpdated?.startOfDay
    return .init(day: today, price: coin.currentPrice, carriedFrom: priced.flatMap { $0 < today ? $0 : nil })
  }

  /// Returns the cause for a history that ends earlier than it should: the coin whose closes end, or those without a price of now
  /// beside others with one.
  private static func earlyEnd(
    of history: ValueHistory, before final: Date, _ closes: [Sourced<[Resampling.DailyClose]>],
    _ latest: QuotesAnswer?
  ) -> String? {
    guard let coin = history.lackingAtEnd, let day = history.days.last?.day else {
      guard let latest, !latest.quotes.isEmpty, !latest.failures.isEmpty else { return nil }
      let coins = latest.failures.map { $0.coin.printable(limit: 80) }.joined(separator: " and ")
      return "leaves out today, because \(coins) has no price now"
    }
    let answer = closes.first { $0.about.coin == coin }
    let last = answer?.value.last { $0.day <= final }.map { " after \(($0.carriedFrom ?? $0.day).dayText)" } ?? ""
    return
      "ends on \(day.dayText) and not on \(final.dayText), because \(answer?.source ?? "no source") has no closes of "
      + coin.printable(limit: 80) + last
  }

  /// Returns the closes of the coins that are needed, one after the other, and the failures of those without.
  private static func closes(
    _ needs: [HistoryNeeds.Coin], _ ask: (HistoryNeeds.Coin) async throws -> Sourced<[Resampling.DailyClose]>
  ) async throws -> (found: [(coin: String, answer: Sourced<[Resampling.DailyClose]>)], [CoinFailure]) {
    var found: [(coin: String, answer: Sourced<[Resampling.DailyClose]>)] = []
    var failures: [CoinFailure] = []
    for need in needs {
      do {
        found.append((need.coin, try await ask(need)))
      } catch let error as BitpalError {
        failures.append(CoinFailure(coin: need.coin, error: error))
      }
    }
    return (found, failures)
  }

  /// The coins whose last price is carried forward for longer than any other's would be, and the day of the latest such price.
  package var carried: [(coin: String, pricedOn: Date)] {
    closes.compactMap { answer in
      answer.value.last { close in
        close.carriedFrom.map { close.day.since($0) > .seconds(86_400 * ValueHistory.carriedDays) } ?? false
      }.flatMap(\.carriedFrom).map { (answer.about.coin, $0) }
    }
  }

  /// The coins whose close of the last day but today may still change, and that day.
  package var provisional: [(coin: String, day: Date)] {
    closes.compactMap { answer in answer.value.last(where: \.isProvisional).map { (answer.about.coin, $0.day) } }
  }

  /// Predicates about the figures: the coins that they exclude and why, a beginning that is too late, prices that are carried
  /// forward, closes that are far from what was paid, and closes that may still change.
  package var remarks: [String] {
    let excluded = failures.filter { history.unknownCoins.contains($0.coin) }
    // The whole message is a line of its own, on standard error or in `errors`.
    return [lateStart?.text, earlyEnd].compactMap(\.self)
      + excluded.map { failure in
        "excludes \(failure.coin.printable(limit: 80)) (\(failure.error.code.rawValue.replacing("_", with: " ")))"
      }
      + carried.map { "carries forward the price of \($0.coin.printable(limit: 80)) since \($0.pricedOn.dayText)" }
      + history.strayedCoins.map {
        "has closes of \($0.printable(limit: 80)) far from what was paid on the day, "
          + (split.contains($0)
            ? "as if that were in the shares of after its split" : "as after a split that is not recorded")
      }
      + provisional.map { "takes a provisional close of \($0.coin.printable(limit: 80)) on \($0.day.dayText)" }
  }

  /// A sentence for a history without a day.
  package var emptyText: String {
    let unanswered = failures.first {
      history.unknownCoins.contains($0.coin) && ![.noData, .noPrice, .notFound].contains($0.error.code)
    }
    if let unanswered { return "\(unanswered.coin.printable(limit: 80)): \(unanswered.error.message)" }
    return history.unknownCoins.isEmpty
      ? "nothing was held then"
      : "nothing that was held then has a price: \(history.unknownCoins.map { $0.printable(limit: 80) }.joined(separator: ", "))"
  }

  /// Returns whether a range is long enough for one: a portfolio is valued by the day.
  package static func spans(_ range: ChartTimeRange, now: Date) -> Bool {
    // The year so far is as long as it is in its first days.
    if case .at = range.beginning { return true }
    return now.since(range.timeWindow(at: now).start.startOfDay) >= .seconds(2 * 86_400)
  }

  /// Returns the first day of a range; nil for all there is.
  package static func firstDay(of range: ChartTimeRange, now: Date) -> Date? {
    range.beginning == .ever ? nil : range.timeWindow(at: now).start.startOfDay
  }

  private static func latest(
    _ coins: [String], _ currency: String, _ service: PriceService, _ policy: FetchPolicy
  ) async throws -> QuotesAnswer {
    do {
      return try await PricesQuery(coins.map { service.name(ofID: $0) }, currency: currency).answer(
        by: service, policy: policy)
    } catch let error as BitpalError {
      // The days before today have their closes all the same.
      return QuotesAnswer(quotes: [], failures: coins.map { CoinFailure(coin: $0, error: error) })
    }
  }
}
