/// Something a provider can be asked for.
public enum Capability: String, CaseIterable, Hashable, Sendable {
  /// Latest prices of named coins.
  case quotes

  /// Every coin the source knows.
  case coinList = "coin_list"

  /// Market figures of one coin.
  case detail

  /// Prices over time.
  case line

  /// Open, high, low and close over time.
  case candles
}
