package import BitpalModel
package import BitpalRateLimit
import FoundationEssentials

/// A limiter for a budget that the machines of a fleet share: by their common count, or in an outage by this machine's
/// share.
///
/// For a while after an outage a request needs both, because other machines may not have noticed yet that the server is
/// back.
package struct FleetLimiter: RateLimiter {
  private let whole: BudgetLimiter
  private let part: BudgetLimiter
  private let store: FleetBudgetStore
  private let key: String
  private let limits: [RateLimit]
  private let fleet: Fleet
  private let time: any TimeSource

  /// The shortest wait for a token of the share after which the server is tried again.
  private static let short: Duration = .milliseconds(50)

  /// The time after an outage in which a request needs a token of the share too.
  ///
  /// Until then every machine has tried the server again, and the tokens that others have used alone are back.
  private let recovery: Duration

  /// Creates a limiter.
  ///
  /// - Parameters:
  ///   - provider: The name that a refusal carries.
  ///   - key: The key of the budget.
  ///   - limits: The limits of all machines together.
  ///   - keyVariable: The variable for a key, where none is set and one would allow more.
  ///   - fleet: The machines.
  ///   - local: The file that the processes of this machine share.
  ///   - time: The clock of deadlines and waits.
  ///   - trace: Receives the length of each wait.
  package init(
    provider: String, key: String, limits: [RateLimit], keyVariable: String?, fleet: Fleet, local: BudgetFile,
    time: any TimeSource, trace: Trace
  ) {
    let store = FleetBudgetStore(fleet, local: local)
    let share = store.share(of: key, limits)
    func limiter(_ key: String, _ limits: [RateLimit], _ store: any BudgetStore) -> BudgetLimiter {
      BudgetLimiter(
        provider: provider, key: key, limits: limits, keyVariable: keyVariable, store: store, time: time, trace: trace)
    }
    whole = limiter(key, limits, store)
    part = limiter(share.key, share.limits, local)
    self.store = store
    self.key = key
    self.limits = limits
    self.fleet = fleet
    self.time = time
    let longest = limits.map(\.window).filter { $0 <= FleetShare.longestWaited }.max()
    fleet.watch(key) { [weak fleet] in
      if let fleet { FleetBudgetStore(fleet, local: local).look(at: key, limits) }
    }
    recovery = longest.map { FleetBreaker.pause + .milliseconds(500) + $0 } ?? .zero
  }

  package func acquire(deadline: Duration?) async throws -> RequestPermit {
    try await acquire(1, deadline: deadline)
  }

  package func acquire(_ tokens: Int, deadline: Duration?) async throws -> RequestPermit {
    while true {
      let outage = fleet.lastOutage
      do {
        if let outage {
          if outage.isOpen(at: fleet.now()) { throw BudgetStoreError.unreachable }
          store.reportOutage(outage, of: key, limits: limits)
        }
        // The token of the share is given back: the one from the server counts as this machine's own use.
        let gate = fleet.isRecovering(for: recovery) ? try await part.acquire(tokens, deadline: deadline) : nil
        defer { gate.map(part.giveBack) }
        return try await whole.acquire(tokens, deadline: deadline)
      } catch is BudgetStoreError {
        // The server cannot count for all machines now, so the share applies.
      }
      if let outage = fleet.lastOutage { store.share(of: key, limits).record(outage: outage) }
      let start = time.monotonic
      var permit = try await part.acquire(tokens, deadline: deadline)
      permit.isOfShare = true
      let isBack = fleet.lastOutage.map { !$0.isOpen(at: fleet.now()) } ?? false
      if !isBack || time.monotonic - start < Self.short { return permit }
      part.giveBack(permit)
    }
  }

  package func giveBack(_ permit: RequestPermit) {
    if permit.isOfShare { part.giveBack(permit) } else { whole.giveBack(permit) }
  }

  package func block(for pause: Duration) {
    guard pause > .zero else { return }
    part.block(for: pause)
    whole.block(for: pause)
  }
}
