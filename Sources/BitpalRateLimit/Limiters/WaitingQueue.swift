import BitpalModel

/// Takes a place in the budget, waits for it, and makes sure that it may still be used.
///
/// The store decides who is next; waiting needs no lock.
struct WaitingQueue: Sendable {
  let provider: String
  let limit: RateLimit
  let store: any BudgetStore
  let time: any TimeSource
  let trace: Trace

  func acquire(deadline: Duration?) async throws {
    while true {
      try Task.checkCancellation()
      let maxWait = deadline.map { $0 - time.monotonic }
      let (decision, now) = try update { budget, now in (budget.take(at: now, maxWait: maxWait), now) }
      switch decision {
      case .refused(let wait, let cause):
        throw BitpalError.rateLimited(provider: provider, wait: wait.roundedUp, reason: reason(cause))
      case .booked(let reservation):
        guard reservation.time > now else { return }
        trace(.limiterWaited(provider: provider, wait: reservation.time - now))
        try await wait(for: reservation, from: now)
        // A pause may have come in between, or the machine may have slept: then the place is void.
        if try update({ budget, now in budget.isUsable(reservation, at: now) }) { return }
      }
    }
  }

  func block(for pause: Duration) {
    guard pause > .zero else { return }
    // A file that is locked keeps requests from going too.
    _ = try? store.update { budget, now in budget.block(for: pause, at: now) }
  }

  private func update<Result: Sendable>(
    _ change: (inout RequestBudget, Duration) -> Result
  ) throws(BitpalError) -> Result {
    do throws(BudgetLocked) {
      return try store.update(change)
    } catch {
      throw .budgetLocked(provider: provider, path: error.path)
    }
  }

  private func wait(for reservation: TokenBucket.Reservation, from start: Duration) async throws {
    var now = start
    do {
      while now < reservation.time {
        try await time.sleep(for: reservation.time - now)
        now = store.now
      }
    } catch {
      _ = try? store.update { budget, now in budget.cancel(reservation, at: now) }
      throw error
    }
  }

  private func reason(_ cause: RequestBudget.Cause) -> String {
    switch cause {
    case .budget: "the budget of \(limit.limit) requests in \(limit.window.unitText) is used up"
    case .pause: "the source asked for a pause"
    }
  }
}

extension Duration {
  /// Up to whole seconds from one second on, since people are shown the wait cut to seconds and should not try too early.
  fileprivate var roundedUp: Duration {
    guard self > .seconds(1) else { return self }
    let (seconds, attoseconds) = components
    return .seconds(attoseconds > 0 ? seconds + 1 : seconds)
  }
}
