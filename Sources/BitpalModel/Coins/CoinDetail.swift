public import FoundationEssentials

/// A coin's quote and its market figures.
public struct CoinDetail: Identifiable, Hashable, Sendable {
  /// The quote: identity, price, 24 h change, time of the source.
  public let coin: Coin

  /// The price times the circulating supply, in the currency that was asked for.
  public let marketCap: Decimal?

  /// What was traded in the last 24 hours, in the currency that was asked for.
  public let totalVolume: Decimal?

  /// How many coins are in circulation.
  public let circulatingSupply: Decimal?

  /// Where the coin's logo is.
  public let image: String?

  /// The coin's id.
  public var id: String { coin.id }

  /// Creates a detail, or says which figure is negative.
  ///
  /// - Throws: ``ValidationError/negative(_:coin:value:)``.
  public init(
    validating coin: Coin, marketCap: Decimal? = nil, totalVolume: Decimal? = nil, circulatingSupply: Decimal? = nil,
    image: String? = nil
  ) throws(ValidationError) {
    let figures = [
      ("market cap", marketCap), ("total volume", totalVolume), ("circulating supply", circulatingSupply),
    ]
    for case (let name, let value?) in figures where value < 0 {
      throw .negative(name, coin: coin.id, value: value.plainText)
    }
    self.coin = coin
    self.marketCap = marketCap
    self.totalVolume = totalVolume
    self.circulatingSupply = circulatingSupply
    self.image = image
  }
}
