/// What is given about a coin before the simulation: who it is, its magnitudes, its temperament.
struct MarketCoin {
  /// An extreme price and its day.
  struct Extreme {
    let price: String
    let day: String
  }

  /// What a coin was first sold for.
  struct FirstSale {
    let price: String
    let currency: String
  }

  /// How the price moves.
  struct Temperament {
    /// How much of the market's return the coin takes part in, in percent.
    let beta: Int

    /// The deviation of the coin's own return in a calm day, in hundredths of a percent.
    let own: Int

    /// In how many minutes the price comes back to its anchor: months for a coin, hours for a stable one.
    let pull: Int

    static func follows(_ beta: Int, own: Int) -> Temperament {
      Temperament(beta: beta, own: own, pull: 40 * 1440)
    }

    static let stable = Temperament(beta: 0, own: 9, pull: 300)
  }

  let id: String
  let symbol: String
  let name: String

  /// The number in the image's address.
  let image: Int

  /// The price now; the simulation adds the digits to 17.
  let price: String

  /// What is traded in 24 hours, in usd.
  let volume: String

  let circulating: String
  let total: String?
  let max: String?
  let ath: Extreme
  let atl: Extreme
  let temperament: Temperament
  var firstSale: FirstSale?

  /// Where the price was over the year, in percent of now and at equal distances; empty for a coin with one day of path.
  var year: [Int] = []

  var imageFile: String { "\(id).png?1730000\(100 + image % 900)" }

  func imageAddress(size: String) -> String {
    "https://coin-images.coingecko.com/coins/images/\(image)/\(size)/\(imageFile)"
  }

  /// Whether the simulation holds a year of it: details, lines and candles.
  var hasYear: Bool { !year.isEmpty }
}
