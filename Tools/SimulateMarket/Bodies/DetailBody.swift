import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The answer of `/coins/{id}` with everything but the market data turned off.
struct DetailBody {
  private let coin: SimulatedCoin
  private let facts: DetailFacts
  private let currencies: [QuoteCurrency]
  private let roi: JSONValue

  init(coin: SimulatedCoin, market: Market) throws {
    guard let facts = DetailFacts.all.first(where: { $0.id == coin.coin.id }) else {
      throw SimulationError(message: "nothing is written about \(coin.coin.id)")
    }
    self.coin = coin
    self.facts = facts
    currencies = try QuoteCurrency.all(in: market)
    roi = try QuotesBody.roi(coin, market)
  }

  func make() throws -> JSONValue {
    let platform = facts.platform ?? ""
    let contract: JSONValue = [
      "decimal_place": facts.platform == nil ? .null : 18, "contract_address": .string(facts.address),
    ]
    return [
      "id": .string(coin.coin.id),
      "symbol": .string(coin.coin.symbol),
      "name": .string(coin.coin.name),
      "web_slug": .string(coin.coin.id),
      "asset_platform_id": facts.platform.map(JSONValue.string) ?? .null,
      "platforms": .object(JSONObject([(platform, .string(facts.address))])),
      "detail_platforms": .object(JSONObject([(platform, contract)])),
      "block_time_in_minutes": .integer(facts.blockMinutes),
      "hashing_algorithm": facts.hashing.map(JSONValue.string) ?? .null,
      "categories": .array(facts.categories.map(JSONValue.string)),
      "preview_listing": false,
      "public_notice": .null,
      "additional_notices": [],
      "description": ["en": .string(facts.description)],
      "links": links,
      "image": [
        "thumb": .string(coin.coin.imageAddress(size: "thumb")),
        "small": .string(coin.coin.imageAddress(size: "small")),
        "large": .string(coin.coin.imageAddress(size: "large")),
      ],
      "country_origin": "",
      "genesis_date": facts.genesis.map(JSONValue.string) ?? .null,
      "sentiment_votes_up_percentage": .number("61.8"),
      "sentiment_votes_down_percentage": .number("38.2"),
      "watchlist_portfolio_users": 123456,
      "market_cap_rank": .integer(coin.rank),
      "market_data": try marketData(),
      "status_updates": [],
      "last_updated": .string(coin.lastUpdated),
    ]
  }

  private var links: JSONValue {
    [
      "homepage": [.string(facts.homepage), "", ""],
      "whitepaper": "",
      "blockchain_site": ["", "", ""],
      "official_forum_url": ["", "", ""],
      "chat_url": ["", "", ""],
      "announcement_url": ["", ""],
      "twitter_screen_name": .string(facts.handle),
      "facebook_username": "",
      "bitcointalk_thread_identifier": .null,
      "telegram_channel_identifier": "",
      "subreddit_url": "https://www.reddit.com",
      "repos_url": [
        "github": .array(facts.repository.isEmpty ? [] : [.string(facts.repository)]), "bitbucket": [],
      ],
    ]
  }

  private func marketData() throws -> JSONValue {
    let price = coin.path.last
    let before = coin.yesterday
    let day = coin.day
    let diluted = coin.fullyDilutedValuation
    let ratio = try diluted.map { try coin.marketCap.rounded(scale: 0).divided(by: $0.rounded(scale: 0), scale: 2) }
    return [
      "current_price": try prices(price),
      "total_value_locked": .null,
      "mcap_to_tvl_ratio": .null,
      "fdv_to_tvl_ratio": .null,
      "roi": roi,
      "ath": try prices(coin.ath.price),
      "ath_change_percentage": try changes(since: coin.ath.price),
      "ath_date": perCurrency { _ in .string(coin.ath.date) },
      "atl": try prices(coin.atl.price),
      "atl_change_percentage": try changes(since: coin.atl.price),
      "atl_date": perCurrency { _ in .string(coin.atl.date) },
      "market_cap": try amounts(coin.marketCap, ofCoins: coin.circulating),
      "market_cap_rank": .integer(coin.rank),
      "fully_diluted_valuation": try diluted.map { try amounts($0, ofCoins: coin.max ?? coin.total) } ?? [:],
      "market_cap_fdv_ratio": ratio.map(WireNumber.float) ?? .null,
      "total_volume": try amounts(coin.volume, ofCoins: nil),
      "high_24h": try prices(day.high),
      "low_24h": try prices(day.low),
      "price_change_24h": WireNumber.priceChange(price - before),
      "price_change_percentage_24h": try change(days: 1),
      "price_change_percentage_7d": try change(days: 7),
      "price_change_percentage_14d": try change(days: 14),
      "price_change_percentage_30d": try change(days: 30),
      "price_change_percentage_60d": try change(days: 60),
      "price_change_percentage_200d": try change(days: 200),
      "price_change_percentage_1y": try change(days: 365),
      "market_cap_change_24h": WireNumber.capChange((price - before) * coin.circulating),
      "market_cap_change_percentage_24h": try change(days: 1),
      "price_change_24h_in_currency": try perCurrency { currency in
        WireNumber.full(try value(in: currency, minutesAgo: 0) - value(in: currency, minutesAgo: 1440))
      },
      "price_change_percentage_1h_in_currency": try changes(minutes: 60),
      "price_change_percentage_24h_in_currency": try changes(minutes: 1440),
      "price_change_percentage_7d_in_currency": try changes(minutes: 7 * 1440),
      "price_change_percentage_14d_in_currency": try changes(minutes: 14 * 1440),
      "price_change_percentage_30d_in_currency": try changes(minutes: 30 * 1440),
      "price_change_percentage_60d_in_currency": try changes(minutes: 60 * 1440),
      "price_change_percentage_200d_in_currency": try changes(minutes: 200 * 1440),
      "price_change_percentage_1y_in_currency": try changes(minutes: 365 * 1440),
      "market_cap_change_24h_in_currency": try perCurrency { currency in
        let change = try value(in: currency, minutesAgo: 0) - value(in: currency, minutesAgo: 1440)
        return WireNumber.capChange(change * coin.circulating)
      },
      "market_cap_change_percentage_24h_in_currency": try changes(minutes: 1440),
      "total_supply": coin.total.map(WireNumber.float) ?? .null,
      "max_supply": coin.max.map(WireNumber.float) ?? .null,
      "circulating_supply": WireNumber.float(coin.circulating),
      "last_updated": .string(coin.lastUpdated),
    ]
  }

  private func perCurrency(_ value: (QuoteCurrency) throws -> JSONValue) rethrows -> JSONValue {
    .object(JSONObject(try currencies.map { ($0.code, try value($0)) }))
  }

  private func prices(_ usd: Decimal) throws -> JSONValue {
    try perCurrency { currency in
      isItself(currency) ? WireNumber.float(1) : currency.price(try currency.converted(usd))
    }
  }

  /// An amount in each currency; in the coin itself it is the number of coins, where there is one.
  private func amounts(_ usd: Decimal, ofCoins count: Decimal?) throws -> JSONValue {
    try perCurrency { currency in
      if let count, isItself(currency) { return WireNumber.integer(count) }
      // A cap has up to 34 digits, and a Decimal no room for those of the rate.
      return WireNumber.integer(try currency.converted(usd.rounded(scale: 2)))
    }
  }

  private func change(days: Int) throws -> JSONValue {
    guard let before = coin.path.price(minutesAgo: days * 1440) else { return .null }
    return try WireNumber.percent(from: before, to: coin.path.last)
  }

  private func changes(minutes: Int) throws -> JSONValue {
    try perCurrency { currency in
      try WireNumber.percent(from: value(in: currency, minutesAgo: minutes), to: value(in: currency, minutesAgo: 0))
    }
  }

  private func changes(since usd: Decimal) throws -> JSONValue {
    try perCurrency { currency in
      isItself(currency) ? WireNumber.float(0) : try WireNumber.percent(from: usd, to: coin.path.last)
    }
  }

  private func value(in currency: QuoteCurrency, minutesAgo minutes: Int) throws -> Decimal {
    guard let usd = coin.path.price(minutesAgo: minutes) else {
      throw SimulationError(message: "\(coin.coin.id) has no price \(minutes) minutes ago")
    }
    return isItself(currency) ? 1 : try currency.converted(usd, minutesAgo: minutes).rounded(scale: 18)
  }

  private func isItself(_ currency: QuoteCurrency) -> Bool { currency.code == coin.coin.symbol }
}
