package import BitpalModel
package import BitpalRateLimit
import FoundationEssentials

/// Keeps a budget that the machines of a fleet share: by the count of all, or, while there is none, by this machine's share.
package struct FleetLimiter: RateLimiter {
  /// Who has waited longer for its share looks whether all count together again.
  private static let short: Duration = .milliseconds(50)

  private let whole: BudgetLimiter
  private let part: BudgetLimiter
  private let store: FleetBudgetStore
  private let share: FleetShare
  private let key: String
  private let limits: [RateLimit]
  private let fleet: Fleet
  private let time: any TimeSource

  /// - Parameters:
  ///   - provider: The name that a refusal carries.
  ///   - key: What the budget belongs to.
  ///   - limits: The budgets of all machines together.
  ///   - keyVariable: The variable for a key, where none is set and one would allow more.
  ///   - fleet: The machines.
  ///   - local: What the processes of this machine share.
  ///   - time: The clock of deadlines and waits.
  ///   - trace: Told how long requests are held.
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
    self.share = share
    self.key = key
    self.limits = limits
    self.fleet = fleet
    self.time = time
  }

  package func acquire(deadline: Duration?) async throws -> RequestPermit {
    while true {
      do {
        let permit = try await whole.acquire(deadline: deadline)
        share.count()
        return permit
      } catch is BudgetTrouble {
        // There is no count of all, or it is not yet whole.
      }
      if let outage = fleet.outage { share.learn(outage: outage.begin) }
      let start = time.monotonic
      let permit = try await part.acquire(deadline: deadline)
      if time.monotonic - start > Self.short, doAllCount {
        // Those who wait for the count of all are before us.
        part.giveBack(permit)
        continue
      }
      // Who counts with others again is to know of it.
      store.tally(.count, to: key, limits: limits)
      return permit.ofShare
    }
  }

  package func giveBack(_ permit: RequestPermit) {
    if permit.isOfShare { part.giveBack(permit) } else { whole.giveBack(permit) }
  }

  package func block(for pause: Duration) {
    guard pause > .zero else { return }
    part.block(for: pause)
    store.tally(.block(pause), to: key, limits: limits)
  }

  /// Whether the count of all rules.
  private var doAllCount: Bool {
    // A place that nobody has: giving it back is a question only.
    (try? store.apply(.giveBack(.zero), to: key, limits: limits)) != nil
  }
}
