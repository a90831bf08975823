/// The orders of the watchlist.
enum WatchlistOrder: String, CaseIterable, Sendable {
  /// By name, A to Z.
  case name

  /// By price, highest first.
  case price

  /// By 24 h change, best first; coins without one last.
  case change

  /// As they were added, whatever was moved since.
  case added

  /// The same order among prices; nil for one that prices do not have.
  var priceOrder: PriceOrder? { PriceOrder(rawValue: rawValue) }
}
