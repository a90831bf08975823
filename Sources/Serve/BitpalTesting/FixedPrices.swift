public import Bitpal
import BitpalCache
public import BitpalModel
public import BitpalProviders
public import FoundationEssentials

/// A provider with the prices that a test states, for code under test that needs no recording.
///
/// ```swift
/// let service = FixedPrices(["bitcoin": 50_000]).service()
/// let quote = try #require(try await service.quotes(["btc"], currency: "usd").quotes.first)
/// #expect(quote.price == 50_000)
/// ```
///
/// Any other coin is not found, and any other currency is not supported.
public struct FixedPrices: PriceProvider {
  /// The provider `fixed`, which has latest prices alone.
  public let descriptor: ProviderDescriptor

  private let prices: [String: Decimal]

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - prices: The prices by the ids of their coins, each above zero. A literal with a fraction, which Swift reads as a
  ///     binary number, is exact for few digits only: `Decimal(string:)` is for others.
  ///   - currency: Their currency, in lower case.
  public init(_ prices: [String: Decimal], currency: String = "usd") {
    self.prices = prices
    descriptor = ProviderDescriptor(
      id: "fixed", name: "Fixed prices", kind: "fixed", capabilities: [.quotes], currencies: [currency],
      cacheIdentity: "fixed")
  }

  /// Returns the prices of the coins of a query for quotes.
  ///
  /// - Throws: `BitpalError` `.unsupported` for any other query; `.noPrice` is the failure of a coin whose price is not
  ///   above zero.
  public func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
    guard case .quotes(let ids, _) = query else { throw unsupported(query) }
    var quotes: [String: Coin] = [:]
    var failures: [String: BitpalError] = [:]
    for id in ids {
      guard let price = prices[id] else {
        failures[id] = .notFound(coin: id, provider: descriptor.id)
        continue
      }
      quotes[id] = try? Coin(
        validating: id, symbol: id, name: id, currentPrice: price)
      if quotes[id] == nil { failures[id] = .noPrice(coin: id, provider: descriptor.id) }
    }
    return ProviderAnswer(quotes: quotes, failures: failures)
  }

  /// Returns whether the name is the id of a stated price.
  public func knows(_ name: String) -> Bool { prices[name] != nil }

  /// Returns a service of these prices alone, without a file and without a network.
  ///
  /// - Parameter time: The clock by which prices age, such as a ``ManualTime``.
  public func service(time: any TimeSource = SystemTime()) -> PriceService {
    PriceService(of: self, time: time)
  }
}

extension PriceService {
  /// Creates a service of one provider for a test, without a file.
  ///
  /// - Parameters:
  ///   - provider: The source of all prices.
  ///   - time: The clock by which prices age.
  public init(of provider: any PriceProvider, time: any TimeSource) {
    self.init(
      providers: [provider], cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { _ in }, time: time)
  }
}
