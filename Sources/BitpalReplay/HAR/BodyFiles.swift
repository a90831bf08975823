import BitpalJSON
import BitpalModel
import BitpalNetwork

/// Gives bodies names that people recognise, and lays them out so that differences are short.
struct BodyFiles {
  private(set) var files: [(name: String, bytes: [UInt8])] = []

  /// Adds a body; an equal one of the same name is kept once.
  ///
  /// - Returns: Its name.
  mutating func add(_ body: [UInt8], of exchange: CapturedExchange, type: String, redaction: Redaction) -> String {
    let isJSON = type.contains("json") || [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(body.first)
    let stored = isJSON ? JSONLayout.pretty(body) ?? body : body
    let suffix = isJSON ? "json" : type.contains("html") ? "html" : "txt"
    let status = exchange.response.status == 200 ? "" : "-\(exchange.response.status)"
    let stem = Self.plain(redaction.text(Self.words(of: exchange)).lowercased() + status)
    var name = "\(stem).\(suffix)"
    var number = 1
    while let other = files.first(where: { $0.name == name }) {
      if other.bytes == stored { return name }
      number += 1
      name = "\(stem)-\(number).\(suffix)"
    }
    files.append((name, stored))
    return name
  }

  private static func words(of exchange: CapturedExchange) -> String {
    switch exchange.query {
    case .quotes(let coins, let currency):
      coins.count <= 3
        ? "quotes-\(coins.joined(separator: "-"))-\(currency)" : "quotes-\(coins.count)-coins-\(currency)"
    case .coinList: "coin-list"
    case .detail(let coin, _): "detail-\(coin)"
    case .line(let coin, let currency, let window): "line-\(coin)-\(currency)-\(window.length.unitText)"
    case .candles(let coin, let currency, let window, _): "candles-\(coin)-\(currency)-\(window.length.unitText)"
    case nil: "body" + RequestURL(exchange.request.url).path.replacing("/", with: "-")
    }
  }

  /// A name that every file system takes.
  private static func plain(_ words: String) -> String {
    let kept = words.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): byte
      default: UInt8(ascii: "_")
      }
    }
    return String(decoding: kept.prefix(80), as: UTF8.self)
  }
}
