import BitpalCache
import BitpalModel
import FoundationEssentials

extension PriceService {
  /// Brings what is missing: one flight per key in this process, one process at a time per key.
  ///
  /// Who has waited for another process looks into the cache again before fetching: the other one has usually left the
  /// answer there.
  func land(
    _ keys: [CacheKey], policy: FetchPolicy, timeToLive: Duration,
    fetch: @escaping @Sendable ([CacheKey]) async throws -> [CacheKey: FlightBoard.Landing]
  ) async throws -> [CacheKey: FlightBoard.Landing] {
    let tell = trace
    let landings = try await flights.land(
      keys, joined: { keys in for key in keys { tell(.joinedFlight(key: key.description)) } },
      fetch: { keys in
        do {
          let hold = try await self.lock(keys)
          defer { withExtendedLifetime(hold) {} }
          var landings = policy == .refresh ? [:] : self.leftByOthers(keys, timeToLive: timeToLive)
          let missing = keys.filter { landings[$0] == nil }
          if !missing.isEmpty { landings.merge(try await fetch(missing)) { $1 } }
          return landings
        } catch is CancellationError {
          // Everybody who had asked for it has left.
          return [:]
        } catch {
          let failure = error as? BitpalError ?? .unreadable(provider: keys.first?.provider ?? "?", reason: "\(error)")
          return Dictionary(keys.map { ($0, .failure(failure)) }) { first, _ in first }
        }
      })
    guard landings.count == Set(keys).count else { throw CancellationError() }
    return landings
  }

  /// Waits for other processes that ask for the same: half of what is left, so that it can still be asked here when the
  /// other one does not come back.
  ///
  /// Without a file in which the other one would leave its answer nobody is waited for.
  func lock(_ keys: [CacheKey]) async throws -> StripeLocks.Hold? {
    guard let locks, cache.isShared else { return nil }
    let left = Deadline.current.map { $0 - time.monotonic } ?? Deadline.standard
    return try await locks.lock(keys, patience: max(.zero, left / 2))
  }

  private func leftByOthers(_ keys: [CacheKey], timeToLive: Duration) -> [CacheKey: FlightBoard.Landing] {
    var landings: [CacheKey: FlightBoard.Landing] = [:]
    for key in keys {
      guard let entry = cache.storedEntry(for: key) else { continue }
      let age = time.now.since(entry.fetchedAt)
      guard age <= timeToLive, age > .zero - FreshnessRule.clockTolerance else { continue }
      landings[key] = .success(FlightBoard.Fetched(entry: entry, warnings: []))
      tellHit(key, .sqlite, entry.fetchedAt, timeToLive)
    }
    return landings
  }
}
