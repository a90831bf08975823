/// The places where the source's oddities are acted out, each by one coin.
enum Quirk {
  /// The coin whose 1-day line ends with a stamp before the last but one (0.955 s in a recorded answer).
  static let steppingBack = "dogecoin"

  /// The coin whose quote is stale and has no 24-hour figures, as 4 of 2,044 recorded rows.
  static let withoutChange = "vechain"

  /// The coin whose 1-year line has a null market cap, as bitcoin had for one day of 2017.
  static let withoutCap = "ethereum"
}
