import Foundation

/// What an app decodes the same bodies into with Foundation.
enum Decoded {
  /// A price with the figures that come with it, which bitpal keeps too.
  struct Quote: Decodable {
    let id: String
    let symbol: String
    let name: String
    let current_price: Decimal?
    let price_change_percentage_24h: Decimal?
    let last_updated: String?
    let market_cap: Decimal?
    let total_volume: Decimal?
    let circulating_supply: Decimal?
    let total_supply: Decimal?
    let max_supply: Decimal?
    let market_cap_rank: Int?
    let ath: Decimal?
    let ath_date: String?
    let atl: Decimal?
    let atl_date: String?
    let image: String?
  }

  struct Line: Decodable {
    let prices: [[Decimal]]
  }

  struct ListItem: Decodable {
    let id: String
    let symbol: String
    let name: String
  }
}
