/// A source of the world, by the id of its provider file.
enum Source: String, CaseIterable, Hashable, Sendable {
  case coingecko, binance, coinbase, yahoo, alphavantage, ecb, journal, sheet, tape, plugin

  /// Whether it is asked over the network.
  var isOnWeb: Bool { ![.journal, .sheet, .tape].contains(self) }

  /// Whether its candles are made of samples, so that the close of one is the opening of the next.
  var isSampled: Bool { self == .coingecko || self == .tape }

  /// Whether it has a list of its coins.
  var hasList: Bool { [.coingecko, .coinbase, .tape].contains(self) }

  /// The host of its shipped file.
  var host: String {
    switch self {
    case .coingecko, .tape: "api.coingecko.com"
    case .binance: "api.binance.com"
    case .coinbase: "api.exchange.coinbase.com"
    case .yahoo: "query1.finance.yahoo.com"
    case .alphavantage: "www.alphavantage.co"
    case .ecb: "www.ecb.europa.eu"
    case .plugin: "plugin.example"
    case .journal, .sheet: ""
    }
  }

  /// What it can be asked.
  enum Ability: Hashable, Sendable { case quote, detail, line, candles }

  func can(_ ability: Ability) -> Bool {
    switch ability {
    case .quote, .line: true
    case .detail: isSampled
    case .candles: [.coingecko, .binance, .coinbase, .yahoo, .alphavantage, .tape].contains(self)
    }
  }

  /// What a source has: a thing by its id, and the currencies of its prices.
  var market: [String: [String]] {
    switch self {
    case .coingecko:
      Dictionary(uniqueKeysWithValues: Listing.all.filter(\.isPriced).map { ($0.id, ["usd", "eur", "gbp", "sek"]) })
    case .tape:
      Dictionary(uniqueKeysWithValues: Listing.all.filter(\.isPriced).map { ($0.id, ["usd", "eur", "gbp"]) })
    case .binance: ["bitcoin": ["usd", "eur"], "ethereum": ["usd", "eur"], "dogecoin": ["usd"], "near": ["usd"]]
    case .coinbase:
      ["bitcoin": ["usd", "eur", "gbp"], "ethereum": ["usd", "eur", "gbp"], "litecoin": ["usd"], "zebra": ["usd"]]
    case .yahoo: ["AAPL": ["usd"], "SAP.DE": ["eur"], "VOD.L": ["GBp"], "NEAR": ["usd"], "GC=F": ["usd"]]
    case .alphavantage: ["AAPL": ["usd"], "IBM": ["usd"]]
    case .ecb: ["fx:eur": Self.rates, "fx:usd": Self.rates, "fx:sek": Self.rates, "fx:isk": Self.rates]
    case .journal: ["bitcoin": ["usd"], "house": ["usd"], "SAP.DE": ["eur"]]
    case .sheet: ["ethereum": ["usd"], "AAPL": ["usd"]]
    case .plugin: ["bitcoin": ["usd"], "atlas": ["usd"]]
    }
  }

  /// The currencies that the central bank quotes beside the euro.
  static let rates = ["usd", "gbp", "sek", "isk"]

  /// Whether it has prices of a thing in a currency.
  func has(_ thing: String, in currency: String) -> Bool {
    if self == .ecb {
      guard thing.hasPrefix("fx:") else { return false }
      let all = Self.rates + ["eur"]
      let from = String(thing.dropFirst(3))
      return from != currency && all.contains(from) && all.contains(currency)
    }
    return market[thing]?.contains(currency) ?? false
  }

  /// When its prices of a thing begin.
  func beginning(_ thing: String, now: Int) -> Int {
    switch self {
    case .coingecko, .tape: (now - 365 * 86_400).day
    case .binance: thing == "near" ? 1_602_633_600 : 1_502_928_000
    case .coinbase: thing == "zebra" ? (now - 100 * 86_400).day : 1_437_350_400
    case .yahoo: (now - 3000 * 86_400).day
    // A hundred days of trading.
    case .alphavantage: (now - 140 * 86_400).day
    case .ecb: (now - 421 * 86_400).day
    case .journal: thing == "house" ? (now - 300 * 86_400).day : (now - 60 * 86_400).day
    case .sheet: (now - 60 * 86_400).day
    case .plugin: (now - 90 * 86_400).day
    }
  }
}

extension Source {
  /// When a thing is traded: on weekdays, in New York's winter from 14:30 to 21:00 UTC, in Europe's from 8:00 to 16:30;
  /// a source that states days has whole ones.
  func sessions(_ thing: String, from: Int, to: Int) -> [Range<Int>] {
    let isEuropean = thing.contains(".")
    let (open, close): (Int, Int) =
      self == .alphavantage ? (0, 86_400) : isEuropean ? (28_800, 59_400) : (52_200, 75_600)
    let days = stride(from: from.day, through: to, by: 86_400).filter { ![0, 6].contains($0.weekday) }
    return days.map { day in (day + open)..<(day + close) }
  }

  /// The instant of the last trade that a source of shares states.
  func lastTrade(_ thing: String, now: Int) -> Int {
    // The day that has not ended is not stated as a day.
    let last = self == .alphavantage ? now.day - 1 : now
    let sessions = sessions(thing, from: last - 8 * 86_400, to: last).filter { $0.lowerBound < now }
    return min(now, sessions.last?.upperBound ?? now)
  }

  /// Whether it is closed at night and at weekends.
  var hasSessions: Bool { self == .yahoo || self == .alphavantage }
}

/// A row of the coin list of CoinGecko in the world.
struct Listing: Sendable {
  let id: String
  let symbol: String
  let name: String

  /// Whether there is a price; a coin may be listed without.
  var isPriced = true

  /// Coins that share a ticker, and ids that are another coin's ticker, are among them.
  static let all = [
    Listing(id: "bitcoin", symbol: "btc", name: "Bitcoin"),
    Listing(id: "ethereum", symbol: "eth", name: "Ethereum"),
    Listing(id: "near", symbol: "near", name: "NEAR Protocol"),
    Listing(id: "litecoin", symbol: "ltc", name: "Litecoin"),
    Listing(id: "beam", symbol: "beam", name: "Beam Privacy"),
    Listing(id: "beam-2", symbol: "beam", name: "Beam", isPriced: false),
    Listing(id: "uni", symbol: "uni", name: "Unicorn"),
    Listing(id: "uniswap", symbol: "uni", name: "Uniswap"),
    Listing(id: "polygon-bridged", symbol: "matic", name: "Bridged Polygon"),
    Listing(id: "twin-a", symbol: "twin", name: "Twin A"),
    Listing(id: "twin-b", symbol: "twin", name: "Twin B"),
    Listing(id: "solo-coin", symbol: "solo", name: "Solo"),
  ]
}
