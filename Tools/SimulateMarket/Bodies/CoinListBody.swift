import BitpalJSON

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
