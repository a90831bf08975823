// What the article "Write a provider in Swift" shows.

import BitpalModel
import BitpalProviders
import FoundationEssentials

/// Prices from a list that is kept by hand, one coin a line: `bitcoin,btc,Bitcoin,67187.33`.
struct PriceList: PriceProvider {
  private let coins: [String: Coin]

  let descriptor = ProviderDescriptor(
    id: "price-list", name: "Price list", kind: "list", capabilities: [.quotes, .coinList], currencies: ["usd"],
    cacheIdentity: "price-list")

  /// Reads the list.
  init(_ text: String) throws(BitpalError) {
    var coins: [String: Coin] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      do {
        guard fields.count == 4 else { throw DecimalError.malformed(String(line)) }
        coins[fields[0]] = try Coin(
          validating: fields[0], symbol: fields[1], name: fields[2], currentPrice: Decimal(strict: fields[3]))
      } catch {
        throw .unreadable(provider: "price-list", reason: "\(error)")
      }
    }
    guard !coins.isEmpty else { throw .unreadable(provider: "price-list", reason: "the list is empty") }
    self.coins = coins
  }

  func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
    switch query {
    case .quotes(let ids, "usd"):
      let unknown = ids.filter { coins[$0] == nil }.map {
        ($0, BitpalError.notFound(coin: $0, provider: descriptor.id))
      }
      return ProviderAnswer(
        quotes: coins.filter { ids.contains($0.key) }, failures: Dictionary(unknown) { first, _ in first })
    case .quotes(_, let currency):
      throw BitpalError.unsupportedCurrency(currency, provider: descriptor.id, supported: ["usd"])
    case .coinList:
      let sorted = coins.values.sorted { $0.id < $1.id }
      return ProviderAnswer(
        .coinList(try sorted.map { try CoinListItem(validating: $0.id, symbol: $0.symbol, name: $0.name) }))
    case .top, .detail, .line, .candles: throw unsupported(query)
    }
  }
}
