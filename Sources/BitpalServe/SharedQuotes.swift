package import BitpalModel
import BitpalProviders
package import BitpalService

/// Quotes for many clients: the questions of one moment are asked of the source at once.
///
/// A source counts requests and not coins, so forty clients that each want another coin cost one request. Fresh answers
/// of the cache do not wait, and where no source is on the web there is nothing to save.
package final class SharedQuotes: Sendable {
  package typealias Answers = [String: Result<Sourced<Coin>, BitpalError>]

  /// The time for which the first question waits for others.
  package static let moment = Duration.milliseconds(20)

  /// The batch that is going to be asked, by currency.
  private let open = Locked<[String: Batch]>([:])
  private let service: PriceService
  private let isOnWeb: Bool
  private let limit: Duration

  /// - Parameter limit: The longest time for an answer.
  package init(_ service: PriceService, limit: Duration) {
    self.service = service
    self.limit = limit
    isOnWeb = service.descriptors.contains(where: \.needsNetwork)
  }

  /// Questions that are going to be asked at once.
  private struct Batch: Sendable {
    /// No more, so that one client's long list is not everybody's.
    static let most = 250

    let names: Locked<Set<String>>
    let answers: Task<Answers, any Error>

    /// Takes more names, unless there are too many.
    func takes(_ more: [String]) -> Bool {
      names.withLock { names in
        guard names.count + more.count <= Self.most else { return false }
        names.formUnion(more)
        return true
      }
    }
  }

  /// The prices of coins by the names under which they are asked for, or why they have none.
  package func quotes(_ names: [String], currency: String) async throws -> Answers {
    guard isOnWeb else { return try await ask(names, currency) }
    if let cached = try await cached(names, currency: currency) { return cached }
    return try await joined(names, currency).answers.value
  }

  /// The prices of coins if all of them are cached and fresh; nil otherwise.
  func cached(_ names: [String], currency: String) async throws -> Answers? {
    let cached = try await service.quotesByName(names, currency: currency, policy: .cached)
    let isFresh = cached.values.allSatisfy { (try? $0.get())?.freshness.isStaleIfError == false }
    return isFresh && cached.count == Set(names).count ? cached : nil
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
