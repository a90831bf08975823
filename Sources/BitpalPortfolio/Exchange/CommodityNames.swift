import BitpalModel

/// The names of the coins of a journal: one name for one coin, the same in journals and price directives.
///
/// The name is the symbol in capitals, as `bitpal history` writes the coin's prices. Where two coins have one symbol,
/// or a symbol is that of the currency, the best known keeps it and the id names the others.
struct CommodityNames {
  private let names: [String: String]
  private let form: (String) -> String

  /// - Parameters:
  ///   - coins: Their ids.
  ///   - symbols: Their tickers by id; a coin without one is named by its id.
  ///   - currency: A name that no coin may have.
  ///   - form: The name as the program writes it.
  init(_ coins: Set<String>, symbols: [String: String], currency: String, form: @escaping (String) -> String) {
    var names: [String: String] = [:]
    var taken: Set<String> = [form(currency)]
    let ordered = coins.sorted {
      (WellKnownCoins.place(of: $0) ?? .max, $0) < (WellKnownCoins.place(of: $1) ?? .max, $1)
    }
    for coin in ordered {
      let own = CurrencyCoin.currency(of: coin) ?? coin
      var candidate = form(symbols[coin] ?? own)
      if taken.contains(candidate) { candidate = form(own) }
      var number = 2
      while !taken.insert(candidate).inserted {
        candidate = form(own.prefix(20) + "X\(number)")
        number += 1
      }
      names[coin] = candidate
    }
    self.names = names
    self.form = form
  }

  /// All of them, by coin.
  var all: [(coin: String, name: String)] { names.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 } }

  /// The name of a coin.
  subscript(coin: String) -> String { names[coin] ?? form(coin) }
}

/// The names of what ledger and hledger count.
package enum LedgerCommodity {
  /// A name in capitals, as it is written.
  package static func name(_ text: String) -> String { quoted(text.uppercased()) }

  /// A name as it is written: in quotes when it is not all letters, or signs of money, for then it would be read as a number or
  /// an operator.
  package static func quoted(_ text: String) -> String {
    let name = text.filter { $0 != "\"" && $0 != ";" && $0 != "@" && !$0.isNewline }.printable()
    let isPlain = name.allSatisfy { $0.isASCII && $0.isLetter || $0.isCurrencySymbol }
    return !name.isEmpty && isPlain ? name : "\"\(name)\""
  }
}

/// The names of what Beancount counts: 2 to 24 of `A-Z 0-9 ' . _ -`, beginning with a letter, ending with a letter or digit.
package enum BeancountCommodity {
  /// A name in capitals; what cannot stand in one is a hyphen, and before what begins with no letter stands an X.
  package static func name(_ text: String) -> String {
    var name = text.uppercased().map { character -> Character in
      isAlphanumeric(character) || "'._-".contains(character) ? character : "-"
    }
    if name.first?.isLetter != true { name.insert("X", at: 0) }
    name = Array(name.prefix(24))
    if name.count < 2 || name.last.map(isAlphanumeric) != true { name = name.prefix(23) + ["X"] }
    return String(name)
  }

  private static func isAlphanumeric(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }
}
