import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The questions that a quotes request answers: the price, and the figures and the week that come with it at some sources.
extension Question where Value == Coin {
  /// Returns the question for the latest prices of coins.
  static func quotes(_ coins: [String], currency: String, timeToLive: Duration) -> Question {
    Question(
      capability: { _ in .quotes }, kind: .quote, coins: coins, currency: currency, timeToLive: timeToLive,
      description: { "the price of \($0) in \(currency)" },
      value: { if case .quote(let coin) = $0 { coin } else { nil } }, sourceTime: \.lastUpdated,
      fetch: { provider, coins in
        try await Said(quotesOf: coins, currency: currency, from: provider, answering: .quote)
      })
  }
}

extension Question where Value == CoinDetail {
  /// Returns the question for the market figures of coins, for a source whose quotes include them.
  static func details(_ coins: [String], currency: String, timeToLive: Duration) -> Question {
    Question(
      capability: { _ in .quotes }, kind: .detail, coins: coins, currency: currency, timeToLive: timeToLive,
      description: { "the detail of \($0) in \(currency)" },
      value: { if case .detail(let detail) = $0 { detail } else { nil } }, sourceTime: \.coin.lastUpdated,
      fetch: { provider, coins in
        try await Said(quotesOf: coins, currency: currency, from: provider, answering: .detail)
      })
  }
}

extension Question where Value == LineSeries {
  /// Returns the question for the prices of the last seven days of coins, for a source whose quotes include them.
  static func weeks(_ coins: [String], currency: String) -> Question {
    Question(
      capability: { _ in .quotes }, kind: .line, coins: coins, currency: currency, range: WeekLine.range,
      timeToLive: WeekLine.timeToLive, description: { "the week of \($0) in \(currency)" },
      value: { if case .line(let series) = $0 { series } else { nil } },
      fetch: { provider, coins in
        try await Said(quotesOf: coins, currency: currency, from: provider, answering: .line)
      })
  }
}

extension Question.Said {
  /// Asks a provider for quotes, and sorts the result into answers of one kind and additional answers.
  ///
  /// - Throws: The failure of the provider.
  fileprivate init(
    quotesOf coins: [String], currency: String, from provider: any PriceProvider, answering kind: AnswerKey.Kind
  ) async throws {
    let said = try await provider.quotes(coins, currency: currency)
    failures = said.value.failures
    warnings = said.warnings
    origins = said.origins
    let identity = provider.descriptor.cacheIdentity
    func add(_ coin: String, _ content: AnswerContent, _ other: AnswerKey.Kind, range: String = "") {
      if other == kind { return answers[coin] = content }
      carried[AnswerKey(provider: identity, kind: other, coin: coin, currency: currency, range: range)] = content
    }
    for (coin, quote) in said.value.coins { add(coin, .quote(quote), .quote) }
    for (coin, detail) in said.value.details { add(coin, .detail(detail), .detail) }
    for (coin, week) in said.value.weeks { add(coin, .line(week), .line, range: WeekLine.range) }
    // A price without figures does not prove that the coin does not exist.
    for coin in said.value.coins.keys where answers[coin] == nil {
      failures[coin] = .noData(question: "the \(kind.rawValue) of \(coin)", provider: provider.descriptor.id)
    }
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
