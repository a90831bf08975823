import BitpalModel
import BitpalProviders

/// The names of the requested coin and currency, which it recognizes in URLs and keys and replaces with placeholders.
struct SampleNames: Sendable {
  let coin: String
  let symbol: String
  let currency: String

  /// The source's own ticker, where it differs from the usual one (`XBT`).
  private(set) var ownSymbol: String?

  /// The source's own id of the coin (`btc-bitcoin`).
  private(set) var ownID: String?

  /// The source's own code of the currency (`USDT`).
  private(set) var ownCurrency: String?

  init(_ sample: SampleAnswer) {
    coin = sample.coin
    symbol = sample.symbol.uppercased()
    currency = sample.currency
  }

  /// The tickers under which the coin may be known.
  private var symbols: [String] { symbol == "BTC" ? ["BTC", "XBT"] : [symbol] }

  /// The codes under which the currency may be known: exchanges often trade a coin pegged to the dollar.
  private var currencies: [String] {
    let code = currency.uppercased()
    return currency == "usd" ? ["USDT", "USDC", "USD"] : [code]
  }

  /// Returns the placeholders for a whole word of a URL or a key; nil when it names neither coin nor currency.
  mutating func template(of word: String) -> String? {
    let upper = word.uppercased()
    let isUpper = word == upper
    if word == coin { return "{id}" }
    if let own = symbols.first(where: { $0 == upper }) {
      take(symbol: own)
      return isUpper ? "{SYMBOL}" : "{symbol}"
    }
    if let own = currencies.first(where: { $0 == upper }) {
      take(currency: own)
      return isUpper ? "{CURRENCY}" : "{currency}"
    }
    let parts = word.split(separator: "-").map(String.init)
    if parts.count > 1, word.lowercased() == word, word.hasSuffix("-" + coin) || word.hasPrefix(coin + "-"),
      parts.contains(symbol.lowercased())
    {
      ownID = word
      return "{id}"
    }
    return pair(word, upper)
  }

  /// Returns the placeholders for a key, including `price_usd` and `usd_24h_change`; nil when it names neither.
  mutating func template(ofKey key: String) -> String? {
    if let whole = template(of: key) { return whole }
    let parts = key.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, parts.contains(currency) else { return nil }
    return parts.map { $0 == currency ? "{currency}" : $0 }.joined(separator: "_")
  }

  /// Returns the placeholder for a list of coins separated by commas; nil for any other word.
  mutating func list(_ word: String) -> String? {
    let parts = word.replacing("%2C", with: ",").replacing("%2c", with: ",").split(separator: ",").map(String.init)
    guard parts.count > 1 else { return nil }
    if parts.contains(coin) { return "{ids}" }
    guard let own = symbols.first(where: { parts.contains($0) }) else { return nil }
    take(symbol: own)
    return "{SYMBOLS}"
  }

  /// Whether a key names the coin, alone or in a pair of any notation (`XXBTZUSD`).
  func isOfCoin(_ key: String) -> Bool {
    let upper = key.uppercased()
    if key == coin || symbols.contains(upper) { return true }
    return symbols.contains { symbol in
      upper.contains(symbol) && currencies.contains { upper.contains($0) } && upper.utf8.count <= symbol.utf8.count + 8
    }
  }

  /// Returns the placeholders for a pair such as `BTC-USD`, `btcusdt` or `tBTCUSD`; nil for any other word.
  private mutating func pair(_ word: String, _ upper: String) -> String? {
    for own in symbols {
      guard let place = upper.ranges(of: own).first else { continue }
      let before = upper.distance(from: upper.startIndex, to: place.lowerBound)
      let rest = String(upper[place.upperBound...])
      guard before <= 1, upper.count == word.count else { continue }
      for separator in ["", "-", "_", "/", ":", "%2F"] {
        guard let code = currencies.first(where: { separator + $0 == rest }) else { continue }
        take(symbol: own)
        take(currency: code)
        let main = word.dropFirst(before)
        let isUpper = main == main.uppercased()
        return word.prefix(before) + (isUpper ? "{SYMBOL}\(separator){CURRENCY}" : "{symbol}\(separator){currency}")
      }
    }
    return nil
  }

  private mutating func take(symbol own: String) {
    if own != symbol { ownSymbol = own }
  }

  private mutating func take(currency own: String) {
    if own != currency.uppercased() { ownCurrency = own }
  }
}
