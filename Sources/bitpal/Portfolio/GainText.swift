import FoundationEssentials

/// How gains and losses are coloured.
enum GainText {
  /// Green above zero, red below; nothing for zero.
  static func role(_ amount: Decimal) -> Style.Role? {
    amount > 0 ? .good : amount < 0 ? .bad : nil
  }
}
