import BitpalModel

/// The names of coins and currencies at a declared source.
package struct SourceNames: Sendable {
  private let symbols: [String: String]
  private let ids: [String: String]
  private let idsBack: [String: String]
  private let symbolsBack: [String: String]
  private let currencyCodes: [String: String]

  /// The coins that the source may be asked for, by `only` and `without` in the provider file.
  let scope: CoinScope
  private let ticker: @Sendable (String) -> String?

  package init(_ specification: ProviderSpecification, ticker: @escaping @Sendable (String) -> String?) {
    let api = specification.declared ?? DeclaredAPI()
    symbols = specification.symbols
    ids = api.ids
    // If several coins have one name at the source, the first by id counts, so that the choice is stable.
    idsBack = Dictionary(api.ids.sorted { $0.key < $1.key }.map { ($0.value, $0.key) }) { first, _ in first }
    symbolsBack = Dictionary(
      specification.symbols.sorted { $0.key < $1.key }.map { ($0.value.uppercased(), $0.key) }
    ) { first, _ in first }
    currencyCodes = api.currencyCodes
    let scope: CoinScope =
      switch api.only {
      case .symbols: .listed(Set(specification.symbols.keys))
      case .ids: .listed(Set(api.ids.keys))
      case .capitals: .capitals
      case nil: .any
      }
    self.scope = api.without.isEmpty ? scope : .excluding(api.without, of: scope)
    self.ticker = ticker
  }

  /// Returns the source's id of a coin; the coin's own id where the file has no other.
  func id(of coin: String) -> String { ids[coin] ?? coin }

  /// Returns the source's ticker of a coin in capitals; nil when it is unknown, or when the file has it for another coin.
  func symbol(of coin: String) -> String? {
    if let symbol = symbols[coin] { return symbol.uppercased() }
    guard let symbol = ticker(coin)?.uppercased(), symbolsBack[symbol] ?? coin == coin else { return nil }
    return symbol
  }

  /// Returns the ticker to display, in lower case: bitcoin is btc, even where the source calls it XBT.
  package func shownSymbol(of coin: String) -> String {
    CurrencyCoin.currency(of: coin) ?? (ticker(coin) ?? symbols[coin] ?? coin).lowercased()
  }

  /// Returns a name for sources without names: that of a well-known coin, or one made of the id, so that `lido-dao` is
  /// `Lido Dao`, and `AAPL` stays unchanged.
  func shownName(of coin: String) -> String {
    if let currency = CurrencyCoin.currency(of: coin) { return currency.uppercased() }
    if let known = WellKnownCoins.coin(ofID: coin) { return known.name }
    guard coin == coin.lowercased() else { return coin }
    return coin.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }

  /// Whether some of the ids in `ids` and `symbols` are those of currencies.
  package var haveCurrencies: Bool {
    [ids, symbols].contains { $0.keys.contains { CurrencyCoin.currency(of: $0) != nil } }
  }

  /// Returns the coin with an id of the source; the id itself where the file has no other.
  func coin(id: String) -> String { idsBack[id] ?? id }

  /// Returns the coin with a ticker in the file; nil for any other ticker.
  func coin(symbol: String) -> String? { symbolsBack[symbol.uppercased()] }

  /// Returns the coin of a row of the source's list, by its id or else its ticker; the id itself if both are unknown.
  func coin(id: String, symbol: String) -> String {
    idsBack[id] ?? symbolsBack[symbol.uppercased()] ?? id
  }

  /// Returns whether a code is the source's code of a currency, in capitals or in small letters throughout, because `GBp` means pence.
  func isCode(_ code: String, of currency: String) -> Bool {
    currencyCodes[currency].map { $0 == code } ?? (code == currency.uppercased() || code == currency)
  }

  /// The tickers of the coins that the source has in the place of a currency, in lower case.
  var standIns: [String: String] {
    currencyCodes.compactMapValues { WellKnownCoins.coin(ticker: $0)?.symbol.lowercased() }.filter { $0 != $1 }
  }

  /// Returns the source's code of a currency, in capitals.
  package func code(of currency: String) -> String { (currencyCodes[currency] ?? currency).uppercased() }
}
