/// The orders of a price table.
enum PriceOrder: String, CaseIterable, Sendable {
  /// By name, A to Z.
  case name

  /// By price, highest first.
  case price

  /// By 24 h change, best first; coins without one last.
  case change
}
