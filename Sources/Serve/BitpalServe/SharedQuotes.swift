package import Bitpal
package import BitpalModel
import BitpalProviders
package import BitpalQueries
package import FoundationEssentials

/// A batcher of quotes for many clients: it sends the questions of one moment to the source together.
///
/// Budgets count requests and not coins, so forty clients with different coins cost one request. Fresh answers from the
/// cache do not wait, and without a source on the web nothing is batched.
package final class SharedQuotes: Sendable {
  /// The time for which the first question waits for others: 20 ms.
  package static let moment = Duration.milliseconds(20)

  /// The batch that collects questions, by currency.
  private let open = Locked<[String: Batch]>([:])
  private let service: PriceService
  private let isOnWeb: Bool
  private let limit: Duration
  private let fetched: Fetched?

  /// A function that is called with prices after some of them were fetched, and the instant since which they count as such.
  package typealias Fetched = @Sendable ([Sourced<Coin>], Date) async -> Void

  /// Creates a batcher for a service.
  ///
  /// - Parameters:
  ///   - limit: The longest time for an answer.
  ///   - fetched: Called after prices were fetched; the answer does not wait for it.
  package init(_ service: PriceService, limit: Duration, fetched: Fetched? = nil) {
    self.service = service
    self.limit = limit
    self.fetched = fetched
    isOnWeb = service.descriptors.contains(where: \.needsNetwork)
  }

  /// The names of coins for one request, and its answers.
  private struct Batch: Sendable {
    /// The largest number of names, so that one client's long list does not delay others.
    static let most = 250

    let names: Locked<Set<String>>
    let answers: Task<QuotesAnswer.Outcomes, any Error>

    /// Adds names; false when there would be too many.
    func takes(_ more: [String]) -> Bool {
      names.withLock { names in
        guard names.count + more.count <= Self.most else { return false }
        names.formUnion(more)
        return true
      }
    }
  }

  /// Returns the prices of a question, or their errors.
  ///
  /// - Throws: The error when the whole request fails.
  package func answer(_ query: PricesQuery) async throws -> QuotesAnswer {
    guard isOnWeb else { return try await ask(query) }
    let cached = try await query.answer(by: service, policy: .renewing)
    let isFresh = cached.outcomes.values.allSatisfy { (try? $0.get())?.freshness.isServedStale == false }
    if isFresh, cached.outcomes.count == Set(query.coins).count { return cached }
    return QuotesAnswer(query.coins, try await joined(query).answers.value)
  }

  private func joined(_ query: PricesQuery) -> Batch {
    let currency = query.currency
    return open.withLock { open in
      if let batch = open[currency], batch.takes(query.coins) { return batch }
      let asked = Locked(Set(query.coins))
      let batch = Batch(
        names: asked,
        answers: Task(executorPreference: BlockingPool.shared) {
          try? await SystemTime().sleep(for: Self.moment)
          self.open.withLock { if $0[currency]?.names === asked { $0[currency] = nil } }
          return try await self.ask(PricesQuery(asked.withLock { $0.sorted() }, currency: currency)).outcomes
        })
      open[currency] = batch
      return batch
    }
  }

  private func ask(_ query: PricesQuery) async throws -> QuotesAnswer {
    let began = service.time.now
    let answer = try await Deadline.independent(limit, patience: .zero, on: service.time) {
      try await query.answer(by: service)
    }
    if let fetched, answer.quotes.contains(where: { $0.fetchedAt >= began }) {
      Task(executorPreference: BlockingPool.shared) { await fetched(answer.quotes, began) }
    }
    return answer
  }
}
