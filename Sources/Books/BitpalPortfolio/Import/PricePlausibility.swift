import BitpalModel
import FoundationEssentials

/// The rule that the prices of a coin within a month are of one size: a file that breaks it was probably read wrongly.
struct PricePlausibility {
  /// A price of one coin that a row states, or that follows from its total.
  struct Stated {
    let line: Int
    let coin: String
    let date: Date
    let price: Decimal
  }

  /// The largest factor between two prices within ``days``; no coin in use rose as much, and units differ by more.
  static let most: Decimal = 20

  /// The number of days within which two prices are compared.
  static let days: Int64 = 30

  /// The smallest total whose price is compared: exchanges round to cents, so a price by one cent proves nothing.
  static let leastTotal = Decimal(sign: .plus, exponent: -1, significand: 1)

  private struct Coin {
    var previous: Stated

    /// The first row that shows prices which differ too much, and how.
    var found: (line: Int, reason: String)?
  }

  private var coins: [String: Coin] = [:]

  /// Compares a price with the one before it of the same coin, and with its close.
  ///
  /// - Parameters:
  ///   - price: A price that the file states, not before the date of one that was added already.
  ///   - close: The close of the coin on that day, where one is cached or in a file of prices.
  mutating func add(_ price: Stated, close: @autoclosure () -> Decimal?) {
    let known = coins[price.coin]
    if known?.found != nil { return }
    var coin = Coin(previous: price)
    if let close = close(), Self.isFar(price.price, close) {
      coin.found = (
        price.line, "\(Self.shown(price.price)) is far from the close of \(price.date.dayText), \(Self.shown(close))"
      )
    } else if let earlier = known?.previous, Self.isFar(price.price, earlier.price),
      price.date.since(earlier.date).milliseconds <= Self.days * 86_400_000
    {
      let (first, second) = price.line < earlier.line ? (price, earlier) : (earlier, price)
      coin.found = (
        second.line, "\(Self.shown(second.price)) is far from the \(Self.shown(first.price)) of line \(first.line)"
      )
    }
    coins[price.coin] = coin
  }

  /// Adds a fault for each coin whose prices differ too much, at the first row that shows it.
  func report(_ faults: inout ImportFaults) {
    for (coin, prices) in coins.sorted(by: { $0.key < $1.key }) {
      guard let found = prices.found else { continue }
      faults.add(
        "price of one \(coin.printable(limit: 40)): \(found.reason); if both are right, say --accept-prices",
        line: found.line, near: .text(coin))
    }
  }

  private static func isFar(_ left: Decimal, _ right: Decimal) -> Bool {
    left.isPositive && right.isPositive
      && (left.compared(to: right, times: most) == .greater || right.compared(to: left, times: most) == .greater)
  }

  private static func shown(_ price: Decimal) -> String { price.rounded(scale: 8).plainText }
}
