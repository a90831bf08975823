/// The rules for currency codes.
package enum Currency {
  /// Returns a code in lower case; nil unless it has 2 to 12 letters or digits, and for a minor unit such as `GBp`.
  package static func normalized(_ text: String) -> String? {
    let code = text.lowercased()
    return MinorUnit(text) == nil && (2...12).contains(code.utf8.count)
      && code.utf8.allSatisfy(\.isLowercaseLetterOrDigit) ? code : nil
  }

  /// Returns the problem of a text that is not a currency's code.
  package static func problem(of text: String) -> String {
    MinorUnit.problem(of: text)
      ?? "a currency is 2 to 12 letters or digits, like usd, not \"\(text.printable(limit: 60))\""
  }
}
