import BitpalModel
import BitpalProviders
import FoundationEssentials

/// A question of the service: the query of a provider, with what asking adds to it.
///
/// Every question is asked by ``Asker/ask(_:policy:)``; quotes, details, lines, candles, the coin list and daily closes
/// differ only in this value.
struct Question: Sendable {
  /// The part of the sources' answers that is wanted.
  enum Form: Hashable, Sendable {
    /// The answer to the query itself.
    case plain

    /// The market figures that come with quotes.
    case figures

    /// The prices of the last seven days that come with quotes.
    case week

    /// The closes of days in UTC, from candles of a day where the source has them, otherwise from a line.
    ///
    /// A file of prices that has no price on any of the days has no answer. A year is asked for where the source reaches
    /// that far, because it costs no more than a day, and its samples lie on the grid of days.
    case closes(days: ClosedRange<Date>, reaching: Duration)

    /// Candles of a day, made from narrower ones where the source has only those.
    case days

    /// A page of all coins, in the place of the largest ones.
    case ranked(RankedPage)
  }

  /// The query, about all coins of the question.
  var query: ProviderQuery
  var form = Form.plain

  /// The name of the window in the cache; empty for a question without one.
  var range = ""

  /// The time for which an answer counts as fresh.
  var timeToLive: Duration

  /// The present, to which a source is asked that does not answer about a past window; nil for a window that ends now.
  var now: Date?

  /// The question as part of a message; nil for its usual words.
  var description: String?

  /// Whether the answer serves to convert another one.
  var isConversion = false

  /// The ids of the coins; one empty text for the coin list and for the largest coins.
  var coins: [String] { query.kind == .coinList ? [""] : query.coins }

  /// The currency in lower case; empty for the coin list.
  var currency: String { query.currency ?? "" }

  /// The kind of the answers.
  var kind: AnswerKey.Kind {
    switch form {
    case .plain, .ranked: query.kind
    case .figures: .detail
    case .week, .closes: .line
    case .days: .candles
    }
  }

  /// Whether the question is about exchange rates; where that matters, it is never about coins at the same time.
  var isOfRates: Bool { coins.first.map { CurrencyCoin.currency(of: $0) != nil } ?? false }

  /// Returns the capability with which a source answers.
  func capability(_ descriptor: ProviderDescriptor) -> Capability {
    switch (form, query) {
    case (.closes, _): descriptor.capabilityOfCloses
    case (.plain, .line): descriptor.capabilityOfLines
    default: query.capability
    }
  }

  /// Returns the key of the answer about a coin from a provider.
  func key(_ coin: String, from provider: any PriceProvider) -> AnswerKey {
    if case .top(let currency) = query {
      // A list of its own beside the list of all coins, which is found by its provider alone.
      let order =
        if case .ranked(let page) = form { (page.isByVolume ? "traded " : "top ") + "\(page.number)" } else { "top" }
      return AnswerKey(provider: "\(provider.descriptor.cacheIdentity) \(order) \(currency)", kind: .coinList)
    }
    var range = range
    if case .closes(let days, let needed) = form, let now = query.window?.end,
      case let window = provider.descriptor.windowOfCloses(of: days, reaching: needed, now: now), window.isPast
    {
      range = "\(window.start.dayText)/\(window.end.dayText)/closes"
    }
    return AnswerKey(
      provider: provider.descriptor.cacheIdentity, kind: kind, coin: coin, currency: currency, range: range)
  }

  /// Returns the question about one of its coins as part of a message.
  func text(about coin: String) -> String {
    if let description { return description }
    switch (form, query) {
    case (.closes, _): return "the daily closes of \(coin) in \(currency)"
    case (.ranked(let page), _): return "the coins by \(page.isByVolume ? "volume" : "market value") in \(currency)"
    case (_, .top): return "the largest coins in \(currency)"
    case (.week, _): return "the week of \(coin) in \(currency)"
    case (_, .coinList): return "the coin list"
    case (.plain, .quotes): return "the price of \(coin) in \(currency)"
    default: return "the \(kind.rawValue) of \(coin) in \(currency)"
    }
  }

  /// Whether a fetched answer is merged with the stored one.
  var grows: Bool { form == .plain && query.window != nil }

  /// Returns a fetched answer with what the stored one has in addition: a line and candles grow.
  func merged(_ stored: Answer, with fetched: Answer) -> Answer {
    switch (form, query, stored, fetched) {
    case (.plain, .line(_, _, let window), .line(let stored), .line(let fetched)):
      .line(SeriesRules.merge(stored, with: fetched, in: window))
    case (.plain, .candles(_, _, let window, let width), .candles(let stored), .candles(let fetched)):
      .candles(SeriesRules.merge(stored, with: fetched, in: window.onGrid(of: width, until: now)))
    default: fetched
    }
  }

  /// Returns whether an answer of some instant has any of what is asked: closes and candles of days are those of days that
  /// are over.
  func mayBeAnswered(at instant: Date) -> Bool {
    let first: Date? =
      switch form {
      case .closes(let days, _): days.lowerBound
      case .days: query.window?.start
      case .plain, .figures, .week, .ranked: nil
      }
    return first.map { instant >= $0.startOfDay.adding(.seconds(86_400)) } ?? true
  }

  /// Returns the same question about other coins.
  func about(_ coins: [String]) -> Question {
    var question = self
    question.query = query.about(coins)
    return question
  }

  /// Returns the same question with another time to live.
  func living(_ timeToLive: Duration) -> Question {
    var question = self
    question.timeToLive = timeToLive
    return question
  }

  /// Returns the time for which an answer of a source counts as fresh: of a series that may be restated, a day at most.
  func timeToLive(at source: ProviderDescriptor) -> Duration {
    let isRestated = query.window != nil && coins.contains(where: source.restatesSeries)
    return isRestated ? min(timeToLive, .seconds(86_400)) : timeToLive
  }

  /// The same question with the time to live of exchange rates, which most sources publish once a day.
  var keptAsRates: Question { living(max(timeToLive, ServiceSettings.ratesTimeToLive)) }

  /// The same question, asked in order to convert another answer.
  var forConversion: Question {
    var question = self
    question.isConversion = true
    return question
  }

  /// Returns a description of stored answers for traces.
  func stored(_ answers: [Sourced<Answer>]) -> String {
    if kind == .quote { return "\(answers.count) quote\(answers.count == 1 ? "" : "s") in \(currency)" }
    if case .coinList(let items)? = answers.first?.value { return "coin list (\(items.count) coins)" }
    return answers.first?.about.description ?? "nothing"
  }
}

extension Question {
  /// Returns the question for the latest prices of coins, or for the figures or weeks that come with them.
  static func quotes(
    _ coins: [String], currency: String, form: Form = .plain, timeToLive: Duration
  ) -> Question {
    Question(
      query: .quotes(coins: coins, currency: currency), form: form, range: form == .week ? WeekLine.range : "",
      timeToLive: timeToLive)
  }

  /// Returns the question for the market figures of a coin.
  static func detail(_ coin: String, currency: String, timeToLive: Duration) -> Question {
    Question(query: .detail(coin: coin, currency: currency), timeToLive: timeToLive)
  }

  /// Returns the question for the line of a coin over a window.
  ///
  /// - Parameter key: The name of the window in the cache; nil for its length.
  static func line(
    _ coin: String, currency: String, window: TimeWindow, now: Date? = nil, key: String? = nil, timeToLive: Duration,
    description: String
  ) -> Question {
    Question(
      query: .line(coin: coin, currency: currency, window: window), range: key ?? window.length.unitText,
      timeToLive: timeToLive, now: now, description: description)
  }

  /// Returns the question for the daily closes of a coin in UTC, for days that are over at `now`, each at the start of
  /// its day.
  ///
  /// - Parameters:
  ///   - days: The first and the last day that are wanted.
  ///   - needed: The minimum length of the window.
  static func closes(
    _ coin: String, currency: String, days: ClosedRange<Date>, reaching needed: Duration, now: Date
  ) -> Question {
    let length = max(needed, ProviderDescriptor.closesWindow)
    return Question(
      query: .line(coin: coin, currency: currency, window: TimeWindow(ending: now, length: length)),
      form: .closes(days: days, reaching: needed), range: "\(length.unitText)/closes",
      timeToLive: ServiceSettings.closesTimeToLive, now: now)
  }

  /// Returns the question for the candles of a coin over a window, made from the source's width nearest to `width`.
  ///
  /// - Parameter key: The name of the window in the cache; nil for its length.
  static func candles(
    _ coin: String, currency: String, window: TimeWindow, now: Date? = nil, key: String? = nil, width: Duration,
    timeToLive: Duration, description: String
  ) -> Question {
    Question(
      query: .candles(coin: coin, currency: currency, window: window, width: width),
      range: "\(key ?? window.length.unitText)/\(width.unitText)", timeToLive: timeToLive, now: now,
      description: description)
  }

  /// Returns the question for the daily candles of a coin over a window.
  ///
  /// - Parameter key: The name of the window in the cache.
  static func dayCandles(
    _ coin: String, currency: String, window: TimeWindow, now: Date, key: String, timeToLive: Duration,
    description: String
  ) -> Question {
    Question(
      query: .candles(coin: coin, currency: currency, window: window, width: .seconds(86_400)), form: .days,
      range: "\(key)/days", timeToLive: timeToLive, now: now, description: description)
  }

  /// Returns the question for the largest coins by market value, or for another page of all coins.
  static func top(in currency: String, page: RankedPage? = nil, timeToLive: Duration) -> Question {
    let page = page == RankedPage(1, byVolume: false) ? nil : page
    return Question(query: .top(currency: currency), form: page.map { .ranked($0) } ?? .plain, timeToLive: timeToLive)
  }

  /// Returns the question for every coin that a source knows.
  static func coinList(timeToLive: Duration) -> Question {
    Question(query: .coinList, timeToLive: timeToLive)
  }
}

/// The line that comes with quotes: the last seven days in steps of an hour, for drawings without a scale.
enum WeekLine {
  /// The name of its window in the cache, distinct from that of a line, whose times are the source's own.
  static let range = "7d/hours"

  /// The age up to which it is drawn: a twentieth of its length, which is not visible.
  static let timeToLive = Duration.seconds(8 * 3600)

  /// The age from which a newer one is stored: its prices are hourly.
  static let shortestAge = Duration.seconds(3600)
}

extension AnswerKey {
  /// Returns the key of the price of a coin at a provider.
  static func quote(_ coin: String, in currency: String, from provider: any PriceProvider) -> AnswerKey {
    AnswerKey(provider: provider.descriptor.cacheIdentity, kind: .quote, coin: coin, currency: currency)
  }
}
