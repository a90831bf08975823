import Bitpal
import BitpalModel
import BitpalProviders
import BitpalRateLimit
import Glibc

/// A world of machines, Redis and a source on a clock of its own: discrete events in the order of their times.
///
/// The same scenario gives the same results on every machine.
struct Simulation {
  let scenario: Scenario
  var redis: SimulatedRedis
  var source: SimulatedSource
  var machines: [SimulatedMachine] = []
  var flights: [Flight?] = []
  var events = EventHeap()
  var measurements = Measurements()

  /// The present, in microseconds.
  var now: Int64 = 0

  /// The instant of the first answer of the source.
  var firstAnswer: Int64?

  var random: SeededRandom

  private var freeFlights: [Int] = []
  private let names: [String]
  private let keys: [AnswerKey]
  private let room: BatchRoom
  private let start: Int64
  private let users: Int

  init(_ scenario: Scenario) {
    self.scenario = scenario
    random = SeededRandom(seed: scenario.seed)
    let limits = [RateLimit(limit: scenario.perMinute, window: .seconds(60))].compactMap(\.self)
    redis = SimulatedRedis(coins: scenario.coins, limits: limits)
    source = SimulatedSource(limit: scenario.perMinute, window: 60_000_000)
    // Ids as long as CoinGecko's are on average.
    names = (0..<scenario.coins).map { "coin-number-\($0)" }
    keys = names.map { AnswerKey(provider: SimulatedMachine.provider, kind: .quote, coin: $0, currency: "usd") }
    room = BatchRoom(coins: scenario.batch, bytes: 3_900)
    users = scenario.machines
    let origin: Int64 = 600_000_000
    (now, start) = (origin, origin + scenario.warmUp.microseconds)
    let copiedAt = scenario.startAge.map { Int32(origin / 1000) - Int32($0.milliseconds) }
    let relays = scenario.behindRelay.map { (scenario.machines + $0 - 1) / $0 } ?? 0
    for index in 0..<scenario.machines + relays {
      let relay = index < users ? scenario.behindRelay.map { users + index / $0 } : nil
      let renewals = Renewals(
        whileRenewing: scenario.whileRenewing, isShared: relay == nil && scenario.hasJitter, draw: random.unit())
      machines.append(
        SimulatedMachine(
          coins: scenario.coins, batch: scenario.batch, renewals: renewals, relay: relay, copiedAt: copiedAt))
    }
    for coin in 0..<scenario.coins {
      redis.answers[coin] = copiedAt ?? Int32(origin / 1000) - Int32(random.below(60_000))
    }
  }

  /// Runs the scenario.
  mutating func run() -> Measurements {
    let zipf = ZipfDraw(scenario.coins)
    let end = start + scenario.measured.microseconds
    var next = Double(now) + random.wait(rate: scenario.questionsPerSecond)
    while now < end {
      if Double(events.nextTime) <= next, let event = events.removeFirst() {
        now = event.time
        advance(event.flight)
      } else {
        now = Int64(next)
        next += random.wait(rate: scenario.questionsPerSecond)
        ask(random.below(users), zipf.draw(&random), for: .user(since: now))
      }
    }
    let seconds = Int(start / 1_000_000)..<Int(end / 1_000_000)
    measurements.count(redis.loads[seconds.clamped(to: redis.loads.indices)], seconds: Double(seconds.count))
    (measurements.mostInWindow, measurements.isExceeded) = (source.mostInWindow, source.isExceeded)
    measurements.slowExchanges = redis.slowExchanges
    return measurements
  }

  /// Whether the measurement has begun.
  var isMeasured: Bool { now >= start }

  /// The present in milliseconds.
  var milliseconds: Int32 { Int32(now / 1000) }

  // MARK: Ask

  /// Asks a machine for a price: `PriceService.lookUp`.
  mutating func ask(_ index: Int, _ coin: Int, for asker: Flight.Asker) {
    let machine = machines[index]
    let (age, ttl) = (milliseconds - machine.copies[coin], machine.timeToLive)
    machine.note(coin, at: milliseconds)
    if age <= ttl { return answer(asker, coin, of: machine, isFromMemory: true) }
    if machine.copies[coin] != SimulatedMachine.never,
      machine.renewals.covers(age: .milliseconds(age), timeToLive: .milliseconds(ttl))
    {
      answer(asker, coin, of: machine, isFromMemory: false)
      // A flight that others wait for renews it too.
      if !machine.renewals.begin([keys[coin]]).isEmpty { begin(index, coin, limit: age - 1, isRenewal: true, nil) }
    } else {
      begin(index, coin, limit: ttl, isRenewal: false, asker)
    }
  }

  /// Joins the flight for a price, or begins one: `SingleFlight.run`.
  private mutating func begin(_ index: Int, _ coin: Int, limit: Int32, isRenewal: Bool, _ asker: Flight.Asker?) {
    let machine = machines[index]
    if let flight = machine.flights[coin] {
      if let asker { flights[flight]?.askers.append(asker) }
      if isRenewal { machine.renewals.end([keys[coin]]) }
      return
    }
    let patience = Deadline.standard.microseconds / 2
    var flight = Flight(
      machine: index, coin: coin, isRenewal: isRenewal, limit: limit, lockEnd: now + patience, step: .looked)
    if let asker { flight.askers = [asker] }
    let number = freeFlights.popLast() ?? flights.count
    if number == flights.count { flights.append(nil) }
    machine.flights[coin] = number
    if let relay = machine.relay {
      // The thread of the relay answers one question after the other.
      let relay = machines[relay]
      relay.freeAt = max(now + Cost.roundTrip / 2, relay.freeAt) + Cost.relayAnswer
      flight.step = .atRelay
      events.add(number, at: relay.freeAt)
    } else {
      flight.seen = redis.answers[coin]
      events.add(number, at: redis.run(1, costing: Cost.command, sentAt: now) + Cost.roundTrip / 2)
    }
    flights[number] = flight
  }

  // MARK: Answer

  /// Ends a flight: what it was for gets the copy of the machine, which may be an older one that stands in.
  mutating func end(_ number: Int) {
    guard let flight = flights[number] else { return }
    let machine = machines[flight.machine]
    machine.flights[flight.coin] = nil
    machine.carried.subtract(flight.companions)
    if flight.isRenewal { machine.renewals.end([keys[flight.coin]]) }
    flights[number] = nil
    freeFlights.append(number)
    for asker in flight.askers { answer(asker, flight.coin, of: machine, isFromMemory: false) }
  }

  /// Answers with the copy of a machine.
  ///
  /// - Parameter isFromMemory: Whether it was fresh when it was asked for.
  private mutating func answer(
    _ asker: Flight.Asker, _ coin: Int, of machine: SimulatedMachine, isFromMemory: Bool
  ) {
    switch asker {
    case .flight(let number):
      flights[number]?.seen = machine.copies[coin]
      flights[number]?.step = .relayed
      events.add(number, at: now + Cost.roundTrip / 2)
    case .user(let since):
      guard since >= start else { return }
      let age = milliseconds - machine.copies[coin]
      if machine.copies[coin] == SimulatedMachine.never {
        measurements.unanswered += 1
      } else if age <= machine.timeToLive {
        measurements.fresh += 1
      } else if age - machine.timeToLive <= scenario.whileRenewing.milliseconds {
        measurements.whileRenewing += 1
      } else {
        measurements.stale += 1
      }
      measurements.latency.add(now - since)
      if !isFromMemory { measurements.afterFirst.add(firstAnswer.map { max(0, now - max(since, $0)) } ?? 0) }
    }
  }

  /// Returns the coins with which the request of a flight is filled.
  func companions(of flight: Flight) -> [Int] {
    machines[flight.machine].companions(of: flight.coin, names: names, room: room, at: milliseconds)
  }
}

extension Duration {
  /// Whole microseconds.
  var microseconds: Int64 { wholeMicroseconds }
}
