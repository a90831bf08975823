import Bitpal
import BitpalModel
import BitpalProviders
import BitpalQueries
import Foundation

@testable import bitpal

/// Values that tests render.
enum Sample {
  static let instant = Date(timeIntervalSince1970: 1_736_937_000)

  static let fixture = ProviderDescriptor(
    id: "fixture", name: "Simulated market", kind: "recorded", capabilities: Set(Capability.allCases),
    note: "recorded 2025-01-15 10:30Z · simulated market", cacheIdentity: "test")

  static let live = ProviderDescriptor(
    id: "coingecko", name: "CoinGecko", kind: "coingecko", capabilities: Set(Capability.allCases),
    attribution: "Data by CoinGecko", cacheIdentity: "test")

  static func decimal(_ text: String) throws -> Decimal { try Decimal(strict: text) }

  static func coin(
    _ id: String, _ symbol: String, _ name: String, _ price: String, change: String? = nil, updated: Date? = instant
  ) throws -> Coin {
    try Coin(
      validating: id, symbol: symbol, name: name, currentPrice: decimal(price),
      priceChangePercentage24h: try change.map(decimal), lastUpdated: updated)
  }

  static func sourced<Value: Sendable>(
    _ value: Value, source: String = "fixture", coin: String = "", stale age: Duration? = nil
  ) -> Sourced<Value> {
    Sourced(
      value, about: AnswerKey(provider: source, kind: .quote, coin: coin), source: source, fetchedAt: instant,
      freshness: age.map { .stale(age: $0, because: .sourceFailed("cannot reach the source")) } ?? .fresh)
  }

  /// An update of `watch` with quotes by their ids, and failures.
  static func update(
    _ quotes: [Sourced<Coin>], failures: [CoinFailure] = [], failure: RefreshFailure? = nil, next: Duration = .zero
  ) -> WatchModel.Event {
    .update(PriceUpdate(answer: QuotesAnswer(quotes: quotes, failures: failures), failure: failure, next: next))
  }
}
