import BitpalRateLimit

/// One flight of a machine for a price.
///
/// The steps mirror `PriceService.join` (look, lock, look again, fetch), `FleetFlightLock.lock` and
/// `BudgetLimiter.acquire`, which cannot run here because they wait for real sockets and threads. Every decision is made
/// by the code that they use too: `Renewals`, `Packing`, `Refusals` and `RequestBudget`.
struct Flight {
  /// The next thing that happens.
  enum Step {
    /// The reply to the first look into Redis comes.
    case looked

    /// The reply to an attempt to lock comes.
    case locked(Bool)

    /// The pause between two attempts to lock ends.
    case lockAgain

    /// The reply to a look under the lock comes.
    case lookedAgain

    /// The reply to a take comes.
    case took(BudgetReply)

    /// The pause between two takes ends.
    case takeAgain

    /// The source's answer comes.
    case fetched

    /// The question arrives at the relay, and is answered there.
    case atRelay, relayed
  }

  /// One that waits for a price.
  enum Asker {
    /// A user, since an instant in microseconds.
    case user(since: Int64)

    /// A flight of a machine behind this relay.
    case flight(Int)
  }

  let machine: Int
  let coin: Int

  /// Whether it renews a price that is served meanwhile.
  let isRenewal: Bool

  /// The age in milliseconds up to which an answer of another machine will do.
  let limit: Int32

  /// The last instant at which a held lock is waited for, in microseconds.
  let lockEnd: Int64

  var step: Step
  var askers: [Asker] = []
  var hasLock = false

  /// The instant at which the answer in Redis, or at the relay, was fetched, in milliseconds.
  var seen = SimulatedMachine.never

  /// The attempts to lock.
  var attempts = 0

  /// The longest time from a take until its request has left, in microseconds.
  var margin: Int64 = 100_000

  /// The start of the first take and of the last one, in microseconds, and the refusals so far.
  var firstTakeAt: Int64?
  var tookAt: Int64 = 0
  var refusals = 0

  /// The coins that its request carries along.
  var companions: [Int] = []
}
