package import BitpalModel

/// The names of coins and currencies at a declared source.
package struct CoinNames: Sendable {
  private let symbols: [String: String]
  private let ids: [String: String]
  private let idsBack: [String: String]
  private let symbolsBack: [String: String]
  private let currencyCodes: [String: String]

  /// The coins that the source is asked for.
  let scope: CoinScope
  private let ticker: @Sendable (String) -> String?

  package init(_ specification: ProviderSpecification, ticker: @escaping @Sendable (String) -> String?) {
    let api = specification.declared ?? DeclaredAPI()
    symbols = specification.symbols
    ids = api.ids
    // Of several coins with one name at the source the first by id is taken, so that it is always the same one.
    idsBack = Dictionary(api.ids.sorted { $0.key < $1.key }.map { ($0.value, $0.key) }) { first, _ in first }
    symbolsBack = Dictionary(
      specification.symbols.sorted { $0.key < $1.key }.map { ($0.value.uppercased(), $0.key) }
    ) { first, _ in first }
    currencyCodes = api.currencyCodes
    scope =
      switch api.only {
      case .symbols: .listed(Set(specification.symbols.keys))
      case .ids: .listed(Set(api.ids.keys))
      case .capitals: .capitals
      case nil: .any
      }
    self.ticker = ticker
  }

  /// The source's id of a coin.
  func id(of coin: String) -> String { ids[coin] ?? coin }

  /// Returns the source's ticker of a coin in capitals; nil when it is unknown.
  func symbol(of coin: String) -> String? {
    (symbols[coin] ?? ticker(coin))?.uppercased()
  }

  /// The ticker people know, in lower case: bitcoin is btc, even where the source calls it XBT.
  package func shownSymbol(of coin: String) -> String {
    CurrencyCoin.currency(of: coin) ?? (ticker(coin) ?? symbols[coin] ?? coin).lowercased()
  }

  /// A name made of an id, for sources that have none: `shiba-inu` is `Shiba Inu`, and `AAPL` or `^GSPC` what it is.
  func shownName(of coin: String) -> String {
    if let currency = CurrencyCoin.currency(of: coin) { return currency.uppercased() }
    guard coin == coin.lowercased() else { return coin }
    return coin.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }

  /// Whether some of the coins are currencies.
  package var haveCurrencies: Bool {
    [ids, symbols].contains { $0.keys.contains { CurrencyCoin.currency(of: $0) != nil } }
  }

  /// The coin that the source's id means.
  func coin(id: String) -> String { idsBack[id] ?? id }

  /// The coin of a row of the source's list.
  func coin(id: String, symbol: String) -> String {
    idsBack[id] ?? symbolsBack[symbol.uppercased()] ?? id
  }

  /// Whether a code is the source's of a currency, to the letter: `GBp` are pence.
  func isCode(_ code: String, of currency: String) -> Bool { code == currencyCodes[currency] ?? currency.uppercased() }

  /// The source's code of a currency, in capitals.
  package func code(of currency: String) -> String { (currencyCodes[currency] ?? currency).uppercased() }
}
