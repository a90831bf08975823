import Foundation

/// Bodies in CoinGecko's wire format, of any size, made up on the spot.
enum Bodies {
  static func quotes(_ count: Int) -> [UInt8] {
    let rows = (0..<count).map { index in
      """
      {"id":"coin-\(index)","symbol":"c\(index)","name":"Coin \(index)","image":"https://img.example/\(index).png",\
      "current_price":\(index + 1).69702678747357,"market_cap":837025489900,"market_cap_rank":\(index),\
      "fully_diluted_valuation":896849631000,"total_volume":20679539886,"high_24h":43088,"low_24h":41747,\
      "price_change_24h":-339.10884563378204,"price_change_percentage_24h":-0.78878,\
      "market_cap_change_24h":-4606129746.670288,"market_cap_change_percentage_24h":-0.54729,\
      "circulating_supply":19599200.0,"total_supply":21000000.0,"max_supply":21000000.0,"ath":69045,\
      "ath_change_percentage":-38.16427,"ath_date":"2021-11-10T14:24:11.849Z","atl":67.81,\
      "atl_change_percentage":62862.63829,"atl_date":"2013-07-06T00:00:00.000Z","roi":null,\
      "last_updated":"2024-01-15T08:54:30.919Z"}
      """
    }
    return Array("[\(rows.joined(separator: ","))]".utf8)
  }

  static func line(_ count: Int) -> [UInt8] {
    func rows(_ digits: String) -> String {
      (0..<count).map { "[\(1_705_222_488_449 + $0 * 300_000),\(42_000 + $0 % 900).\(digits)]" }.joined(separator: ",")
    }
    return Array(
      "{\"prices\":[\(rows("51096191066"))],\"market_caps\":[\(rows("2"))],\"total_volumes\":[\(rows("33333"))]}".utf8)
  }

  static func coinList(_ count: Int) -> [UInt8] {
    let rows = (0..<count).map {
      "{\"id\":\"some-coin-\($0)\",\"symbol\":\"s\($0 % 11_000)\",\"name\":\"Some Coin \($0)\"}"
    }
    return Array("[\(rows.joined(separator: ","))]".utf8)
  }
}

/// What an app decodes the same bodies into with Foundation, as the five origin documents do.
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
