import BitpalCache
package import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The other coins that a request carries, and the answers to other questions that come with its own.
extension PriceService {
  /// Returns the coins with which a request for quotes is filled; none at a source that has no room for them.
  ///
  /// No other request carries them until they are released.
  func companions<Value>(
    of question: Question<Value>, _ coins: [String], at provider: any PriceProvider
  ) -> [String] {
    let descriptor = provider.descriptor
    guard let room = descriptor.room, question.capability(descriptor) == .quotes else { return [] }
    let packing = Packing(room: room, timeToLive: settings.quotesTimeToLive)
    return recentCoins.reserve(at: descriptor.cacheIdentity, in: question.currency) {
      packing.companions(of: coins, among: $0, at: time.now)
    }
  }

  /// Records the prices that were asked for at sources with room, and those for which a source could not be asked.
  ///
  /// A coin that a source does not have is not recorded.
  func noteAsked<Value>(_ question: Question<Value>, _ progress: Progress<Value>, of sources: [any PriceProvider]) {
    for provider in sources where provider.descriptor.room != nil {
      let (id, identity) = (provider.descriptor.id, provider.descriptor.cacheIdentity)
      let answered = progress.answers.values.filter { $0.about.provider == identity }
      let refused = progress.failures.filter { coin, failures in
        progress.answers[coin] == nil && failures.contains { $0.provider == id && $0.error.isOfSource }
      }
      recentCoins.note(
        answered.map { ($0.about, $0.fetchedAt) } + refused.keys.map { (question.key($0, from: provider), nil) },
        at: time.now, for: question.timeToLive)
    }
  }

  /// Returns the additional answers of a request, in the form in which the cache stores them.
  func carriedAnswers<Value>(
    of said: Question<Value>.Said, _ question: Question<Value>, _ companions: [String],
    from provider: any PriceProvider, at now: Date
  ) -> [Sourced<AnswerContent>] {
    var contents = said.carried
    for coin in companions { contents[question.key(coin, from: provider)] = said.answers[coin] }
    recentCoins.noteFetched(contents.keys.filter { $0.kind == .quote }, at: now)
    return contents.filter { isWorthKeeping($0.key, at: now) }.map { key, content in
      said.sourced(content, about: key, from: provider.descriptor.id, at: now)
    }
  }

  /// Whether the cache stores an additional answer: the line of a week changes once per hour, and is large.
  private func isWorthKeeping(_ key: AnswerKey, at now: Date) -> Bool {
    guard key.kind == .line, let stored = cache.answer(for: key)?.answer else { return true }
    let age = now.since(stored.fetchedAt)
    return age < .zero || age >= WeekLine.shortestAge
  }
}

extension PriceService {
  /// The sources whose quotes include market figures and weeks.
  private var figureSources: [any PriceProvider] { providers.filter { $0.descriptor.quotesCarryFigures } }

  /// Returns the market figures of coins, as far as the cache or a quotes request has them.
  ///
  /// A source that would need one request per coin is not asked.
  ///
  /// - Parameter ids: The coins, each by its id.
  /// - Throws: `CancellationError`.
  package func details(ofIDs ids: [String], currency: String) async throws -> [String: Sourced<CoinDetail>] {
    let question = Question.details(ids, currency: currency, timeToLive: settings.detailTimeToLive)
    return try await askSources(question, of: figureSources, policy: .normal).compactMapValues { try? $0.get() }
  }

  /// Returns the lines of the last seven days of coins for small drawings, or the failures.
  ///
  /// A source whose quotes include them is asked once for all coins. Any other is asked coin by coin until it refuses,
  /// because a source that refuses one request for all coins refuses the next too.
  ///
  /// - Parameter ids: The coins, each by its id.
  /// - Throws: `CancellationError`.
  package func weeks(
    ofIDs ids: [String], currency: String
  ) async throws -> [String: Result<LineSeries, BitpalError>] {
    let sources = figureSources
    guard sources.isEmpty else {
      let outcomes = try await askSources(.weeks(ids, currency: currency), of: sources, policy: .normal)
      return outcomes.mapValues { $0.map(\.value) }
    }
    var weeks: [String: Result<LineSeries, BitpalError>] = [:]
    var refusal: BitpalError?
    for id in ids {
      do {
        if let refusal { throw refusal }
        weeks[id] = .success(try await line(name(ofID: id), range: .week, currency: currency).value)
      } catch let error as BitpalError {
        if error.has(.abortsBatch) { refusal = error }
        weeks[id] = .failure(error)
      }
    }
    return weeks
  }

  /// Returns the line of the last seven days of a coin for a small drawing, by any of its names.
  ///
  /// - Throws: `BitpalError` when no source has it; `CancellationError`.
  package func week(_ name: String, currency: String) async throws -> LineSeries {
    try await withResolved(name, policy: .normal) { id in
      guard let week = try await weeks(ofIDs: [id], currency: currency)[id] else { throw CancellationError() }
      return try week.get()
    }
  }

  /// Returns the cached line of the last seven days of a coin, at any age, without asking a source; nil when there is
  /// none.
  package func cachedWeek(ofID id: String, currency: String) -> LineSeries? {
    let window = ChartTimeRange.week.timeWindow(at: time.now)
    let carried = cachedLine(of: id, from: providers, currency: currency, range: WeekLine.range)
      .map { SeriesRules.cut($0, to: window) }
    return [cachedLine(id, range: .week, currency: currency), carried].compactMap(\.self)
      .max { ($0.points.last?.timestamp ?? .distantPast) < ($1.points.last?.timestamp ?? .distantPast) }
      .flatMap { $0.points.isEmpty ? nil : $0 }
  }
}

extension ChartTimeRange {
  /// The last seven days.
  fileprivate static let week = ChartTimeRange(
    name: "7d", window: .seconds(7 * 86_400), points: 96, candle: .seconds(4 * 3600), timeToLive: .seconds(900))
}

extension AnswerWarning {
  /// Whether the warning concerns one of some coins.
  func isAbout(_ coins: [String]) -> Bool {
    switch self {
    case .leftOutFigure(_, let coin, _), .sourceClockAhead(let coin, _), .differs(let coin, _, _, _, _),
      .unconverted(_, let coin), .provisional(let coin, _, _):
      coins.contains(coin)
    case .droppedRows, .roundedNumbers, .withoutRate: false
    }
  }
}
