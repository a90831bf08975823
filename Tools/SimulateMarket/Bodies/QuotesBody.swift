import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The answer of `/coins/markets` with `precision=full`: 26 fields a row, rows by market cap.
struct QuotesBody {
  private let market: Market
  private let currency: QuoteCurrency

  /// - Parameter currency: In what the prices are; one of ``QuoteCurrency/all(in:)``.
  init(_ market: Market, in currency: QuoteCurrency) {
    self.market = market
    self.currency = currency
  }

  func make() throws -> JSONValue {
    .array(try market.coins.map(row))
  }

  private func row(_ coin: SimulatedCoin) throws -> JSONValue {
    let price = try value(coin, minutesAgo: 0)
    let before = try value(coin, minutesAgo: 1440)
    let day = try day(of: coin, from: price)
    let hasChange = coin.coin.id != Quirk.withoutChange
    func unlessStale(_ value: @autoclosure () throws -> JSONValue) rethrows -> JSONValue {
      hasChange ? try value() : .null
    }
    return [
      "id": .string(coin.coin.id),
      "symbol": .string(coin.coin.symbol),
      "name": .string(coin.coin.name),
      "image": .string(coin.coin.imageAddress(size: "large")),
      "current_price": WireNumber.full(price),
      "market_cap": try amount(coin.marketCap),
      "market_cap_rank": .integer(coin.rank),
      "fully_diluted_valuation": try coin.fullyDilutedValuation.map(amount) ?? .null,
      "total_volume": try amount(coin.volume),
      "high_24h": unlessStale(WireNumber.full(day.high)),
      "low_24h": unlessStale(WireNumber.full(day.low)),
      "price_change_24h": unlessStale(WireNumber.full(price - before)),
      "price_change_percentage_24h": try unlessStale(try WireNumber.percent(from: before, to: price)),
      "market_cap_change_24h": unlessStale(WireNumber.capChange((price - before) * coin.circulating)),
      "market_cap_change_percentage_24h": try unlessStale(try WireNumber.percent(from: before, to: price)),
      "circulating_supply": WireNumber.float(coin.circulating),
      "total_supply": coin.total.map(WireNumber.float) ?? .null,
      "max_supply": coin.max.map(WireNumber.float) ?? .null,
      "ath": currency.price(try currency.converted(coin.ath.price)),
      "ath_change_percentage": try WireNumber.percent(from: coin.ath.price, to: coin.path.last),
      "ath_date": .string(coin.ath.date),
      "atl": currency.price(try currency.converted(coin.atl.price)),
      "atl_change_percentage": try WireNumber.percent(from: coin.atl.price, to: coin.path.last),
      "atl_date": .string(coin.atl.date),
      "roi": try Self.roi(coin, market),
      "last_updated": .string(coin.lastUpdated),
    ]
  }

  private func value(_ coin: SimulatedCoin, minutesAgo minutes: Int) throws -> Decimal {
    if currency.code == coin.coin.symbol { return 1 }
    let usd = coin.path.price(minutesAgo: minutes) ?? coin.path.last
    // A price has 17 digits, and a Decimal room for those of the rate only where it is cut.
    return try currency.converted(usd, minutesAgo: minutes).rounded(scale: 26)
  }

  private func amount(_ usd: Decimal) throws -> JSONValue {
    WireNumber.integer(try currency.converted(usd.rounded(scale: 2)))
  }

  /// The highest and lowest price of the last 24 hours; with a rate that moves, of each minute at its own.
  private func day(of coin: SimulatedCoin, from price: Decimal) throws -> (high: Decimal, low: Decimal) {
    guard case .path = currency.rate else {
      return (try currency.converted(coin.day.high), try currency.converted(coin.day.low))
    }
    return try (0...1440).reduce(into: (high: price, low: price)) { day, minutes in
      let then = try value(coin, minutesAgo: minutes)
      day = (max(day.high, then), min(day.low, then))
    }
  }

  /// What the first buyers have gained, where a first sale is known.
  static func roi(_ coin: SimulatedCoin, _ market: Market) throws -> JSONValue {
    guard let sale = coin.coin.firstSale else { return .null }
    let unit = sale.currency == "btc" ? try market.path(of: "bitcoin").last : Decimal(1)
    let times = try coin.path.last.divided(by: unit).divided(by: Decimal(strict: sale.price)) - 1
    return [
      "times": WireNumber.full(times), "currency": .string(sale.currency), "percentage": WireNumber.full(times * 100),
    ]
  }
}

/// The answer of `/coins/list`: every coin, in no order.
enum CoinListBody {
  static func make(_ market: Market, seed: UInt64) throws -> JSONValue {
    var rows = market.coins.map { ($0.coin.id, $0.coin.symbol, $0.coin.name) }
    for line in OtherCoins.table.split(separator: "\n") {
      let parts = line.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3 else { throw SimulationError(message: "\"\(line)\" is not id;symbol;name") }
      rows.append((parts[0], parts[1], parts[2]))
    }
    var random = SplitMix64(seed: seed, purpose: "coin list")
    for index in stride(from: rows.count - 1, to: 0, by: -1) {
      rows.swapAt(index, random.next(in: 0...index))
    }
    return .array(rows.map { ["id": .string($0.0), "symbol": .string($0.1), "name": .string($0.2)] })
  }
}
