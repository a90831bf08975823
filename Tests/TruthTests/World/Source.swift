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
    case .yahoo:
      ["AAPL": ["usd"], "SAP.DE": ["eur"], "VOD.L": ["gbp"], "NEAR": ["usd"], "GC=F": ["usd"], "BHP.AX": ["usd"]]
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
  /// When a thing is traded: on the weekdays of its exchange, by the clocks of its zone in either season; a source that
  /// states days has whole ones.
  func sessions(_ thing: String, from: Int, to: Int) -> [Range<Int>] {
    let zone = MarketZone(thing)
    let hours = self == .alphavantage ? 0..<86_400 : zone.hours
    let days = stride(from: from.day, through: to, by: 86_400).filter { ![0, 6].contains($0.weekday) }
    return days.map { day in
      let ahead = self == .alphavantage ? 0 : zone.offset(on: day)
      return (day + hours.lowerBound - ahead)..<(day + hours.upperBound - ahead)
    }
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

/// The zone of an exchange, by the rules of the clocks since 2008; nothing of bitpal or of the system is asked.
enum MarketZone: String {
  case newYork = "America/New_York"
  case berlin = "Europe/Berlin"
  case sydney = "Australia/Sydney"

  /// A future, which is traded from the midnight of New York on.
  case futures = "America/Detroit"

  init(_ thing: String) {
    self = thing.hasSuffix(".AX") ? .sydney : thing.contains(".") ? .berlin : thing.contains("=") ? .futures : .newYork
  }

  /// The seconds of a day by its own clocks at which trading begins and ends.
  var hours: Range<Int> {
    switch self {
    case .newYork: 34_200..<57_600
    case .berlin: 32_400..<63_000
    case .sydney: 36_000..<57_600
    case .futures: 0..<61_200
    }
  }

  /// How far its clocks are ahead of UTC at noon of a day, in seconds.
  func offset(on day: Int) -> Int {
    let year = Int(day.dayText.prefix(4)) ?? 0
    /// The day of the Sunday of a month, counted from its beginning, or from the next month's for the last one.
    func sunday(_ month: Int, _ count: Int) -> Int {
      let first = JSONReply.instant(count > 0 ? "\(year)-\(Self.two(month))-01" : "\(year)-\(Self.two(month + 1))-01")
      let next = first + (7 - first.weekday) % 7 * 86_400
      return next + (count > 0 ? count - 1 : -1) * 7 * 86_400
    }
    switch self {
    case .newYork, .futures: return day >= sunday(3, 2) && day < sunday(11, 1) ? -14_400 : -18_000
    case .berlin: return day >= sunday(3, -1) && day < sunday(10, -1) ? 7200 : 3600
    case .sydney: return day >= sunday(10, 1) || day < sunday(4, 1) ? 39_600 : 36_000
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
