public import FoundationEssentials

/// The answer to a question about one coin, or the list of all coins.
///
/// A provider gives it, the cache keeps it, and ``Sourced`` adds where it comes from and how old it is.
public enum Answer: Hashable, Sendable {
  /// The latest price of a coin.
  case quote(Coin)

  /// The market figures of a coin.
  case detail(CoinDetail)

  /// Prices over time, as the source gave them, not cut to any window.
  case line(LineSeries)

  /// Candles over time, as the source gave them.
  case candles(CandleSeries)

  /// Every coin that the source knows.
  case coinList([CoinListItem])

  /// The knowledge that the source does not have the coin.
  case missing

  /// The newest time in it by the source's own clock; nil when it has none.
  public var newest: Date? {
    switch self {
    case .quote(let coin): coin.lastUpdated
    case .detail(let detail): detail.coin.lastUpdated
    case .line(let series): series.points.last?.timestamp
    case .candles(let series): series.candles.last?.timestamp
    case .coinList, .missing: nil
    }
  }

  /// The number of coins, points or candles in it; 1 for a quote and a detail.
  package var count: Int {
    switch self {
    case .quote, .detail: 1
    case .line(let series): series.points.count
    case .candles(let series): series.candles.count
    case .coinList(let items): items.count
    case .missing: 0
    }
  }

  /// The kind of answer.
  package var kind: AnswerKey.Kind {
    switch self {
    case .quote: .quote
    case .detail: .detail
    case .line: .line
    case .candles: .candles
    case .coinList: .coinList
    case .missing: .missing
    }
  }

  /// The time that the source gives for a price; nil for a series, whose age has no meaning, and for a coin list.
  package var sourceTime: Date? {
    switch self {
    case .quote, .detail: newest
    case .line, .candles, .coinList, .missing: nil
    }
  }

  /// Whether the price is one of a coin that is not traded: see ``Coin/isUntraded``.
  package var isUntraded: Bool {
    switch self {
    case .quote(let coin): coin.isUntraded
    case .detail(let detail): detail.coin.isUntraded
    case .line, .candles, .coinList, .missing: false
    }
  }
}

/// A value that an ``Answer`` can hold: a quote, a detail, a line, candles or a list of coins.
public protocol AnswerValue: Sendable {
  /// Returns the value of an answer; nil for an answer of another kind.
  static func value(of answer: Answer) -> Self?
}

extension Coin: AnswerValue {
  /// Returns the quote of an answer; nil for an answer of another kind.
  public static func value(of answer: Answer) -> Coin? {
    if case .quote(let coin) = answer { coin } else { nil }
  }
}

extension CoinDetail: AnswerValue {
  /// Returns the market figures of an answer; nil for an answer of another kind.
  public static func value(of answer: Answer) -> CoinDetail? {
    if case .detail(let detail) = answer { detail } else { nil }
  }
}

extension LineSeries: AnswerValue {
  /// Returns the line of an answer; nil for an answer of another kind.
  public static func value(of answer: Answer) -> LineSeries? {
    if case .line(let series) = answer { series } else { nil }
  }
}

extension CandleSeries: AnswerValue {
  /// Returns the candles of an answer; nil for an answer of another kind.
  public static func value(of answer: Answer) -> CandleSeries? {
    if case .candles(let series) = answer { series } else { nil }
  }
}

extension [CoinListItem]: AnswerValue {
  /// Returns the coin list of an answer; nil for an answer of another kind.
  public static func value(of answer: Answer) -> [CoinListItem]? {
    if case .coinList(let items) = answer { items } else { nil }
  }
}
