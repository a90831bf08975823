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
    let line: LineSeries = try await provider.value(.line(coin: coin, currency: currency, window: week))
    let quote: Coin
    do {
      quote = try await provider.value(.quotes(coins: [coin], currency: currency))
    } catch let error as BitpalError {
      return "\(coin) has no price: \(error.message)"
    }
    let prices = line.points.dropLast().map(\.price)
    guard let low = prices.min(), let high = prices.max() else { return nil }
    if quote.currentPrice > high { return "\(quote.name) is at \(quote.currentPrice.plainText), above its week" }
    if quote.currentPrice < low { return "\(quote.name) is at \(quote.currentPrice.plainText), below its week" }
    return nil
  }
}
