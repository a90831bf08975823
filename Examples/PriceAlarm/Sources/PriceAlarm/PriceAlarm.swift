import BitpalModel
import BitpalProviders
import FoundationEssentials

/// Rings when a coin leaves the range in which it was all week.
public struct PriceAlarm: Sendable {
  private let provider: any PriceProvider
  private let time: any TimeSource

  /// Watches prices of that provider; the clock decides what "this week" is.
  public init(provider: any PriceProvider, time: any TimeSource) {
    self.provider = provider
    self.time = time
  }

  /// What there is to say about a coin; nil when it keeps quiet.
  public func message(about coin: String, currency: String = "usd") async throws -> String? {
    let week = TimeWindow(ending: time.now, length: .seconds(7 * 86_400))
    let line = try await provider.line(coin, currency: currency, window: week).value
    let quotes = try await provider.quotes([coin], currency: currency).value
    guard let quote = quotes.coins[coin] else {
      return "\(coin) has no price: \(quotes.failures[coin]?.message ?? "no reason given")"
    }
    let prices = line.points.dropLast().map(\.price)
    guard let low = prices.min(), let high = prices.max() else { return nil }
    if quote.currentPrice > high { return "\(quote.name) is at \(quote.currentPrice.plainText), above its week" }
    if quote.currentPrice < low { return "\(quote.name) is at \(quote.currentPrice.plainText), below its week" }
    return nil
  }
}
