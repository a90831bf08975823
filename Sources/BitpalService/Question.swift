import BitpalModel
import BitpalProviders
import FoundationEssentials

/// What is asked, as data: about how many coins it is, how it is told of, how long its answers live, whom it needs.
///
/// Quotes, details, lines, candles, the coin list and daily closes differ in this value, and in nothing else: there is
/// one way to ask, ``PriceService/ask(_:policy:)``.
struct Question<Value: Sendable>: Sendable {
  /// What a provider says to it.
  struct Said: Sendable {
    /// The answers, by coin.
    var answers: [String: AnswerContent] = [:]

    /// Why the others have none.
    var failures: [String: BitpalError] = [:]
    var warnings: [AnswerWarning] = []

    /// The provenance of answers that a relay passes on, by coin.
    var origins: [String: AnswerOrigin] = [:]

    /// Answers to other questions that came with them.
    var carried: [AnswerKey: AnswerContent] = [:]
  }

  /// The capability with which a source answers; it may differ from source to source.
  let capability: @Sendable (ProviderDescriptor) -> Capability
  let kind: AnswerKey.Kind

  /// The ids of the coins; one empty text for the coin list.
  var coins: [String]

  /// Empty for the coin list.
  let currency: String
  var range = ""

  /// How long an answer counts as fresh.
  var timeToLive: Duration

  /// Whether it is about what currencies cost; it is never about coins too, where that matters.
  var isOfRates: Bool { coins.first.map { CurrencyCoin.currency(of: $0) != nil } ?? false }

  /// Whether the answer is to convert another.
  var isConversion = false

  /// The question about one of its coins, for people.
  let words: @Sendable (_ coin: String) -> String

  /// The value that an answer of its kind holds; nil for any other.
  let value: @Sendable (AnswerContent) -> Value?

  /// The time that the source gives for the value; nil where its age says nothing.
  var sourceTime: @Sendable (Value) -> Date? = { _ in nil }

  /// Lays what was fetched over what is stored; nil when it takes the place of that.
  var merge: (@Sendable (_ stored: AnswerContent, _ fetched: AnswerContent) -> AnswerContent)?

  /// Asks a provider for some of the coins.
  let fetch: @Sendable (any PriceProvider, [String]) async throws -> Said

  /// What names the answer for a coin from a provider.
  func key(_ coin: String, from provider: any PriceProvider) -> AnswerKey {
    AnswerKey(
      provider: provider.descriptor.cacheIdentity, kind: kind, coin: coin, currency: currency, range: range)
  }

  /// The same question about others of its coins.
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

  /// The same question with answers that keep as long as what currencies cost, which most sources say once a day.
  var keptAsRates: Question {
    var question = self
    question.timeToLive = max(timeToLive, ServiceSettings.ratesTimeToLive)
    return question
  }

  /// The same question, asked to convert another answer.
  var forConversion: Question {
    var question = self
    question.isConversion = true
    return question
  }

  /// What was stored, for traces.
  func stored(_ answers: [Sourced<AnswerContent>]) -> String {
    if kind == .quote { return "\(answers.count) quote\(answers.count == 1 ? "" : "s") in \(currency)" }
    if case .coinList(let items)? = answers.first?.value { return "coin list (\(items.count) coins)" }
    return answers.first?.about.description ?? "nothing"
  }
}

extension Question where Value == CoinDetail {
  /// The market figures of a coin.
  static func detail(_ coin: String, currency: String, timeToLive: Duration) -> Question {
    Question(
      capability: { _ in .detail }, kind: .detail, coins: [coin], currency: currency, timeToLive: timeToLive,
      words: { "the detail of \($0) in \(currency)" },
      value: { if case .detail(let detail) = $0 { detail } else { nil } }, sourceTime: \.coin.lastUpdated,
      fetch: { provider, _ in
        let said = try await provider.detail(coin, currency: currency)
        return Said(answers: [coin: .detail(said.value)], warnings: said.warnings, origins: said.origins)
      })
  }
}

extension Question where Value == LineSeries {
  /// The line of a coin over a window.
  ///
  /// - Parameter key: What names the window in the cache; nil for its length.
  static func line(
    _ coin: String, currency: String, window: TimeWindow, now: Date? = nil, key: String? = nil, timeToLive: Duration,
    words: String
  ) -> Question {
    Question(
      capability: { _ in .line }, kind: .line, coins: [coin], currency: currency, range: key ?? window.length.unitText,
      timeToLive: timeToLive, words: { _ in words },
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

  /// The daily closes of a coin in UTC, for days that are over at `now`, each stamped with the beginning of its day.
  ///
  /// They come from candles of a day where the source has them, otherwise from its line: a source is asked for what it has.
  ///
  /// - Parameters:
  ///   - days: The first and the last day that are wanted. A file of prices that has none of them has no answer.
  ///   - needed: How far back they must go. A year is asked for where the source reaches that far, because an answer for a
  ///     year costs no more than one for a day, and has its samples on the grid of days.
  static func closes(
    _ coin: String, currency: String, days: ClosedRange<Date>, reaching needed: Duration, now: Date
  ) -> Question {
    Question(
      capability: \.capabilityOfCloses, kind: .line, coins: [coin], currency: currency,
      range: "\(max(needed, ProviderDescriptor.closesWindow).unitText)/closes",
      timeToLive: ServiceSettings.closesTimeToLive, words: { "the daily closes of \($0) in \(currency)" },
      value: { if case .line(let series) = $0 { series } else { nil } },
      fetch: { provider, _ in
        let window = TimeWindow(ending: now, length: provider.descriptor.lengthOfCloses(reaching: needed))
        let closes: [Resampling.DailyClose]
        let (warnings, origins): ([AnswerWarning], [String: AnswerOrigin])
        if provider.descriptor.capabilityOfCloses == .candles {
          let said = try await provider.dayCandles(coin, currency: currency, window: window)
          (closes, warnings, origins) = (Resampling.dailyCloses(said.value, now: now), said.warnings, said.origins)
        } else {
          let window = provider.descriptor.hasCloses ? window.ofCloses : window
          let said = try await provider.line(coin, currency: currency, window: window)
          (closes, warnings, origins) = (Resampling.dailyCloses(said.value, now: now), said.warnings, said.origins)
        }
        if provider.descriptor.pricesStand, !closes.contains(where: { days.contains($0.day) }) {
          let last = closes.last.map { "; its last is of \($0.dateText)" } ?? ""
          throw BitpalError.noData(
            question: "\(coin) in \(currency) on \(days.lowerBound.dayText)\(last)", provider: provider.descriptor.id)
        }
        let points = closes.map { ChartDataPoint(timestamp: $0.day, price: $0.price) }
        return Said(
          answers: [coin: .line(LineSeries(points: points, isDaily: true))], warnings: warnings, origins: origins)
      })
  }
}

extension Question where Value == CandleSeries {
  /// The candles of a coin over a window, made of those of the source that are nearest to `width`.
  ///
  /// - Parameter key: What names the window in the cache; nil for its length.
  static func candles(
    _ coin: String, currency: String, window: TimeWindow, now: Date? = nil, key: String? = nil, width: Duration,
    timeToLive: Duration, words: String
  ) -> Question {
    Question(
      capability: { _ in .candles }, kind: .candles, coins: [coin], currency: currency,
      range: "\(key ?? window.length.unitText)/\(width.unitText)", timeToLive: timeToLive, words: { _ in words },
      value: { if case .candles(let series) = $0 { series } else { nil } },
      merge: { stored, fetched in
        guard case (.candles(let stored), .candles(let fetched)) = (stored, fetched) else { return fetched }
        return .candles(SeriesRules.merge(stored, with: fetched, in: window.beginning(onGridOf: width)))
      },
      fetch: { provider, _ in
        let native = Resampling.nativeWidth(for: width, among: provider.descriptor.candleWidths)
        // The first of the wide candles is made of all of its narrow ones.
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
          } catch let error as BitpalError where [.planLimit, .notRecorded].contains(error.code) {
            // The plan ends in the midst of the first candle, or the recording is of a version that asked for less.
          }
        }
        let said = try await ask(window)
        let series = isMade ? said.value.withoutPart(of: width, cutBy: window) : said.value
        return Said(answers: [coin: .candles(series)], warnings: said.warnings, origins: said.origins)
      })
  }

  /// The candles of whole days of a coin over a window.
  ///
  /// - Parameter key: The name of the window in the cache.
  static func dayCandles(
    _ coin: String, currency: String, window: TimeWindow, now: Date, key: String, timeToLive: Duration, words: String
  ) -> Question {
    Question(
      capability: { _ in .candles }, kind: .candles, coins: [coin], currency: currency, range: "\(key)/days",
      timeToLive: timeToLive, words: { _ in words },
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
  /// Every coin that a source knows.
  static func coinList(timeToLive: Duration) -> Question {
    Question(
      capability: { _ in .coinList }, kind: .coinList, coins: [""], currency: "", timeToLive: timeToLive,
      words: { _ in "the coin list" }, value: { if case .coinList(let items) = $0 { items } else { nil } },
      fetch: { provider, _ in
        let said = try await provider.coinList()
        return Said(answers: ["": .coinList(said.value)], warnings: said.warnings, origins: said.origins)
      })
  }
}

extension ProviderDescriptor {
  /// A day, and the window of closes that is asked for at least.
  fileprivate static let day = Duration.seconds(86_400)
  fileprivate static let closesWindow = day * 365

  /// The capability that gives daily closes: candles where there are some of a day, or no line.
  var capabilityOfCloses: Capability {
    let hasDays = capabilities.contains(.candles) && candleWidths.contains(Self.day)
    return hasDays || !capabilities.contains(.line) ? .candles : .line
  }

  /// The length of a window of closes that goes back so far at least, and to a year where the source does.
  fileprivate func lengthOfCloses(reaching needed: Duration) -> Duration {
    let reach =
      reach[capabilityOfCloses].map { reach in
        switch reach.cause {
        case .plan: reach.longest
        case .latest(let rows): min(reach.longest, Self.day * rows)
        case .requests(let count, let rows): min(reach.longest, Self.day * rows * count)
        }
      } ?? Self.closesWindow
    // The first day may lie in a pause of trade, and then the day before the pause shows that the source reaches that far.
    let pause = maxAge >= Self.day && maxAge < Self.day * 30 ? maxAge : .zero
    return max(needed + pause, min(Self.closesWindow, reach))
  }
}

extension TimeWindow {
  /// Asks a source about the window, and about all the time since its beginning when the source does not answer about a time
  /// that is over.
  ///
  /// - Parameter now: The instant to which it is asked then; nil for a window that ends now.
  fileprivate func askingToNow<Value>(
    _ now: Date?, _ ask: (TimeWindow) async throws -> ProviderAnswer<Value>
  ) async throws -> ProviderAnswer<Value> {
    do {
      return try await ask(self)
    } catch let error as BitpalError where isPast && error.has(.isAboutReach) {
      guard let now else { throw error }
      do {
        return try await ask(TimeWindow(start: start, end: now))
      } catch let other as BitpalError where other.has(.isAboutReach) {
        throw error
      }
    }
  }
}

extension PriceProvider {
  /// Candles of a day that cover the window, put together from narrower ones where the source has only those.
  ///
  /// - Throws: `.noData` when the source answers with wider ones.
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
    return answer.map { _ in series }
  }
}
