import Bitpal
import BitpalModel
import FoundationEssentials

/// The closes that value the transactions of an imported file, or by which its prices are judged.
///
/// The first source's closes count, and files of prices fill the gaps.
struct ImportedCloses: Sendable {
  /// The closes by the id of the coin and the midnight of the day.
  private(set) var prices: [String: [Date: Decimal]] = [:]

  /// The reasons why a coin lacks closes, as a clause for messages, by the id of the coin.
  private(set) var reasons: [String: String] = [:]

  /// Asks for the closes of coins, with one question per coin.
  ///
  /// Offline, a failure is not reported.
  ///
  /// - Parameter needed: The coins, each with its first and last day; today has no close yet.
  /// - Throws: Errors of the store; `CancellationError`.
  init(
    _ needed: [(coin: String, days: ClosedRange<Date>)], _ currency: String, in book: PortfolioBook,
    policy: FetchPolicy
  ) async throws {
    let newest = book.now.startOfDay.adding(.seconds(-86_400))
    for (coin, days) in needed {
      let last = min(days.upperBound, newest)
      guard days.lowerBound.startOfDay <= last else { continue }
      let own = await book.service.stepPrices(coin, from: days.lowerBound, to: last, currency: currency)
      do {
        let answer = try await book.service.history(
          book.service.name(ofID: coin), from: days.lowerBound, to: last, currency: currency, reach: .asFarAsItGoes,
          policy: policy)
        if policy != .offline { book.remark(.origin(answer.map { _ in }, coin: coin)) }
        prices[coin] = Dictionary(answer.value.map { ($0.day, $0.price) }) { first, _ in first }
        if let first = answer.value.first?.day, first > days.lowerBound.startOfDay {
          reasons[coin] =
            "the closes of \(answer.source) begin on \(first.dayText); another provider or a kind: file may have older ones"
        }
      } catch let error as BitpalError {
        // The rows that need a close are reported one by one; this is the reason for all of them.
        if own.isEmpty, policy != .offline { book.remark(.failure(CoinFailure(coin: coin, error: error))) }
      }
      prices[coin, default: [:]].merge(own) { first, _ in first }
      if let split = try book.lastSplit(of: coin), split > days.lowerBound {
        prices[coin] = prices[coin]?.filter { $0.key >= split.startOfDay }
        reasons[coin] = "\(coin) was split on \(split.dayText), and closes before may be in the shares of after"
      }
    }
  }

  /// Returns the close of a coin on the day of a date; nil where no source has it.
  func price(of coin: String, on date: Date) -> Decimal? { prices[coin]?[date.startOfDay] }
}
