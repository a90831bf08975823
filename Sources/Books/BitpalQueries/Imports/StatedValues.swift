import BitpalModel
import BitpalPortfolio
import FoundationEssentials

/// The values that a user states for transactions of a file without one.
struct StatedValues: Sendable {
  /// The rule for coins without a price in ``prices``.
  private(set) var rule: MissingValuePolicy?

  /// The price of one unit of any coin.
  private(set) var price: Decimal?

  /// The price of one unit, by the coin in capitals.
  private(set) var prices: [String: Decimal] = [:]

  /// Whether nothing is stated.
  var isEmpty: Bool { rule == nil && price == nil && prices.isEmpty }

  /// Reads `close`, `zero`, `skip`, `PRICE` and `COIN=PRICE`.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a text that is not a value, and for two values for the same coins.
  init(_ texts: [String], _ notation: ParameterNotation) throws(BitpalError) {
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, !parts[0].isEmpty {
        guard prices[parts[0].uppercased()] == nil else {
          throw .usage(
            "\(notation("value")) says twice what one \(parts[0].prefix(60)) was worth", hint: "give one of both")
        }
        prices[parts[0].uppercased()] = try Self.price(String(parts[1]), text, notation)
        continue
      }
      guard rule == nil, price == nil else {
        throw .usage(
          "\(notation("value")) says twice what other coins were worth",
          hint: "give one of close, zero, skip and PRICE")
      }
      if let word = MissingValuePolicy(rawValue: text) {
        rule = word
      } else {
        price = try Self.price(text, text, notation)
      }
    }
  }

  /// Returns the names with a price that no coin of a file has, sorted.
  ///
  /// - Parameter ids: The ids of the coins, by their names in the file.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for two prices of one coin, under its name in the file and its id.
  func unused(_ ids: [String: String], _ notation: ParameterNotation) throws(BitpalError) -> [String] {
    var unused = Set(prices.keys)
    for (coin, id) in ids {
      let names = [coin, ImportOptions.parts(of: coin).ticker, id].map { $0.uppercased() }.filter { prices[$0] != nil }
      unused.subtract(names)
      guard Set(names.map { prices[$0] }).count < 2 else {
        throw .usage(
          "\(notation("value")) says twice what one \(id.printable(limit: 60)) was worth, which is called "
            + "\(coin.printable(limit: 40)) in the file", hint: "give one of both")
      }
    }
    return unused.sorted()
  }

  private static func price(
    _ text: String, _ whole: String, _ notation: ParameterNotation
  ) throws(BitpalError) -> Decimal {
    guard let price = try? Decimal(strict: text), price >= 0 else {
      throw .usage(
        "\(notation("value")): \"\(whole.printable(limit: 60))\" is not close, zero, skip, a PRICE or COIN=PRICE",
        hint: "write it like \(notation(["value": "95.20"])) or \(notation(["value": "SOL=95.20"]))")
    }
    return price
  }
}
