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

  func answer(to query: ProviderQuery) async throws -> ProviderAnswer<ProviderReply> {
    switch query {
    case .quotes(let ids, let currency): ProviderAnswer(.quotes(try quotes(ids, in: currency)))
    case .coinList: ProviderAnswer(.coinList(try list()))
    default: throw unsupported(query)
    }
  }

  private func quotes(_ ids: [String], in currency: String) throws(BitpalError) -> QuoteBatch {
    guard currency == "usd" else {
      throw .unsupportedCurrency(currency, provider: descriptor.id, supported: ["usd"])
    }
    var found: [String: Coin] = [:]
    var failures: [String: BitpalError] = [:]
    for id in ids {
      found[id] = coins[id]
      if coins[id] == nil { failures[id] = .notFound(coin: id, provider: descriptor.id) }
    }
    return QuoteBatch(coins: found, failures: failures)
  }

  private func list() throws -> [CoinListItem] {
    let sorted = coins.values.sorted { $0.id < $1.id }
    return try sorted.map { try CoinListItem(validating: $0.id, symbol: $0.symbol, name: $0.name) }
  }
}
