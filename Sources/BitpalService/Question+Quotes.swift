import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The questions that a quotes request answers: the price, and the figures and the week that come with it at some sources.
extension Question where Value == Coin {
  /// The latest prices of coins.
  static func quotes(_ coins: [String], currency: String, timeToLive: Duration) -> Question {
    Question(
      capability: { _ in .quotes }, kind: .quote, coins: coins, currency: currency, timeToLive: timeToLive,
      words: { "the price of \($0) in \(currency)" },
      value: { if case .quote(let coin) = $0 { coin } else { nil } }, sourceTime: \.lastUpdated,
      fetch: { provider, coins in
        try await Said(quotesOf: coins, currency: currency, from: provider, answering: .quote)
      })
  }
}

extension Question where Value == CoinDetail {
  /// The market figures of coins at a source whose quotes bring them along.
  static func details(_ coins: [String], currency: String, timeToLive: Duration) -> Question {
    Question(
      capability: { _ in .quotes }, kind: .detail, coins: coins, currency: currency, timeToLive: timeToLive,
      words: { "the detail of \($0) in \(currency)" },
      value: { if case .detail(let detail) = $0 { detail } else { nil } }, sourceTime: \.coin.lastUpdated,
      fetch: { provider, coins in
        try await Said(quotesOf: coins, currency: currency, from: provider, answering: .detail)
      })
  }
}

extension Question where Value == LineSeries {
  /// The prices of the last seven days of coins at a source whose quotes bring them along.
  static func weeks(_ coins: [String], currency: String) -> Question {
    Question(
      capability: { _ in .quotes }, kind: .line, coins: coins, currency: currency, range: WeekLine.range,
      timeToLive: WeekLine.timeToLive, words: { "the week of \($0) in \(currency)" },
      value: { if case .line(let series) = $0 { series } else { nil } },
      fetch: { provider, coins in
        try await Said(quotesOf: coins, currency: currency, from: provider, answering: .line)
      })
  }
}

extension Question.Said {
  /// Asks a provider for quotes, and sorts what comes into answers of one kind and what came with them.
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
    // A price without figures is no reason to say that there is no such coin.
    for coin in said.value.coins.keys where answers[coin] == nil {
      failures[coin] = .noData(question: "the \(kind.rawValue) of \(coin)", provider: provider.descriptor.id)
    }
  }
}

/// The line that comes with quotes: the last seven days by the hour, for drawings without a scale.
enum WeekLine {
  /// The name of its window in the cache: not that of a line, whose times are the source's own.
  static let range = "7d/hours"

  /// The age up to which it is drawn: a twentieth of its length, which is not seen.
  static let timeToLive = Duration.seconds(8 * 3600)

  /// The age from which a newer one is kept: its prices are of hours.
  static let shortestAge = Duration.seconds(3600)
}
