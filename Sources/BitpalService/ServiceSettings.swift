import BitpalModel

/// What the service needs to know of the settings.
public struct ServiceSettings: Hashable, Sendable {
  /// How long a quote counts as fresh.
  public var quotesTimeToLive: Duration

  /// How long a detail counts as fresh.
  public var detailTimeToLive: Duration

  /// How long a coin list counts as fresh.
  public var coinListTimeToLive: Duration

  /// How long a chart counts as fresh at most; each range has its own time.
  public var chartsTimeToLive: Duration

  /// How long past its time to live an answer may stand in for a failing source.
  public var maxStale: Duration

  /// The time past its time to live for which an answer is served while it is renewed; zero for never.
  public var whileRenewing: Duration = .zero

  /// Ticker, lower case → coin id.
  public var aliases: [String: String]

  /// Aliases of settings that are not trusted: they are not followed, and whoever uses one is told.
  public var withheldAliases: [String: String]

  /// The currency in which prices are told that nobody asked for.
  public var currency: String

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

  /// How long an answer may be of use: while it is fresh, and for as long as it may stand in after that.
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

  /// How long "the source does not have that coin" is believed.
  static let missingTimeToLive: Duration = .seconds(60)

  /// How long the series behind daily closes counts as fresh: as long as a year's chart.
  static let closesTimeToLive: Duration = .seconds(3600)

  /// The age up to which a coin list may say that a coin does not exist; an older one is fetched first.
  static let absenceTimeToLive: Duration = .seconds(86_400)

  /// How long a rate between currencies counts as fresh at least: central banks tell theirs once a day.
  static let ratesTimeToLive: Duration = .seconds(3600)
}
