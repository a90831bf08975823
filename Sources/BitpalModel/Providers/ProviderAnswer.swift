/// The answer of a provider, with warnings about it.
public struct ProviderAnswer<Value: Sendable>: Sendable {
  /// The answer itself.
  public let value: Value

  /// The values that were dropped or looked wrong; never a reason to reject the answer.
  public let warnings: [AnswerWarning]

  /// The provenance of answers that the provider passes on from another source, by coin; an empty text for the coin
  /// list.
  ///
  /// An answer without an origin is the provider's own and was fetched now.
  package let origins: [String: AnswerOrigin]

  /// Creates an answer.
  package init(_ value: Value, warnings: [AnswerWarning] = [], origins: [String: AnswerOrigin] = [:]) {
    self.value = value
    self.warnings = warnings
    self.origins = origins
  }

  /// Returns the same answer with another value, and its warnings.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> ProviderAnswer<Other> {
    ProviderAnswer<Other>(try transform(value), warnings: warnings, origins: origins)
  }
}

extension ProviderAnswer {
  /// Returns the same answer with further warnings.
  package func adding(_ more: [AnswerWarning]) -> ProviderAnswer {
    more.isEmpty ? self : ProviderAnswer(value, warnings: warnings + more, origins: origins)
  }
}

extension ProviderAnswer: Equatable where Value: Equatable {}

/// The answer to a ``ProviderQuery``, with a case for each of its cases.
public enum ProviderReply: Equatable, Sendable {
  /// Quotes, and the failures of the coins without one.
  case quotes(QuoteBatch)

  /// Every coin the source knows.
  case coinList([CoinListItem])

  /// The market figures of a coin.
  case detail(CoinDetail)

  /// Prices over time.
  case line(LineSeries)

  /// Candles over time.
  case candles(CandleSeries)

  /// The kind of question that it answers.
  public var capability: Capability {
    switch self {
    case .quotes: .quotes
    case .coinList: .coinList
    case .detail: .detail
    case .line: .line
    case .candles: .candles
    }
  }

  /// The number of quotes, coins, points or candles; 1 for a detail.
  package var count: Int {
    switch self {
    case .quotes(let batch): batch.coins.count
    case .coinList(let items): items.count
    case .detail: 1
    case .line(let series): series.points.count
    case .candles(let series): series.candles.count
    }
  }
}

/// The answer to a quotes query: the quotes, and a failure for each coin without one.
public struct QuoteBatch: Equatable, Sendable {
  /// The quotes, by coin id.
  public let coins: [String: Coin]

  /// The coins asked for that have no quote, by id.
  ///
  /// A missing price is never zero.
  public let failures: [String: BitpalError]

  /// The market figures that the answer also contained, by coin id; empty for a source that sends prices alone.
  package let details: [String: CoinDetail]

  /// The prices of the last seven days that the answer also contained, by coin id; a line without points where the
  /// source has none.
  package let weeks: [String: LineSeries]

  /// Creates a batch.
  public init(coins: [String: Coin], failures: [String: BitpalError]) {
    self.init(coins: coins, failures: failures, details: [:], weeks: [:])
  }

  /// Creates a batch with the further contents of its answer.
  package init(
    coins: [String: Coin], failures: [String: BitpalError], details: [String: CoinDetail], weeks: [String: LineSeries]
  ) {
    self.coins = coins
    self.failures = failures
    self.details = details
    self.weeks = weeks
  }
}
