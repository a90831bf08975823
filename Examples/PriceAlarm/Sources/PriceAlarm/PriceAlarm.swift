import Bitpal
import FoundationEssentials

/// Rings when a coin leaves the range in which it was all week.
public struct PriceAlarm: Sendable {
  private let service: PriceService

  /// Watches prices of that service, whose clock decides what "this week" is.
  public init(service: PriceService) {
    self.service = service
  }

  /// What there is to say about a coin; nil when it keeps quiet.
  public func message(about coin: String, currency: String = "usd") async throws -> String? {
    guard let range = ChartTimeRange.standard.named("1W") else { return nil }
    let week = try await service.line(coin, range: range, currency: currency)
    let answer = try await service.quotes([coin], currency: currency)
    if let failure = answer.failures.first { return "\(coin) has no price: \(failure.error.message)" }
    let prices = week.points.dropLast().map(\.price)
    guard let quote = answer.quotes.first, let low = prices.min(), let high = prices.max() else { return nil }
    if quote.price > high { return "\(quote.name) is at \(quote.price.plainText), above its week" }
    if quote.price < low { return "\(quote.name) is at \(quote.price.plainText), below its week" }
    return nil
  }
}
