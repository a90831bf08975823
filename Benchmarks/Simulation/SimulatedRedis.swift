import BitpalModel
import BitpalRateLimit

/// A Redis with one thread: commands take their measured time, one after the other, in the order in which they arrive.
///
/// The budget is the real ``/BitpalRateLimit/RequestBudget``, which `budget.lua` equals.
struct SimulatedRedis {
  /// The load of one second.
  struct Load: Hashable, Sendable {
    var busy: Int64 = 0
    var commands = 0
  }

  /// The instant at which each price was fetched, in milliseconds.
  var answers: [Int32]
  var budget: RequestBudget

  /// The load of each second.
  private(set) var loads: [Load] = []

  /// The number of exchanges that took longer than a machine waits.
  private(set) var slowExchanges = 0

  private var freeAt: Int64 = 0
  private var holders: [Int: (flight: Int, until: Int64)] = [:]

  init(coins: Int, limits: [RateLimit]) {
    answers = Array(repeating: 0, count: coins)
    budget = RequestBudget(limits)
  }

  /// Queues commands that are sent now.
  ///
  /// Every way to the server takes the same time, so commands arrive in the order in which they are sent, and their effect
  /// can be applied at once.
  ///
  /// - Returns: The instant at which the server has run them; the reply needs half a round trip more.
  mutating func run(_ commands: Int, costing cost: Int64, sentAt now: Int64) -> Int64 {
    let start = max(now + Cost.roundTrip / 2, freeAt)
    freeAt = start + cost
    let second = Int(start / 1_000_000)
    while loads.count <= second { loads.append(Load()) }
    loads[second].busy += cost
    loads[second].commands += commands
    if freeAt + Cost.roundTrip / 2 - now > Cost.breaker { slowExchanges += 1 }
    return freeAt
  }

  /// Locks a flight; false when another one holds the lock.
  mutating func lock(_ coin: Int, for flight: Int, at now: Int64, life: Int64) -> Bool {
    if let holder = holders[coin], holder.until > now { return false }
    holders[coin] = (flight, now + life)
    return true
  }

  mutating func unlock(_ coin: Int, by flight: Int) {
    if holders[coin]?.flight == flight { holders[coin] = nil }
  }
}
