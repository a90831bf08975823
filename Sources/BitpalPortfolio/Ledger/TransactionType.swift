/// Which way a transaction goes.
public enum TransactionType: String, CaseIterable, Sendable {
  /// Coins come in; quantity and cost grow.
  case buy

  /// Coins go out; the average cost of the rest does not change.
  case sell

  /// The word for people: `Buy`.
  public var displayName: String {
    switch self {
    case .buy: "Buy"
    case .sell: "Sell"
    }
  }
}
