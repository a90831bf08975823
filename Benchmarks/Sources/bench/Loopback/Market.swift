import Foundation

/// What the loopback server answers: CoinGecko's addresses, and those of the sources the peers ask.
enum Market {
  /// The body for a path and query; nil for what is not there.
  static func body(for target: String) -> [UInt8]? {
    guard let address = URLComponents(string: target) else { return nil }
    let path = address.path.split(separator: "/").map(String.init)
    func parameter(_ name: String) -> String? { address.queryItems?.first { $0.name == name }?.value }
    switch (path.first, path.last) {
    case ("coins", "markets"):
      return Bodies.quotes((parameter("ids") ?? "").split(separator: ",").map(String.init))
    case ("coins", "list"):
      return Bodies.coinList(17_900)
    case ("coins", "market_chart"):
      return Bodies.line(ending: .now, every: 86_400, parameter("days").flatMap { Int($0) } ?? 1)
    case ("products", "candles"):
      return Bodies.coinbaseCandles(days: 30)
    case ("coincap", let id?):
      return Array(
        #"{"data":{"id":"\#(id)","symbol":"C","priceUsd":"67187.3358936566000000"},"timestamp":1736937000000}"#.utf8)
    default:
      return nil
    }
  }
}
