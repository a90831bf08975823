import Foundation

/// Bodies in the sources' wire formats, of any size, made up on the spot.
enum Bodies {
  static func ids(_ count: Int) -> [String] { (0..<count).map { "coin-\($0)" } }

  static func quotes(_ ids: [String]) -> [UInt8] {
    let rows = ids.enumerated().map { index, id in
      """
      {"id":"\(id)","symbol":"c\(index)","name":"Coin \(index)","image":"https://img.example/\(index).png",\
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

  /// Points up to an instant, `seconds` apart.
  static func line(ending end: Date, every seconds: Int, _ count: Int) -> [UInt8] {
    // On the grid, as the source's days are.
    let last = Int(end.timeIntervalSince1970) / seconds * seconds
    func rows(_ digits: String) -> String {
      (0...count).map { index in
        "[\((last - (count - index) * seconds) * 1000),\(42_000 + index % 900).\(digits)]"
      }.joined(separator: ",")
    }
    return Array(
      "{\"prices\":[\(rows("51096191066"))],\"market_caps\":[\(rows("2"))],\"total_volumes\":[\(rows("33333"))]}".utf8)
  }

  /// A list in which one name in 25 has "bit" in it, about as in the real one.
  static func coinList(_ count: Int) -> [UInt8] {
    let rows = (0..<count).map { index in
      let word = index % 25 == 0 ? "bit" : "some"
      return "{\"id\":\"\(word)-coin-\(index)\",\"symbol\":\"s\(index % 11_000)\",\"name\":\"\(word) Coin \(index)\"}"
    }
    return Array("[\(rows.joined(separator: ","))]".utf8)
  }

  /// Daily candles up to yesterday, newest first: time, low, high, open, close, volume.
  static func coinbaseCandles(days: Int) -> [UInt8] {
    let today = Int(Date.now.timeIntervalSince1970) / 86_400 * 86_400
    let rows = (1...days).map { "[\(today - $0 * 86_400),41747.1,43088.2,42000.\($0),42051.\($0),1234.5678]" }
    return Array("[\(rows.joined(separator: ","))]".utf8)
  }
}
