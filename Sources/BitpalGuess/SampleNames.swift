import BitpalModel
import BitpalProviders

/// Recognises the coin and the currency that were asked for, in a URL and in keys, and puts placeholders in their place.
struct SampleNames: Sendable {
  let coin: String
  let symbol: String
  let currency: String

  /// The source's own ticker, where it is not the usual one (`XBT`).
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

  /// Tickers the coin may go by.
  private var symbols: [String] { symbol == "BTC" ? ["BTC", "XBT"] : [symbol] }

  /// Codes the currency may go by: exchanges often trade a coin that follows the dollar.
  private var currencies: [String] {
    let code = currency.uppercased()
    return currency == "usd" ? ["USDT", "USDC", "USD"] : [code]
  }

  /// A whole word of a URL or a key with placeholders; nil when it names neither coin nor currency.
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

  /// A key with placeholders: also `price_usd` and `usd_24h_change`.
  mutating func template(ofKey key: String) -> String? {
    if let whole = template(of: key) { return whole }
    let parts = key.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, parts.contains(currency) else { return nil }
    return parts.map { $0 == currency ? "{currency}" : $0 }.joined(separator: "_")
  }

  /// A list of coins with commas between them, as one placeholder; nil when it is none.
  mutating func list(_ word: String) -> String? {
    let parts = word.replacing("%2C", with: ",").replacing("%2c", with: ",").split(separator: ",").map(String.init)
    guard parts.count > 1 else { return nil }
    if parts.contains(coin) { return "{ids}" }
    guard let own = symbols.first(where: { parts.contains($0) }) else { return nil }
    take(symbol: own)
    return "{SYMBOLS}"
  }

  /// Whether a key names the coin, alone or in a pair, in whatever manner (`XXBTZUSD`).
  func isOfCoin(_ key: String) -> Bool {
    let upper = key.uppercased()
    if key == coin || symbols.contains(upper) { return true }
    return symbols.contains { symbol in
      upper.contains(symbol) && currencies.contains { upper.contains($0) } && upper.utf8.count <= symbol.utf8.count + 8
    }
  }

  /// `BTC-USD`, `btcusdt`, `tBTCUSD`.
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
