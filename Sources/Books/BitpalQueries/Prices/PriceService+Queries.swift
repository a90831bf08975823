package import Bitpal
package import BitpalModel

extension PriceService {
  /// Returns the week's prices of coins whose prices were just asked for, and the coins without them by reason.
  ///
  /// A source whose quotes include the week has stored it in the cache by now. A cached week counts for 8 hours, less
  /// than the time that one character of its line covers. No request waits for a budget, because the line is an extra.
  ///
  /// - Throws: `CancellationError`.
  package func recentWeeks(
    ofIDs coins: [String], currency: String, policy: FetchPolicy
  ) async throws -> (lines: [String: LineSeries], missing: [(reason: String, coins: [String])]) {
    var lines: [String: LineSeries] = [:]
    var old: [String] = []
    for coin in coins {
      lines[coin] = cachedWeek(ofID: coin, currency: currency)
      let age = lines[coin]?.points.last.map { time.now.since($0.timestamp) }
      if age.map({ $0 >= .seconds(8 * 3600) }) ?? true { old.append(coin) }
    }
    guard !old.isEmpty, policy != .offline else { return (lines, []) }
    let fetched = try await Deadline.withoutWaiting { try await weeks(ofIDs: old, currency: currency) }
    var missing: [(reason: String, coins: [String])] = []
    for coin in old {
      switch fetched[coin] {
      case .success(let line): lines[coin] = line
      case .failure(let error) where lines[coin] == nil:
        if let index = missing.firstIndex(where: { $0.reason == error.message }) {
          missing[index].coins.append(coin)
        } else {
          missing.append((error.message, [coin]))
        }
      case .failure, nil: break
      }
    }
    return (lines, missing)
  }
}
