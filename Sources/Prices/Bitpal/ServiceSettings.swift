import BitpalModel

/// The settings that the service needs.
public struct ServiceSettings: Hashable, Sendable {
  /// The time for which a quote counts as fresh.
  public var quotesTimeToLive: Duration

  /// The time for which a detail counts as fresh.
  public var detailTimeToLive: Duration

  /// The time for which a coin list counts as fresh.
  public var coinListTimeToLive: Duration

  /// The longest time for which a chart counts as fresh; each range has its own time.
  public var chartsTimeToLive: Duration

  /// The time past its time to live for which an answer may replace that of a failing source (stale-if-error).
  public var maxStale: Duration

  /// The time past its time to live for which an answer is served while it is renewed; zero for never.
  public var whileRenewing: Duration = .zero

  /// The coin ids, by alias in lower case.
  public var aliases: [String: String]

  /// The aliases of settings that are not trusted: they are not followed, and their use causes a warning.
  public var withheldAliases: [String: String]

  /// The currency of prices in messages, where the question names none.
  public var currency: String

  /// The rule by which all providers agree on a price; nil where the first one that answers decides.
  public var agreement: AgreementRule?

  /// Creates settings; the defaults are those of `config.yaml`.
  public init(
    quotesTimeToLive: Duration = .seconds(60), detailTimeToLive: Duration = .seconds(300),
    coinListTimeToLive: Duration = .seconds(7 * 86_400), chartsTimeToLive: Duration = .seconds(86_400),
    maxStale: Duration = .seconds(7 * 86_400),
    aliases: [String: String] = [:], withheldAliases: [String: String] = [:], currency: String = "usd"
  ) {
    self.quotesTimeToLive = quotesTimeToLive
    self.detailTimeToLive = detailTimeToLive
    self.coinListTimeToLive = coinListTimeToLive
    self.chartsTimeToLive = chartsTimeToLive
    self.maxStale = maxStale
    self.aliases = aliases
    self.withheldAliases = withheldAliases
    self.currency = currency
  }

  /// Returns the time for which an answer can be of use: while it is fresh, and then as stale-if-error.
  func lifetime(of key: AnswerKey) -> Duration {
    let timeToLive =
      switch key.kind {
      case .quote: CurrencyCoin.currency(of: key.coin) == nil ? quotesTimeToLive : Self.ratesTimeToLive
      case .detail: detailTimeToLive
      case .coinList: coinListTimeToLive
      case .missing: Self.missingTimeToLive
      case .line, .candles: max(chartsTimeToLive, Self.ratesTimeToLive)
      }
    return timeToLive + maxStale
  }

  /// The time for which the answer "no such coin" counts.
  static let missingTimeToLive: Duration = .seconds(60)

  /// The time for which the series behind daily closes counts as fresh: the same as for a year's chart.
  static let closesTimeToLive: Duration = .seconds(3600)

  /// The time for which a close that may still change is served again.
  static let provisionalTimeToLive: Duration = .seconds(120)

  /// The age up to which a coin list may say that a coin does not exist; an older one is fetched first.
  static let absenceTimeToLive: Duration = .seconds(86_400)

  /// The minimum time for which an exchange rate counts as fresh: central banks publish theirs once a day.
  static let ratesTimeToLive: Duration = .seconds(3600)
}
