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

  /// Adds a fault for each coin whose prices differ too much, at the first row that shows it.
  ///
  /// - Parameters:
  ///   - prices: The prices that the file states.
  ///   - close: The close of a coin on a day, where one is cached or in a file of prices.
  static func check(_ prices: [Stated], close: (Stated) -> Decimal?, _ faults: inout ImportFaults) {
    for (coin, prices) in Dictionary(grouping: prices, by: \.coin).sorted(by: { $0.key < $1.key }) {
      let sorted = prices.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
        .map(\.element)
      var previous: Stated?
      var found: (line: Int, reason: String)?
      for price in sorted {
        defer { previous = price }
        if let close = close(price), isFar(price.price, close) {
          found = (
            price.line, "\(shown(price.price)) is far from the close of \(price.date.dayText), \(shown(close))"
          )
          break
        }
        guard let earlier = previous, isFar(price.price, earlier.price),
          price.date.since(earlier.date).milliseconds <= days * 86_400_000
        else { continue }
        let (first, second) = price.line < earlier.line ? (price, earlier) : (earlier, price)
        found = (
          second.line, "\(shown(second.price)) is far from the \(shown(first.price)) of line \(first.line)"
        )
        break
      }
      guard let found else { continue }
      faults.add(
        "price of one \(coin.printable(limit: 40)): \(found.reason); if both are right, say --accept-prices",
        line: found.line, near: .text(coin))
    }
  }

  private static func isFar(_ left: Decimal, _ right: Decimal) -> Bool {
    left > 0 && right > 0 && (left > right * most || right > left * most)
  }

  private static func shown(_ price: Decimal) -> String { price.rounded(scale: 8).plainText }
}
