package import BitpalModel

/// The order of the rows of a list of prices.
package enum PriceOrder: String, CaseIterable, Sendable {
  /// The order by name, A to Z.
  case name

  /// The order by price, highest first.
  case price

  /// The order by 24 h change, best first; coins without one come last.
  case change

  /// Returns the parameter for the order.
  ///
  /// - Parameter usual: The order without the parameter, for the help.
  package static func parameter(usual: String) -> ParameterSpec {
    ParameterSpec("sort", .choice(allCases.map(\.rawValue)), "order of the rows (\(usual))")
  }

  /// Reads `sort`; nil when it is missing.
  package init?(_ parameters: some Parameters) {
    guard let order = parameters["sort"].flatMap(Self.init(rawValue:)) else { return nil }
    self = order
  }

  /// Returns quotes in this order.
  package func sorted(_ quotes: [Sourced<Coin>]) -> [Sourced<Coin>] {
    switch self {
    case .name:
      // The id keeps coins of the same name in the same order from one run to the next.
      quotes.sorted { ($0.value.name.lowercased(), $0.value.id) < ($1.value.name.lowercased(), $1.value.id) }
    case .price:
      quotes.sorted { $0.value.currentPrice > $1.value.currentPrice }
    case .change:
      quotes.sorted { left, right in
        guard let leftChange = left.value.priceChangePercentage24h else { return false }
        return right.value.priceChangePercentage24h.map { leftChange > $0 } ?? true
      }
    }
  }
}
