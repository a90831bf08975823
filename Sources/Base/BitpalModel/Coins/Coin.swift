public import FoundationEssentials

/// A quote: a cryptocurrency with its latest price.
public struct Coin: Identifiable, Hashable, Sendable {
  /// The source-independent id, which is CoinGecko's (`bitcoin`).
  public let id: String

  /// The ticker, lower case (`btc`); not unique among coins.
  public let symbol: String

  /// The usual name (`Bitcoin`).
  public let name: String

  /// The price of one coin in the requested currency; always above zero.
  public let currentPrice: Decimal

  /// The same as ``currentPrice``, for `quote.price`.
  public var price: Decimal { currentPrice }

  /// The change over the last 24 hours in percent (2.5 is +2.5 %), where the source knows it.
  public let priceChangePercentage24h: Decimal?

  /// The time at which the source last updated the price, by the source's own clock; nil where it does not say.
  public let lastUpdated: Date?

  /// The place of the price, as `/home/me/prices.db:12`, for a source that is a file of the user's; nil for any other.
  public let place: String?

  /// The number of coins traded in the last 24 hours, where the source states it; of a pair's market where the price is
  /// that of a pair.
  public private(set) var volume: Decimal?

  /// Creates a quote.
  ///
  /// - Throws: ``ValidationError`` when id, symbol or name is empty, or the price is not above zero.
  public init(
    validating id: String, symbol: String, name: String, currentPrice: Decimal,
    priceChangePercentage24h: Decimal? = nil,
    lastUpdated: Date? = nil, place: String? = nil
  ) throws(ValidationError) {
    try ValidationError.checkIdentity(id: id, symbol: symbol, name: name)
    guard currentPrice > 0 else { throw .priceNotPositive(coin: id, price: currentPrice.plainText) }
    self.id = id
    self.symbol = symbol
    self.name = name
    self.currentPrice = currentPrice
    self.priceChangePercentage24h = priceChangePercentage24h
    self.lastUpdated = lastUpdated
    self.place = place
  }

  /// Whether the price is older than a day, because the source says that nothing was traded in the last 24 hours.
  package var isUntraded: Bool { volume == 0 }

  /// Returns the same quote with another volume.
  ///
  /// - Throws: ``ValidationError/negative(_:coin:value:)``.
  public func with(volume: Decimal?) throws(ValidationError) -> Coin {
    if let volume, volume < 0 { throw .negative("volume", coin: id, value: volume.plainText) }
    var coin = self
    coin.volume = volume
    return coin
  }
}

/// A coin's quote and its market figures.
public struct CoinDetail: Identifiable, Hashable, Sendable {
  /// The quote: identity, price, 24 h change, time of the source.
  public private(set) var coin: Coin

  /// The price times the circulating supply, in the requested currency.
  public let marketCap: Decimal?

  /// The volume traded in the last 24 hours, in the requested currency.
  public let totalVolume: Decimal?

  /// The number of coins in circulation.
  public let circulatingSupply: Decimal?

  /// The number of coins that exist, without burnt ones.
  public let totalSupply: Decimal?

  /// The maximum number of coins that can ever exist.
  public let maximumSupply: Decimal?

  /// The rank among all coins by market value, from 1.
  public let rank: Int?

  /// The changes over other periods than a day, in percent.
  public let changes: PeriodChanges

  /// The highest price ever, in the requested currency.
  public let allTimeHigh: PriceExtreme?

  /// The lowest price ever, in the requested currency.
  public let allTimeLow: PriceExtreme?

  /// The URL of the coin's logo.
  public let image: String?

  /// The coin's id.
  public var id: String { coin.id }

  /// Creates a detail.
  ///
  /// A market value, a supply, an all-time high or an all-time low of zero counts as unknown, because sources write zero for
  /// what they do not know. A volume may be zero.
  ///
  /// - Throws: ``ValidationError/negative(_:coin:value:)``.
  public init(
    validating coin: Coin, marketCap: Decimal? = nil, totalVolume: Decimal? = nil, circulatingSupply: Decimal? = nil,
    totalSupply: Decimal? = nil, maximumSupply: Decimal? = nil, rank: Int? = nil,
    changes: PeriodChanges = PeriodChanges(), allTimeHigh: PriceExtreme? = nil, allTimeLow: PriceExtreme? = nil,
    image: String? = nil
  ) throws(ValidationError) {
    let figures = [
      ("market cap", marketCap), ("total volume", totalVolume), ("circulating supply", circulatingSupply),
      ("total supply", totalSupply), ("maximum supply", maximumSupply), ("all-time high", allTimeHigh?.price),
      ("all-time low", allTimeLow?.price),
    ]
    for case (let name, let value?) in figures where value < 0 {
      throw .negative(name, coin: coin.id, value: value.plainText)
    }
    func known(_ figure: Decimal?) -> Decimal? { figure == 0 ? nil : figure }
    self.coin = coin
    self.marketCap = known(marketCap)
    self.totalVolume = totalVolume
    self.circulatingSupply = known(circulatingSupply)
    self.totalSupply = known(totalSupply)
    self.maximumSupply = known(maximumSupply)
    self.rank = rank
    self.changes = changes
    self.allTimeHigh = allTimeHigh.flatMap { $0.price == 0 ? nil : $0 }
    self.allTimeLow = allTimeLow.flatMap { $0.price == 0 ? nil : $0 }
    self.image = image
  }

  /// Returns the same figures with another quote of the coin.
  package func with(_ quote: Coin) -> CoinDetail {
    var detail = self
    detail.coin = quote
    return detail
  }
}

/// The changes of a price over an hour, a week, a month and a year, in percent, as far as the source states them.
public struct PeriodChanges: Hashable, Sendable {
  /// The change over an hour.
  public let hour: Decimal?

  /// The change over 7 days.
  public let week: Decimal?

  /// The change over 30 days.
  public let month: Decimal?

  /// The change over a year.
  public let year: Decimal?

  /// Creates changes.
  public init(hour: Decimal? = nil, week: Decimal? = nil, month: Decimal? = nil, year: Decimal? = nil) {
    self.hour = hour
    self.week = week
    self.month = month
    self.year = year
  }
}

/// The highest or the lowest price ever, and its time.
public struct PriceExtreme: Hashable, Sendable {
  /// The price.
  public let price: Decimal

  /// The time of the extreme, where the source states it.
  public let date: Date?

  /// Creates an extreme.
  public init(price: Decimal, date: Date?) {
    self.price = price
    self.date = date
  }
}

/// One row of a source's list of coins: the identity of a coin, without a price.
public struct CoinListItem: Identifiable, Hashable, Sendable {
  /// The id by which prices are requested.
  public let id: String

  /// The ticker; lower case, not unique.
  public let symbol: String

  /// The usual name.
  public let name: String

  /// Creates a row.
  ///
  /// - Throws: ``ValidationError/emptyField(_:coin:)``.
  public init(validating id: String, symbol: String, name: String) throws(ValidationError) {
    try ValidationError.checkIdentity(id: id, symbol: symbol, name: name)
    self.id = id
    self.symbol = symbol
    self.name = name
  }
}

/// A violation of a rule by a value from a source.
public enum ValidationError: Error, Hashable, Sendable {
  /// The id, symbol or name is empty.
  case emptyField(String, coin: String)

  /// A quote's price is zero or below.
  case priceNotPositive(coin: String, price: String)

  /// A figure that cannot be negative is below zero.
  case negative(String, coin: String, value: String)

  static func checkIdentity(id: String, symbol: String, name: String) throws(ValidationError) {
    if id.isEmpty { throw .emptyField("id", coin: name) }
    if symbol.isEmpty { throw .emptyField("symbol", coin: id) }
    if name.isEmpty { throw .emptyField("name", coin: id) }
  }
}

extension ValidationError: CustomStringConvertible {
  /// The problem, in one clause.
  public var description: String {
    switch self {
    case .emptyField(let field, let coin): "the \(field) of \"\(coin.printable(limit: 80))\" is empty"
    case .priceNotPositive(let coin, let price): "the price of \(coin.printable(limit: 80)) is \(price), not above zero"
    case .negative(let figure, let coin, let value):
      "the \(figure) of \(coin.printable(limit: 80)) is negative (\(value))"
    }
  }
}
