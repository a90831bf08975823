import BitpalModel

/// Daily closes as the price directives of plain-text accounting.
///
/// Numbers are written with all their digits and never with an exponent: ledger reads `2.4e-05` as 2.4.
struct PriceDirectives {
  let closes: [Resampling.DailyClose]
  let symbol: String
  let currency: String

  /// A line for each day, with a line end.
  func text(_ format: PriceFileFormat) -> String {
    closes.map { close in
      let price = close.price.plainText
      return switch format {
      case .ledger, .hledger: "P \(close.dateText) \(Self.quoted(symbol)) \(price) \(Self.quoted(currency))\n"
      case .beancount: "\(close.dateText) price \(Self.beancount(symbol)) \(price) \(Self.beancount(currency))\n"
      }
    }.joined()
  }

  /// In capitals; in quotes when it is not all letters, for then it would be read as a number or an operator.
  static func quoted(_ symbol: String) -> String {
    let symbol = symbol.uppercased().filter { $0 != "\"" && !$0.isNewline }.printable()
    return !symbol.isEmpty && symbol.allSatisfy { $0.isASCII && $0.isLetter } ? symbol : "\"\(symbol)\""
  }

  /// Capitals, digits and `'._-`, from a capital to a capital or digit, 2 to 24 long; what cannot stand is a hyphen.
  static func beancount(_ symbol: String) -> String {
    var text = symbol.uppercased().map { character -> Character in
      character.isASCII && (character.isLetter || character.isNumber || "'._-".contains(character)) ? character : "-"
    }
    if text.first.map({ $0.isLetter }) != true { text.insert("X", at: 0) }
    text = Array(text.prefix(24))
    if text.count < 2 || text.last.map({ $0.isLetter || $0.isNumber }) != true {
      text = Array(text.prefix(23)) + ["X"]
    }
    return String(text)
  }
}
