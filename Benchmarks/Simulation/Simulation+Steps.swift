import Bitpal
import BitpalModel
import BitpalRateLimit

/// The steps of a flight; see ``Flight``.
extension Simulation {
  /// Makes the next step of a flight.
  mutating func advance(_ number: Int) {
    guard let flight = flights[number] else { return }
    switch flight.step {
    case .looked:
      if takeOver(flight) || isRefused(flight) { end(number) } else { tryToLock(number) }
    case .takeAgain:
      take(number)
    case .lockAgain:
      tryToLock(number)
    case .locked(let isHeld):
      locked(number, flight, isHeld: isHeld)
    case .lookedAgain:
      if takeOver(flight) { finish(number) } else { request(number, flight) }
    case .took(let outcome):
      took(number, flight, outcome)
    case .fetched:
      fetched(number, flight)
    case .atRelay:
      if let relay = machines[flight.machine].relay { ask(relay, flight.coin, for: .flight(number)) }
    case .relayed:
      _ = takeOver(flight)
      end(number)
    }
  }

  /// Copies the price that another machine has left; returns whether it is new enough.
  private func takeOver(_ flight: Flight) -> Bool {
    let machine = machines[flight.machine]
    machine.copies[flight.coin] = max(machine.copies[flight.coin], flight.seen)
    return milliseconds - flight.seen <= flight.limit
  }

  private mutating func plan(_ number: Int, _ step: Flight.Step, at time: Int64) {
    flights[number]?.step = step
    events.add(number, at: time)
  }

  // MARK: Lock

  /// Sends an attempt to lock; the first one brings the answer along.
  private mutating func tryToLock(_ number: Int) {
    guard let flight = flights[number] else { return }
    let commands = flight.attempts == 0 ? 2 : 1
    let done = redis.run(commands, costing: Int64(commands) * Cost.command, sentAt: now)
    let life = Deadline.standard.microseconds + 1_000_000
    let isHeld = redis.lock(flight.coin, for: number, at: done, life: life)
    flights[number]?.attempts += 1
    flights[number]?.hasLock = isHeld
    if commands == 2 { flights[number]?.seen = redis.answers[flight.coin] }
    plan(number, .locked(isHeld), at: done + Cost.roundTrip / 2)
  }

  private mutating func locked(_ number: Int, _ flight: Flight, isHeld: Bool) {
    if isHeld, flight.attempts == 1 {
      if takeOver(flight) { finish(number) } else { request(number, flight) }
    } else if isHeld || now >= flight.lockEnd {
      flights[number]?.seen = redis.answers[flight.coin]
      let done = redis.run(1, costing: Cost.command, sentAt: now)
      plan(number, .lookedAgain, at: done + Cost.roundTrip / 2)
    } else {
      plan(number, .lockAgain, at: now + 15_000 + Int64(random.below(25_001)))
    }
  }

  /// Releases the lock, without waiting for it, and ends a flight.
  private mutating func finish(_ number: Int) {
    if let flight = flights[number], flight.hasLock {
      _ = redis.run(1, costing: Cost.command, sentAt: now)
      redis.unlock(flight.coin, by: number)
    }
    end(number)
  }

  // MARK: Fetch

  /// Whether the budget is known to be used up; one that is waited for is asked again.
  private func isRefused(_ flight: Flight) -> Bool {
    machines[flight.machine].refusals.refusal(by: SimulatedMachine.provider, at: .microseconds(now)) != nil
  }

  /// Chooses the coins that a request carries along, and asks for a token.
  private mutating func request(_ number: Int, _ flight: Flight) {
    let companions = companions(of: flight)
    flights[number]?.companions = companions
    machines[flight.machine].carried.formUnion(companions)
    take(number)
  }

  /// Asks the budget for a token, for as long as `Deadline.withoutWaiting` lets it wait.
  private mutating func take(_ number: Int) {
    guard let flight = flights[number] else { return }
    let done = redis.run(1, costing: Cost.take, sentAt: now)
    let first = flight.firstTakeAt ?? now
    flights[number]?.firstTakeAt = first
    let patience = max(0, first + Cost.shortestPatience - now)
    let change = BudgetChange.take(
      within: .microseconds(flight.margin), patience: .microseconds(patience), hasWaited: flight.refusals > 0)
    flights[number]?.tookAt = now
    let reply = redis.budget.apply(change, at: .microseconds(done))
    plan(number, .took(reply), at: done + Cost.roundTrip / 2)
  }

  private mutating func took(_ number: Int, _ flight: Flight, _ reply: BudgetReply) {
    switch reply.outcome {
    case .refused(let refusal)?:
      let patience = (flight.firstTakeAt ?? now) + Cost.shortestPatience - now
      guard let wait = refusal.earliest.map({ $0 - reply.now }) else { return finish(number) }
      guard wait.microseconds <= patience else {
        machines[flight.machine].noteRefusal(refusal, wait: wait, at: .microseconds(now))
        return finish(number)
      }
      let jitter = Int64(random.below(5_000 << min(max(0, flight.refusals - 1), 5)))
      let pause = flight.refusals == 0 ? (refusal.turn - reply.now).microseconds : wait.microseconds + jitter
      flights[number]?.refusals += 1
      plan(number, .takeAgain, at: now + min(pause, patience))
    case .taken(let stamp)? where now - flight.tookAt > flight.margin:
      // The request would leave after the stamp of its token.
      let done = redis.run(1, costing: Cost.take, sentAt: now)
      _ = redis.budget.apply(.giveBack(stamp), at: .microseconds(done))
      flights[number]?.margin = (now - flight.tookAt) * 2
      take(number)
    case .taken?:
      source.receive(at: now)
      if isMeasured { measurements.requests += 1 }
      plan(number, .fetched, at: now + Cost.source)
    case nil: finish(number)
    }
  }

  /// Keeps the prices that a request brought, here and in Redis, each with the market figures that come along.
  private mutating func fetched(_ number: Int, _ flight: Flight) {
    let machine = machines[flight.machine]
    let coins = [flight.coin] + flight.companions
    let isYoung = milliseconds - Int32(Scenario.timeToLive.milliseconds / 2)
    if isMeasured {
      measurements.coinsFetched += coins.count
      measurements.coinsFetchedTwice += coins.count { redis.answers[$0] > isYoung }
    }
    for coin in coins {
      machine.copies[coin] = milliseconds
      redis.answers[coin] = milliseconds
    }
    _ = redis.run(coins.count * 2, costing: Int64(coins.count) * 2 * Cost.command, sentAt: now)
    firstAnswer = firstAnswer ?? now
    finish(number)
  }
}
