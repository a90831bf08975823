import BitpalJSON
package import BitpalModel
import FoundationEssentials

/// The answer of `/simple/price`: one object per coin, with a key for each currency.
package struct CoinGeckoPrices: Sendable {
  /// The requested figures in addition to the price.
  package struct Extras: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let marketCap = Extras(rawValue: 1 << 0)
    package static let volume = Extras(rawValue: 1 << 1)
    package static let change = Extras(rawValue: 1 << 2)
    package static let time = Extras(rawValue: 1 << 3)
  }

  /// A coin by its requested name, with its prices and figures by currency.
  package struct Row: Sendable {
    let name: String
    let prices: [(currency: String, quote: Coin, detail: CoinDetail?)]

    /// The currencies in which its price could not be fetched, although it may have one.
    let failed: [String]

    package init(
      _ name: String, _ prices: [(currency: String, quote: Coin, detail: CoinDetail?)], failed: [String] = []
    ) {
      self.name = name
      self.prices = prices
      self.failed = failed
    }
  }

  private let rows: [Row]
  private let extras: Extras
  private let number: CoinGeckoNumber

  package init(_ rows: [Row], _ extras: Extras, _ number: CoinGeckoNumber) {
    self.rows = rows
    self.extras = extras
    self.number = number
  }

  package var text: String { JSONValue.object(JSONObject(rows.map { ($0.name, .object(object($0))) })).compact() }

  private func object(_ row: Row) -> JSONObject {
    var object: JSONObject = [:]
    for (currency, quote, detail) in row.prices {
      object.append(currency, number.price(quote.currentPrice))
      if extras.contains(.marketCap) { object.append(currency + "_market_cap", JSONValue(number: detail?.marketCap)) }
      if extras.contains(.volume) { object.append(currency + "_24h_vol", JSONValue(number: detail?.totalVolume)) }
      if extras.contains(.change) {
        object.append(currency + "_24h_change", JSONValue(number: quote.priceChangePercentage24h))
      }
    }
    for currency in row.failed { object.append(currency, .null) }
    if extras.contains(.time), let quote = row.prices.first?.quote {
      object.append(
        "last_updated_at", quote.lastUpdated.map { .number(String($0.milliseconds / 1000)) } ?? .null)
    }
    return object
  }
}
