package import BitpalModel
import BitpalProviders
package import BitpalService

/// A batcher of quotes for many clients: it sends the questions of one moment to the source together.
///
/// Budgets count requests and not coins, so forty clients with different coins cost one request. Fresh answers from the
/// cache do not wait, and without a source on the web nothing is batched.
package final class SharedQuotes: Sendable {
  package typealias Answers = [String: Result<Sourced<Coin>, BitpalError>]

  /// The time for which the first question waits for others: 20 ms.
  package static let moment = Duration.milliseconds(20)

  /// The batch that collects questions, by currency.
  private let open = Locked<[String: Batch]>([:])
  private let service: PriceService
  private let isOnWeb: Bool
  private let limit: Duration

  /// Creates a batcher for a service.
  ///
  /// - Parameter limit: The longest time for an answer.
  package init(_ service: PriceService, limit: Duration) {
    self.service = service
    self.limit = limit
    isOnWeb = service.descriptors.contains(where: \.needsNetwork)
  }

  /// The names of coins for one request, and its answers.
  private struct Batch: Sendable {
    /// The largest number of names, so that one client's long list does not delay others.
    static let most = 250

    let names: Locked<Set<String>>
    let answers: Task<Answers, any Error>

    /// Adds names; false when there would be too many.
    func takes(_ more: [String]) -> Bool {
      names.withLock { names in
        guard names.count + more.count <= Self.most else { return false }
        names.formUnion(more)
        return true
      }
    }
  }

  /// Returns the prices of coins, or their errors, by the names in the question.
  ///
  /// - Throws: The error when the whole request fails.
  package func quotes(_ names: [String], currency: String) async throws -> Answers {
    guard isOnWeb else { return try await ask(names, currency) }
    let cached = try await service.quotesByName(names, currency: currency, policy: .renewing)
    let isFresh = cached.values.allSatisfy { (try? $0.get())?.freshness.isServedStale == false }
    if isFresh, cached.count == Set(names).count { return cached }
    return try await joined(names, currency).answers.value
  }

  /// Returns the prices that are cached and fresh; no source is asked for the others.
  ///
  /// - Throws: The error of the service.
  func cached(_ names: [String], currency: String) async throws -> Answers {
    try await service.quotesByName(names, currency: currency, policy: .cached)
      .filter { _, answer in (try? answer.get())?.freshness.isServedStale == false }
  }

  private func joined(_ names: [String], _ currency: String) -> Batch {
    open.withLock { open in
      if let batch = open[currency], batch.takes(names) { return batch }
      let asked = Locked(Set(names))
      let batch = Batch(
        names: asked,
        answers: Task(executorPreference: BlockingPool.shared) {
          try? await SystemTime().sleep(for: Self.moment)
          self.open.withLock { if $0[currency]?.names === asked { $0[currency] = nil } }
          return try await self.ask(asked.withLock { $0.sorted() }, currency)
        })
      open[currency] = batch
      return batch
    }
  }

  private func ask(_ names: [String], _ currency: String) async throws -> Answers {
    try await Deadline.independent(limit, patience: .zero, on: service.time) {
      try await service.quotesByName(names, currency: currency)
    }
  }
}
