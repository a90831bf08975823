import BitpalModel

/// The times that the simulation takes from measurements, in microseconds.
enum Cost {
  /// One take from a budget by `budget.lua`: `INFO commandstats` with 2,000 callers waiting.
  static let take: Int64 = 17

  /// One `MGET`, `SET` or script that locks or unlocks a flight.
  static let command: Int64 = 5

  /// One round trip in a data center.
  static let roundTrip: Int64 = 500

  /// One cached price from `serve`: 14,000 per second on one connection thread.
  static let relayAnswer: Int64 = 71

  /// One exchange with the source.
  static let source: Int64 = 200_000

  /// The time that a budget is waited for where an older answer may stand in: `Deadline.withoutWaiting`.
  static let shortestPatience: Int64 = 50_000

  /// An exchange with Redis that takes longer opens the breaker of a machine.
  static let breaker: Int64 = 250_000
}

/// One world to simulate.
struct Scenario: Sendable {
  /// The machines that users ask.
  var machines = 100

  /// The number of machines behind one relay; nil for machines that all know Redis.
  var behindRelay: Int?

  var coins = 1

  /// Questions per second in all, each about one coin.
  var questionsPerSecond = 0.0

  /// Whether machines that know Redis have times to live that differ by up to a tenth.
  var hasJitter = true

  /// The time past its time to live for which a price is served while it is renewed.
  var whileRenewing: Duration = .seconds(10)

  /// Requests per minute at the source.
  var perMinute = 30

  /// The most coins of one request; 1 for a source without room.
  var batch = 1

  /// The age that the copies of all machines have at the start; nil for machines without copies, and prices of random
  /// ages in Redis.
  var startAge: Duration?

  /// The time before the measurement.
  var warmUp: Duration = .zero

  /// The time that is measured.
  var measured: Duration = .seconds(30)

  var seed: UInt64 = 1

  /// The time for which a price counts as fresh.
  static let timeToLive: Duration = .seconds(60)

  /// One coin that is asked for 20 times per second on each machine and expires on all of them at once.
  ///
  /// All copies are 44 s old at the start: the earliest renewal of a time to live of 54 s comes later.
  static func hotExpiry(
    machines: Int, behindRelay: Int? = nil, hasJitter: Bool = true, whileRenewing: Duration = .seconds(10), seed: UInt64
  ) -> Scenario {
    Scenario(
      machines: machines, behindRelay: behindRelay, questionsPerSecond: 20 * Double(machines), hasJitter: hasJitter,
      whileRenewing: whileRenewing, startAge: .seconds(44), measured: .seconds(30), seed: seed)
  }

  /// Ten million users who ask for one price every five minutes, by Zipf's law among 17,000 coins.
  static func users(
    machines: Int, behindRelay: Int? = nil, perMinute: Int, measured: Duration, seed: UInt64
  ) -> Scenario {
    Scenario(
      machines: machines, behindRelay: behindRelay, coins: 17_000, questionsPerSecond: 10_000_000 / 300,
      perMinute: perMinute, batch: 250, warmUp: .seconds(180), measured: measured, seed: seed)
  }
}
