import Foundation

/// What an app decodes the same bodies into with Foundation.
enum Decoded {
  struct Quote: Decodable {
    let id: String
    let symbol: String
    let name: String
    let current_price: Decimal?
    let price_change_percentage_24h: Decimal?
    let last_updated: String?
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
