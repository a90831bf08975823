import Bitpal
import BitpalModel
import BitpalProviders
import BitpalRateLimit
import FoundationEssentials

/// A machine with `bitpal serve`: its copies of prices, the flights that are under way, and its real `Renewals` and
/// `Refusals`.
///
/// ``remembered`` and ``carried`` stand for `RecentCoins`, with its bound. They hold positions in place of keys, so that
/// millions of questions take seconds.
final class SimulatedMachine {
  /// A coin without a copy, or one that was not asked for.
  static let never = Int32.min / 2

  /// The name of the one source.
  static let provider = "coingecko"

  let renewals: Renewals
  let refusals = Refusals()

  /// The time to live on this machine, in milliseconds.
  let timeToLive: Int32

  /// The relay that this machine asks; nil for one that knows Redis.
  let relay: Int?

  /// The instant at which each copy was fetched, in milliseconds.
  var copies: [Int32]

  /// The flights under way, by coin.
  var flights: [Int: Int] = [:]

  /// The coins that requests under way carry along.
  var carried: Set<Int> = []

  /// The instant at which the thread of a relay is free, in microseconds.
  var freeAt: Int64 = 0

  private var askedAt: [Int32]
  private var remembered: [Int32] = []
  private var prunedAt: Int32 = 0

  /// - Parameter batch: The most coins of a request; for 1, no coins are remembered.
  init(coins: Int, batch: Int, renewals: Renewals, relay: Int?, copiedAt: Int32?) {
    self.renewals = renewals
    self.relay = relay
    timeToLive = Int32(renewals.spread(Scenario.timeToLive).milliseconds)
    copies = Array(repeating: copiedAt ?? Self.never, count: coins)
    askedAt = batch > 1 && relay == nil ? Array(repeating: Self.never, count: coins) : []
  }

  /// Remembers that a coin was asked for, as `RecentCoins.note` does.
  func note(_ coin: Int, at now: Int32) {
    guard !askedAt.isEmpty else { return }
    if askedAt[coin] == Self.never {
      if remembered.count >= RecentCoins.most, now - prunedAt >= 1000 {
        prunedAt = now
        let limit = now - Int32(Scenario.timeToLive.milliseconds)
        for old in remembered where askedAt[Int(old)] < limit { askedAt[Int(old)] = Self.never }
        remembered.removeAll { askedAt[Int($0)] == Self.never }
      }
      guard remembered.count < RecentCoins.most else { return }
      remembered.append(Int32(coin))
    }
    askedAt[coin] = now
  }

  /// Remembers a refusal of the budget, as `PriceService.request` does.
  func noteRefusal(_ refusal: RequestBudget.Refusal, wait: Duration, at now: Duration) {
    guard case .limit(let limit, let used) = refusal.cause else { return }
    let error = BitpalError.budgetUsed(provider: Self.provider, used: used, limit: limit, wait: wait.roundedUp)
    refusals.note(error, by: Self.provider, at: now)
  }

  /// Returns the coins with which a request is filled, by the real `Packing`.
  func companions(of coin: Int, names: [String], room: BatchRoom, at now: Int32) -> [Int] {
    guard !askedAt.isEmpty else { return [] }
    let candidates = remembered.compactMap { other -> Packing.Candidate? in
      guard !carried.contains(Int(other)) else { return nil }
      let copy = copies[Int(other)]
      return Packing.Candidate(
        coin: names[Int(other)], askedAt: Self.date(askedAt[Int(other)]),
        fetchedAt: copy == Self.never ? nil : Self.date(copy))
    }
    return Packing(room: room, timeToLive: Scenario.timeToLive)
      .companions(of: [names[coin]], among: candidates, at: Self.date(now))
      .compactMap { Int($0.drop { !$0.isNumber }) }
  }

  private static func date(_ milliseconds: Int32) -> Date { Date(milliseconds: Int64(milliseconds)) }
}
