import BitpalCache
import BitpalModel
import BitpalProviders

/// A question about one coin: how it is cached, how it is asked, how long its answer lives.
struct Question<Value: Sendable>: Sendable {
  let capability: Capability
  let words: String
  let coin: String
  let currency: String
  let operation: CacheKey.Operation
  var range = ""
  let timeToLive: Duration
  let unwrap: @Sendable (CacheEntry.Value) -> Value?
  let wrap: @Sendable (Value) -> CacheEntry.Value
  /// Lays what was fetched over what is stored.
  var merge: @Sendable (_ stored: Value, _ fetched: Value) -> Value = { $1 }
  let fetch: @Sendable (any PriceProvider) async throws -> ProviderAnswer<Value>

  func key(_ provider: any PriceProvider) -> CacheKey {
    CacheKey(
      provider: provider.descriptor.cacheIdentity, operation: operation, coin: coin, currency: currency, range: range)
  }
}
