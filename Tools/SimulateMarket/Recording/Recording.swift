import BitpalJSON
import BitpalModel
import BitpalReplay
import FoundationEssentials

/// The exchanges of the demo and the files they become.
struct Recording {
  let exchanges: [Exchange]

  init(market: Market, seed: UInt64) throws {
    // The caller asks by name; the source answers by market cap.
    let ids = market.coins.map(\.coin.id).sorted()
    let days = [1, 7, 30, 365]
    var exchanges: [Exchange] = [
      .coinList(body: try CoinListBody.make(market, seed: seed))
    ]
    for currency in try QuoteCurrency.quoted(in: market) {
      let body = try QuotesBody(market, in: currency).make()
      exchanges.append(
        .quotes(of: ids, in: currency.code, file: "quotes-\(currency.code).json", body: .json(body)))
    }
    for coin in market.charted {
      let body = try DetailBody(coin: coin, market: market).make()
      exchanges.append(.detail(of: coin.coin.id, file: "detail-\(coin.coin.id).json", body: .json(body)))
    }
    for coin in market.charted {
      for days in days {
        let body = try LineBody(coin: coin, days: days, seed: seed).make()
        let file = "line-\(coin.coin.id)-usd-\(days)d.json"
        exchanges.append(.line(of: coin.coin.id, days: days, file: file, body: .json(body)))
      }
    }
    for coin in market.charted {
      for days in days {
        let body = CandlesBody(coin: coin, days: days).make()
        let file = "candles-\(coin.coin.id)-usd-\(days)d.json"
        exchanges.append(.candles(of: coin.coin.id, days: days, file: file, body: .json(body)))
      }
    }
    self.exchanges = exchanges + Self.failures
  }

  /// What goes wrong, each on purpose, for coins named after it.
  private static var failures: [Exchange] {
    let missing = "simulated-not-found"
    let limited = "simulated-rate-limited"
    let refused = "simulated-cloudflare"
    let notFound = "error-not-found.json"
    let tooMany = "error-rate-limited.json"
    let denied = "error-cloudflare.html"
    let wait = (name: "retry-after", value: "60")
    let limit = Exchange.Body.json(FailureBodies.rateLimited)
    let page = Exchange.Body.text(FailureBodies.accessDenied)
    return [
      .quotes(of: [missing], file: "error-quotes-empty.json", body: .json([])),
      .detail(of: missing, file: notFound, status: 404, body: .json(FailureBodies.notFound)),
      .quotes(of: [limited], file: tooMany, status: 429, header: wait, body: limit),
      .line(of: limited, days: 1, file: tooMany, status: 429, header: wait, body: limit),
      .candles(of: limited, days: 1, file: tooMany, status: 429, header: wait, body: limit),
      .quotes(of: [refused], file: denied, status: 403, body: page),
      .line(of: refused, days: 1, file: denied, status: 403, body: page),
    ]
  }

  /// Writes `recording.har` and `bodies/`, and returns how many bytes that is.
  func write(to directory: String) throws -> Int {
    let root = URL(filePath: directory, directoryHint: .isDirectory)
    do {
      return try write(to: root, bodies: root.appending(path: "bodies", directoryHint: .isDirectory))
    } catch {
      throw SimulationError(message: "cannot write to \(directory)")
    }
  }

  private func write(to root: URL, bodies: URL) throws -> Int {
    try FileManager.default.createDirectory(at: bodies, withIntermediateDirectories: true)
    var total = 0
    var written: Set<String> = []
    for exchange in exchanges where written.insert(exchange.file).inserted {
      let bytes = exchange.storedBytes
      try Data(bytes).write(to: bodies.appending(path: exchange.file), options: .atomic)
      total += bytes.count
    }
    let minified = Array(archive.compact(.plain).utf8)
    let har = Data(JSONLayout.pretty(minified) ?? minified)
    try har.write(to: root.appending(path: "recording.har"), options: .atomic)
    return total + har.count
  }

  private var archive: JSONValue {
    [
      "log": [
        "version": "1.2",
        "creator": ["name": "bitpal", "version": "0.1"],
        "comment": "Simulated market: every figure is made up. Written by simulate-market; do not edit.",
        "_bitpal": [
          "recorded_at": .string(Moment.iso8601(Moment.now)),
          "note": "simulated market",
          "attribution": "Simulated; not market data",
        ],
        "entries": .array(exchanges.map(\.entry)),
      ]
    ]
  }
}
