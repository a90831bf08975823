/// One question to a provider.
///
/// It contains the time window, so that the answer does not depend on a clock.
public enum ProviderQuery: Hashable, Sendable {
  /// The latest prices of these coin ids in that currency (lower case).
  case quotes(coins: [String], currency: String)

  /// Every coin the source knows.
  case coinList

  /// The largest coins by market value; the answer is their list, and their prices in that currency come along.
  case top(currency: String)

  /// The market figures of a coin.
  case detail(coin: String, currency: String)

  /// The prices of a coin within the window.
  case line(coin: String, currency: String, window: TimeWindow)

  /// The candles of a coin that overlap the window, as near to `width` wide as the source offers.
  case candles(coin: String, currency: String, window: TimeWindow, width: Duration)

  /// The capability that a provider needs to answer.
  public var capability: Capability {
    switch self {
    case .quotes, .top: .quotes
    case .coinList: .coinList
    case .detail: .detail
    case .line: .line
    case .candles: .candles
    }
  }

  /// The requested currency; nil for the coin list.
  public var currency: String? {
    switch self {
    case .coinList: nil
    case .quotes(_, let currency), .top(let currency), .detail(_, let currency), .line(_, let currency, _),
      .candles(_, let currency, _, _):
      currency
    }
  }

  /// The requested coins; empty for a list.
  public var coins: [String] {
    switch self {
    case .quotes(let coins, _): coins
    case .coinList, .top: []
    case .detail(let coin, _), .line(let coin, _, _), .candles(let coin, _, _, _): [coin]
    }
  }
}

extension ProviderQuery {
  /// The kind of answer that it asks for.
  package var kind: AnswerKey.Kind {
    switch self {
    case .quotes: .quote
    case .coinList, .top: .coinList
    case .detail: .detail
    case .line: .line
    case .candles: .candles
    }
  }

  /// Returns the same question about other coins; about the first of them where it is about one coin.
  package func about(_ coins: [String]) -> ProviderQuery {
    let coin = coins.first ?? ""
    return switch self {
    case .quotes(_, let currency): .quotes(coins: coins, currency: currency)
    case .coinList, .top: self
    case .detail(_, let currency): .detail(coin: coin, currency: currency)
    case .line(_, let currency, let window): .line(coin: coin, currency: currency, window: window)
    case .candles(_, let currency, let window, let width):
      .candles(coin: coin, currency: currency, window: window, width: width)
    }
  }

  /// The window asked for; nil for a question that has none.
  package var window: TimeWindow? {
    switch self {
    case .line(_, _, let window), .candles(_, _, let window, _): window
    case .quotes, .coinList, .top, .detail: nil
    }
  }

  /// Returns the same question about another window; a question without a window is unchanged.
  package func within(_ window: TimeWindow) -> ProviderQuery {
    switch self {
    case .line(let coin, let currency, _): .line(coin: coin, currency: currency, window: window)
    case .candles(let coin, let currency, _, let width):
      .candles(coin: coin, currency: currency, window: window, width: width)
    case .quotes, .coinList, .top, .detail: self
    }
  }
}

/// A kind of question that a provider can answer.
public enum Capability: String, CaseIterable, Hashable, Sendable {
  /// Latest prices of named coins.
  case quotes

  /// Every coin the source knows.
  case coinList = "coin_list"

  /// Market figures of one coin.
  case detail

  /// Prices over time.
  case line

  /// Open, high, low and close over time.
  case candles
}
