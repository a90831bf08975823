import BitpalModel

extension DeclaredValue {
  /// Reads a currency code, in lower case.
  package func currency() -> String? {
    guard let text = text("a currency like usd") else { return nil }
    return Currency.normalized(text) ?? reject(Currency.problem(of: text))
  }
}
