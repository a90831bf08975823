import BitpalJSON
import BitpalModel
import FoundationEssentials

/// A currency of quotes, and of the maps in a coin's detail: one with a fixed rate, or another coin of the market.
struct QuoteCurrency {
  enum Rate {
    /// How much of it a usd buys, all year.
    case fixed(Decimal)

    /// What one of it costs.
    case path(PricePath)
  }

  let code: String
  let rate: Rate

  /// The currencies of a detail, by code.
  ///
  /// The rates are made up, near those of a January.
  static func all(in market: Market) throws -> [QuoteCurrency] {
    [
      QuoteCurrency(code: "btc", rate: .path(try market.path(of: "bitcoin"))),
      QuoteCurrency(code: "eth", rate: .path(try market.path(of: "ethereum"))),
      QuoteCurrency(code: "eur", rate: .fixed(try Decimal(strict: "0.970513"))),
      QuoteCurrency(code: "gbp", rate: .fixed(try Decimal(strict: "0.819274"))),
      QuoteCurrency(code: "idr", rate: .fixed(try Decimal(strict: "16331.4"))),
      QuoteCurrency(code: "jpy", rate: .fixed(try Decimal(strict: "156.873"))),
      QuoteCurrency(code: "usd", rate: .fixed(1)),
      QuoteCurrency(code: "vnd", rate: .fixed(try Decimal(strict: "25384"))),
    ]
  }

  /// Those in which all coins are quoted: usd, and what people in other places count in.
  static func quoted(in market: Market) throws -> [QuoteCurrency] {
    let all = try all(in: market)
    return ["usd", "eur", "gbp", "btc"].compactMap { code in all.first { $0.code == code } }
  }

  /// An amount of usd in this currency at the rate of that many minutes ago.
  func converted(_ usd: Decimal, minutesAgo minutes: Int = 0) throws -> Decimal {
    switch rate {
    case .fixed(let rate): return usd * rate
    case .path(let path):
      guard let price = path.price(minutesAgo: minutes) else {
        throw SimulationError(message: "\(code) has no price \(minutes) minutes ago")
      }
      return try usd.divided(by: price, scale: 22)
    }
  }

  /// A price as the source writes it: in a coin with more digits than in money.
  func price(_ value: Decimal) -> JSONValue {
    if case .path = rate, value >= 1 { return WireNumber.float(value.rounded(scale: 6)) }
    return WireNumber.price(value)
  }
}
