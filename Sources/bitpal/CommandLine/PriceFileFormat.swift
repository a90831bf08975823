/// The forms in which programs for plain-text accounting read prices.
enum PriceFileFormat: String, CaseIterable, Sendable {
  /// `P 2025-01-15 BTC 96841.33 USD`, for ledger.
  case ledger

  /// The same, for hledger.
  case hledger

  /// `2025-01-15 price BTC 96841.33 USD`.
  case beancount
}
