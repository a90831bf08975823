import BitpalModel

/// The rule for currency codes.
enum Currency {
  /// The code in lower case; nil unless it is 2 to 12 letters or digits.
  static func normalized(_ text: String) -> String? {
    let code = text.lowercased()
    return (2...12).contains(code.utf8.count) && code.utf8.allSatisfy(\.isLowercaseLetterOrDigit) ? code : nil
  }

  /// What is wrong with a text that is no code.
  static func problem(of text: String) -> String {
    "a currency is 2 to 12 letters or digits, like usd, not \"\(text.printable(limit: 60))\""
  }
}

extension DeclaredValue {
  /// A currency code, in lower case.
  func currency() -> String? {
    guard let text = text("a currency like usd") else { return nil }
    return Currency.normalized(text) ?? reject(Currency.problem(of: text))
  }
}

extension UInt8 {
  /// Whether the byte is one of `a…z` and `0…9`.
  var isLowercaseLetterOrDigit: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
