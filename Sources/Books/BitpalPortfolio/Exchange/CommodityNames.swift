import BitpalModel

/// The unique names of coins in a journal, the same in transactions and price directives.
///
/// The name is the symbol in capitals, or the id: of a coin that does not have its symbol alone, that has the currency's, or whose
/// symbol the accounting program cannot write as it is.
package struct CommodityNames {
  private let names: [String: String]
  private let form: (String) -> String

  /// Creates the names of commodities.
  ///
  /// - Parameters:
  ///   - coins: The ids of the coins.
  ///   - symbols: The tickers by id, and of a coin that shares its ticker the id; a coin without one is named by its id.
  ///   - currency: The currency, whose name no coin may have.
  ///   - form: Returns a name in the form of the accounting program.
  package init(_ coins: Set<String>, symbols: [String: String], currency: String, form: @escaping (String) -> String) {
    var names: [String: String] = [:]
    var taken: Set<String> = [form(currency), "\"\""]
    let ordered = coins.sorted {
      (WellKnownCoins.place(of: $0) ?? .max, $0) < (WellKnownCoins.place(of: $1) ?? .max, $1)
    }
    for coin in ordered {
      let own = CurrencyCoin.currency(of: coin) ?? coin
      let symbol = symbols[coin] ?? own
      var candidate = form(symbol)
      // Without a character that the program does not allow it could be the name of several coins.
      if candidate.filter({ $0 != "\"" }) != symbol.uppercased() { candidate = form(own) }
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

  /// All coins with their names, by id.
  var all: [(coin: String, name: String)] { names.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 } }

  /// Returns the name of a coin, also of one that was not given at creation.
  package subscript(coin: String) -> String { names[coin] ?? form(coin) }
}

/// The form of commodity names in ledger and hledger.
package enum LedgerCommodity {
  /// Returns a name in capitals, quoted where necessary.
  package static func name(_ text: String) -> String { quoted(text.uppercased()) }

  /// Returns a name, in quotes unless it has only ASCII letters and currency signs.
  ///
  /// Other characters could be read as a number or an operator; `"`, `;`, `@` and line breaks are removed.
  package static func quoted(_ text: String) -> String {
    let name = text.replacingScalars { "\";@".unicodeScalars.contains($0) || Character($0).isNewline ? "" : nil }
      .printable()
    let isPlain = name.allSatisfy { $0.isASCII && $0.isLetter || $0.isCurrencySymbol }
    return !name.isEmpty && isPlain ? name : "\"\(name)\""
  }
}

/// The form of commodity names in Beancount.
///
/// They have 2 to 24 of `A-Z 0-9 ' . _ -`, begin with a letter, and end with a letter or digit.
package enum BeancountCommodity {
  /// Returns a name in capitals with hyphens for other characters and at most 24 characters.
  ///
  /// An X is added before a name that does not begin with a letter, and after one that is too short or ends in a sign.
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
