package import BitpalModel
import FoundationEssentials

/// The order of the rows of a list of prices.
package enum PriceOrder: String, CaseIterable, Sendable {
  /// The order by name, A to Z.
  case name

  /// The order by price, highest first.
  case price

  /// The order by 24 h change, best first; coins without one come last.
  case change

  /// The order by market value, highest first; coins without one come last.
  case marketCap = "market-cap"

  /// Returns the parameter for the order.
  ///
  /// - Parameters:
  ///   - usual: The order without the parameter, for the help.
  ///   - orders: The possible orders.
  package static func parameter(usual: String, among orders: [PriceOrder] = allCases) -> ParameterSpec {
    ParameterSpec("sort", .choice(orders.map(\.rawValue)), "order of the rows (\(usual))")
  }

  /// The parameter for the opposite order.
  package static let reverse = ParameterSpec("reverse", .flag, "the rows in the opposite order")

  /// Reads `sort`; nil when it is missing.
  package init?(_ parameters: some Parameters) {
    guard let order = parameters["sort"].flatMap(Self.init(rawValue:)) else { return nil }
    self = order
  }

  /// Returns quotes in this order, or in the opposite one; coins without the value come last in both.
  ///
  /// - Parameter figures: The market figures by the ids of the coins.
  package func sorted(
    _ quotes: [Sourced<Coin>], figures: [String: CoinDetail] = [:], isReversed: Bool = false
  ) -> [Sourced<Coin>] {
    if self == .name {
      // The id keeps coins of the same name in the same order from one run to the next.
      let sorted = quotes.sorted {
        ($0.value.name.lowercased(), $0.value.id) < ($1.value.name.lowercased(), $1.value.id)
      }
      return isReversed ? sorted.reversed() : sorted
    }
    func value(_ quote: Sourced<Coin>) -> Decimal? {
      switch self {
      case .name: nil
      case .price: quote.value.currentPrice
      case .change: quote.value.priceChangePercentage24h
      case .marketCap: figures[quote.value.id]?.marketCap
      }
    }
    let known = quotes.compactMap { quote in value(quote).map { (quote: quote, value: $0) } }
    let sorted = known.sorted { isReversed ? $0.value < $1.value : $0.value > $1.value }
    return sorted.map(\.quote) + quotes.filter { value($0) == nil }
  }
}
