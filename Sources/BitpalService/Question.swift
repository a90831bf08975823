import BitpalModel
import BitpalProviders
import FoundationEssentials

/// A question as data: its coins, its kind and currency, the time to live of its answers, and the request that answers
/// it.
///
/// Quotes, details, lines, candles, the coin list and daily closes differ only in this value: every question is asked
/// by ``PriceService/ask(_:policy:)``.
struct Question<Value: Sendable>: Sendable {
  /// The answer of a provider.
  struct Said: Sendable {
    /// The answers, by coin.
    var answers: [String: AnswerContent] = [:]

    /// The failures, by coin, of the coins without an answer.
    var failures: [String: BitpalError] = [:]
    var warnings: [AnswerWarning] = []

    /// The provenance of answers that a relay passes on, by coin.
    var origins: [String: AnswerOrigin] = [:]

    /// The answers to other questions that came along.
    var carried: [AnswerKey: AnswerContent] = [:]
  }

  /// The capability with which a source answers; it may differ from source to source.
  let capability: @Sendable (ProviderDescriptor) -> Capability
  let kind: AnswerKey.Kind

  /// The ids of the coins; one empty text for the coin list.
  var coins: [String]

  /// The currency in lower case; empty for the coin list.
  let currency: String
  var range = ""

  /// The time for which an answer counts as fresh.
  var timeToLive: Duration

  /// Whether the question is about exchange rates; where that matters, it is never about coins at the same time.
  var isOfRates: Bool { coins.first.map { CurrencyCoin.currency(of: $0) != nil } ?? false }

  /// Whether the answer serves to convert another one.
  var isConversion = false

  /// Returns the question about one of its coins as part of a message.
  let description: @Sendable (_ coin: String) -> String

  /// Returns the value of an answer of its kind; nil for any other.
  let value: @Sendable (AnswerContent) -> Value?

  /// Returns the time that the source gives for the value; nil where its age has no meaning.
  var sourceTime: @Sendable (Value) -> Date? = { _ in nil }

  /// Merges a fetched answer with the stored one; nil when it replaces that.
  var merge: (@Sendable (_ stored: AnswerContent, _ fetched: AnswerContent) -> AnswerContent)?

  /// Asks a provider for some of the coins.
  let fetch: @Sendable (any PriceProvider, [String]) async throws -> Said

  /// Returns the key of the answer about a coin from a provider.
  func key(_ coin: String, from provider: any PriceProvider) -> AnswerKey {
    AnswerKey(
      provider: provider.descriptor.cacheIdentity, kind: kind, coin: coin, currency: currency, range: range)
  }

  /// Returns the same question about other coins.
  func about(_ coins: [String]) -> Question {
    var question = self
    question.coins = coins
    return question
  }

  /// Returns the same question with another time to live.
  func living(_ timeToLive: Duration) -> Question {
    var question = self
    question.timeToLive = timeToLive
    return question
  }

  /// The same question with the time to live of exchange rates, which most sources publish once a day.
  var keptAsRates: Question {
    var question = self
    question.timeToLive = max(timeToLive, ServiceSettings.ratesTimeToLive)
    return question
  }

  /// The same question, asked in order to convert another answer.
  var forConversion: Question {
    var question = self
    question.isConversion = true
    return question
  }

  /// Returns a description of stored answers for traces.
  func stored(_ answers: [Sourced<AnswerContent>]) -> String {
    if kind == .quote { return "\(answers.count) quote\(answers.count == 1 ? "" : "s") in \(currency)" }
    if case .coinList(let items)? = answers.first?.value { return "coin list (\(items.count) coins)" }
    return answers.first?.about.description ?? "nothing"
  }
}

extension Question where Value == CoinDetail {
  /// Returns the question for the market figures of a coin.
  static func detail(_ coin: String, currency: String, timeToLive: Duration) -> Question {
    Question(
      capability: { _ in .detail }, kind: .detail, coins: [coin], currency: currency, timeToLive: timeToLive,
      description: { "the detail of \($0) in \(currency)" },
      value: { if case .detail(let detail) = $0 { detail } else { nil } }, sourceTime: \.coin.lastUpdated,
      fetch: { provider, _ in
        let said = try await provider.detail(coin, currency: currency)
        return Said(answers: [coin: .detail(said.value)], warnings: said.warnings, origins: said.origins)
      })
  }
}

extension Question where Value == LineSeries {
  /// Returns the question for the line of a coin over a window.
  ///
  /// - Parameter key: The name of the window in the cache; nil for its length.
  static func line(
    _ coin: String, currency: String, window: TimeWindow, now: Date? = nil, key: String? = nil, timeToLive: Duration,
    description: String
  ) -> Question {
    Question(
      capability: { _ in .line }, kind: .line, coins: [coin], currency: currency, range: key ?? window.length.unitText,
      timeToLive: timeToLive, description: { _ in description },
      value: { if case .line(let series) = $0 { series } else { nil } },
      merge: { stored, fetched in
        guard case (.line(let stored), .line(let fetched)) = (stored, fetched) else { return fetched }
        return .line(SeriesRules.merge(stored, with: fetched, in: window))
      },
      fetch: { provider, _ in
        let said = try await window.askingToNow(now) { try await provider.line(coin, currency: currency, window: $0) }
        return Said(answers: [coin: .line(said.value)], warnings: said.warnings, origins: said.origins)
      })
  }

  /// Returns the question for the daily closes of a coin in UTC, for days that are over at `now`, each at the start of
  /// its day.
  ///
  /// They come from daily candles where the source has them, otherwise from its line.
  ///
  /// - Parameters:
  ///   - days: The first and the last day that are wanted. A file of prices that has none of them has no answer.
  ///   - needed: The minimum length of the window. A year is asked for where the source reaches that far: it costs no
  ///     more than a day, and its samples lie on the grid of days.
  static func closes(
    _ coin: String, currency: String, days: ClosedRange<Date>, reaching needed: Duration, now: Date
  ) -> Question {
    Question(
      capability: \.capabilityOfCloses, kind: .line, coins: [coin], currency: currency,
      range: "\(max(needed, ProviderDescriptor.closesWindow).unitText)/closes",
      timeToLive: ServiceSettings.closesTimeToLive, description: { "the daily closes of \($0) in \(currency)" },
      value: { if case .line(let series) = $0 { series } else { nil } },
      fetch: { provider, _ in
        let window = TimeWindow(ending: now, length: provider.descriptor.lengthOfCloses(reaching: needed))
        let said = try await provider.closes(coin, currency: currency, window: window, now: now)
        let closes = said.value
        if provider.descriptor.hasStepPrices, !closes.contains(where: { days.contains($0.day) }) {
          let last = closes.last.map { "; its last is of \($0.dateText)" } ?? ""
          throw BitpalError.noData(
            question: "\(coin) in \(currency) on \(days.lowerBound.dayText)\(last)", provider: provider.descriptor.id)
        }
        let points = closes.map { ChartDataPoint(timestamp: $0.day, price: $0.price) }
        let series = LineSeries(
          points: points, isDaily: true, settles: closes.last?.isProvisional == true ? .distantFuture : nil)
        return Said(answers: [coin: .line(series)], warnings: said.warnings, origins: said.origins)
      })
  }
}

extension Question where Value == CandleSeries {
  /// Returns the question for the candles of a coin over a window, made from the source's width nearest to `width`.
  ///
  /// - Parameter key: The name of the window in the cache; nil for its length.
  static func candles(
    _ coin: String, currency: String, window: TimeWindow, now: Date? = nil, key: String? = nil, width: Duration,
    timeToLive: Duration, description: String
  ) -> Question {
    Question(
      capability: { _ in .candles }, kind: .candles, coins: [coin], currency: currency,
      range: "\(key ?? window.length.unitText)/\(width.unitText)", timeToLive: timeToLive,
      description: { _ in description },
      value: { if case .candles(let series) = $0 { series } else { nil } },
      merge: { stored, fetched in
        guard case (.candles(let stored), .candles(let fetched)) = (stored, fetched) else { return fetched }
        return .candles(SeriesRules.merge(stored, with: fetched, in: window.beginning(onGridOf: width)))
      },
      fetch: { provider, _ in
        let native = Resampling.nativeWidth(for: width, among: provider.descriptor.candleWidths)
        // The first wide candle is made from all of its narrow ones.
        let isMade = native != width && Resampling.divides(native, width)
        func ask(_ window: TimeWindow) async throws -> ProviderAnswer<CandleSeries> {
          try await window.askingToNow(now) {
            try await provider.candles(coin, currency: currency, window: $0, width: native)
          }
        }
        if isMade, !provider.descriptor.candlesFollowWindow {
          do {
            let said = try await ask(window.beginning(onGridOf: width))
            return Said(answers: [coin: .candles(said.value)], warnings: said.warnings, origins: said.origins)
          } catch let error as BitpalError where error.code == .planLimit {
            // The plan ends in the middle of the first candle.
          }
        }
        let said = try await ask(window)
        let series = isMade ? said.value.withoutPart(of: width, cutBy: window) : said.value
        return Said(answers: [coin: .candles(series)], warnings: said.warnings, origins: said.origins)
      })
  }

  /// Returns the question for the daily candles of a coin over a window.
  ///
  /// - Parameter key: The name of the window in the cache.
  static func dayCandles(
    _ coin: String, currency: String, window: TimeWindow, now: Date, key: String, timeToLive: Duration,
    description: String
  ) -> Question {
    Question(
      capability: { _ in .candles }, kind: .candles, coins: [coin], currency: currency, range: "\(key)/days",
      timeToLive: timeToLive, description: { _ in description },
      value: { if case .candles(let series) = $0 { series } else { nil } },
      fetch: { provider, _ in
        let said = try await window.askingToNow(now) {
          try await provider.dayCandles(coin, currency: currency, window: $0)
        }
        return Said(answers: [coin: .candles(said.value)], warnings: said.warnings, origins: said.origins)
      })
  }
}

extension Question where Value == [CoinListItem] {
  /// Returns the question for every coin that a source knows.
  static func coinList(timeToLive: Duration) -> Question {
    Question(
      capability: { _ in .coinList }, kind: .coinList, coins: [""], currency: "", timeToLive: timeToLive,
      description: { _ in "the coin list" }, value: { if case .coinList(let items) = $0 { items } else { nil } },
      fetch: { provider, _ in
        let said = try await provider.coinList()
        return Said(answers: ["": .coinList(said.value)], warnings: said.warnings, origins: said.origins)
      })
  }
}

extension ProviderDescriptor {
  /// The length of a day, and the shortest window of closes that is asked for.
  fileprivate static let day = Duration.seconds(86_400)
  fileprivate static let closesWindow = day * 365

  /// The capability that gives daily closes: candles where the source has daily ones or no line, otherwise the line.
  var capabilityOfCloses: Capability {
    let hasDays = capabilities.contains(.candles) && candleWidths.contains(Self.day)
    return hasDays || !capabilities.contains(.line) ? .candles : .line
  }

  /// Whether its market is closed at times, as those of shares and banks are, so that no price has to follow a close.
  var hasPauses: Bool { maxAge >= Self.day && maxAge < Self.day * 30 }

  /// Whether the price of a day no longer changes, of which the source had nothing later.
  ///
  /// - Parameters:
  ///   - end: The instant at which the day is over in the zone of its market.
  ///   - instant: The instant at which the source was asked.
  func settlesLastDay(endingAt end: Date, askedAt instant: Date) -> Bool {
    hasStepPrices || hasPauses && end <= instant
  }

  /// Returns the length of a window of closes that spans at least `needed`, and a year where the source reaches that
  /// far.
  fileprivate func lengthOfCloses(reaching needed: Duration) -> Duration {
    let reach =
      reach[capabilityOfCloses].map { reach in
        switch reach.cause {
        case .plan: reach.longest
        case .latest(let rows): min(reach.longest, Self.day * rows)
        case .requests(let count, let rows): min(reach.longest, Self.day * rows * count)
        }
      } ?? Self.closesWindow
    // The first day may lie in a pause of trading; the day before the pause then shows that the source reaches that
    // far.
    let pause = hasPauses ? maxAge : .zero
    return max(needed + pause, min(Self.closesWindow, reach))
  }
}

extension TimeWindow {
  /// Asks a source about the window, and about all the time since its start when the source does not answer about a
  /// past window.
  ///
  /// - Parameter now: The end of the second question; nil for a window that ends now, which is asked for once.
  /// - Throws: The error of `ask`.
  fileprivate func askingToNow<Value>(
    _ now: Date?, _ ask: (TimeWindow) async throws -> ProviderAnswer<Value>
  ) async throws -> ProviderAnswer<Value> {
    do {
      return try await ask(self)
    } catch let error as BitpalError where isPast && error.has(.mayHaveShorterRange) {
      guard let now else { throw error }
      do {
        return try await ask(TimeWindow(start: start, end: now))
      } catch let other as BitpalError where other.has(.mayHaveShorterRange) {
        // Without anything since its beginning, the window is not what is wrong.
        throw other.code == .noData ? other : error
      }
    }
  }
}

extension PriceProvider {
  /// Returns the closes of the days of a window that are over at `now`, the last one marked where it may still change.
  ///
  /// A close is final when the source has a later price, or when it pauses and the day is over in the zone of its market.
  ///
  /// - Throws: `.unreadable` for days that begin at another time than midnight in UTC and of which nothing says whose they
  ///   are; otherwise the failure of the source.
  fileprivate func closes(
    _ coin: String, currency: String, window: TimeWindow, now: Date
  ) async throws -> ProviderAnswer<[Resampling.DailyClose]> {
    let day = Duration.seconds(86_400)
    func closes(
      _ closes: [Resampling.DailyClose], newest: Date?, settles: Date?
    ) -> [Resampling.DailyClose] {
      guard let last = closes.last, let newest, newest < last.day.adding(day) else { return closes }
      let isFinal =
        descriptor.hasCloses
        ? settles == nil : descriptor.settlesLastDay(endingAt: settles ?? last.day.adding(day), askedAt: now)
      return isFinal ? closes : closes.dropLast() + [.init(day: last.day, price: last.price, isProvisional: true)]
    }
    if descriptor.capabilityOfCloses == .candles {
      let said = try await dayCandles(coin, currency: currency, window: window)
      let (series, newest) = (said.value, said.value.candles.last?.timestamp)
      return said.map { _ in closes(Resampling.dailyCloses(series, now: now), newest: newest, settles: series.settles) }
    }
    let said = try await line(coin, currency: currency, window: descriptor.hasCloses ? window.ofCloses : window)
    let (series, newest) = (said.value, said.value.points.last?.timestamp)
    if let start = Resampling.startOfForeignDays(series) { throw foreignDays(start) }
    return said.map { _ in closes(Resampling.dailyCloses(series, now: now), newest: newest, settles: series.settles) }
  }

  /// Returns the failure of days that are not those of UTC, by the beginning of one of them.
  private func foreignDays(_ start: Date) -> BitpalError {
    .unreadable(
      provider: descriptor.id,
      reason:
        "its days begin at \(start.utcMinuteText.suffix(6)), so they are not days of UTC, and nothing says whose they "
        + "are (days: in its provider file)")
  }

  /// Returns the daily candles of a window, resampled from narrower ones where the source has only those.
  ///
  /// - Throws: `.noData` when the source answers with wider ones; otherwise the failure of the source.
  fileprivate func dayCandles(
    _ coin: String, currency: String, window: TimeWindow
  ) async throws -> ProviderAnswer<CandleSeries> {
    let day = Duration.seconds(86_400)
    let native = Resampling.nativeWidth(for: day, among: descriptor.candleWidths)
    let answer = try await candles(coin, currency: currency, window: window, width: native)
    let series = Resampling.candles(answer.value, wanted: day)
    guard series.width == day else {
      throw BitpalError.noData(
        question: "candles of a day of \(coin) in \(currency); it has them of \(series.width.unitText)",
        provider: descriptor.id)
    }
    if let start = Resampling.startOfForeignDays(answer.value) { throw foreignDays(start) }
    return answer.map { _ in series }
  }
}
