import BitpalModel
package import BitpalProviders
package import FoundationEssentials

/// A rule that fills a request for a few coins with others whose prices will be needed soon.
///
/// A source counts requests and not coins. A coin is carried along when it was asked for within the last time to live
/// and its price has at most half of that left. Coins that the source could not be asked for come first, then those
/// that expire first. The request remains a single one.
package struct Packing: Hashable, Sendable {
  /// A coin that could be carried along.
  package struct Candidate: Hashable, Sendable {
    let coin: String

    /// The instant at which its price was last asked for.
    let askedAt: Date

    /// The instant at which its price was last fetched; nil for one without an answer so far.
    let fetchedAt: Date?

    package init(coin: String, askedAt: Date, fetchedAt: Date?) {
      (self.coin, self.askedAt, self.fetchedAt) = (coin, askedAt, fetchedAt)
    }
  }

  /// The size of a request.
  let room: BatchRoom

  /// The time for which a price counts as fresh.
  let timeToLive: Duration

  package init(room: BatchRoom, timeToLive: Duration) {
    (self.room, self.timeToLive) = (room, timeToLive)
  }

  /// Returns the coins that a request carries along, in the order in which they expire.
  ///
  /// - Parameters:
  ///   - coins: The coins that are asked for; where they need more than one request, none is added.
  ///   - candidates: The coins that could be carried along.
  ///   - now: The instant of the request.
  package func companions(of coins: [String], among candidates: [Candidate], at now: Date) -> [String] {
    var bytes = coins.reduce(0) { $0 + BatchRoom.bytes(of: $1) }
    guard coins.count < room.coins, bytes < room.bytes else { return [] }
    let asked = Set(coins)
    let wanted = candidates.filter { candidate in
      !asked.contains(candidate.coin) && now.since(candidate.askedAt) <= timeToLive
        && (candidate.fetchedAt.map { now.since($0) * 2 >= timeToLive } ?? true)
    }
    var companions: [String] = []
    let first = Date.distantPast
    let inOrder = wanted.sorted { ($0.fetchedAt ?? first, $0.coin) < ($1.fetchedAt ?? first, $1.coin) }
    for candidate in inOrder {
      guard coins.count + companions.count < room.coins else { break }
      let more = BatchRoom.bytes(of: candidate.coin)
      guard bytes + more <= room.bytes else { continue }
      bytes += more
      companions.append(candidate.coin)
    }
    return companions
  }
}

/// The coins whose prices were asked for lately in this process, by source and currency.
package final class RecentCoins: Sendable {
  private struct Times: Sendable {
    var askedAt: Date
    var fetchedAt: Date?

    /// Whether a request that is under way carries it along.
    var isCarried = false
  }

  /// The most coins that are remembered: those of many requests, in a few hundred kilobytes.
  package static let most = 4096

  private let state = Locked(State())

  private struct State {
    /// The times by source and currency, then by coin.
    var times: [String: [String: Times]] = [:]

    var count: Int { times.values.reduce(0) { $0 + $1.count } }
  }

  private static func group(_ provider: String, _ currency: String) -> String { provider + "\n" + currency }

  /// Records that prices were asked for.
  ///
  /// - Parameters:
  ///   - keys: The prices, each with the time of its fetch; nil for one that could not be fetched.
  ///   - now: The instant at which they were asked for.
  ///   - timeToLive: The minimum time for which they are remembered.
  func note(_ keys: [(key: AnswerKey, fetchedAt: Date?)], at now: Date, for timeToLive: Duration) {
    state.withLock { state in
      for (key, fetchedAt) in keys {
        let group = Self.group(key.provider, key.currency)
        let known = state.times[group]?[key.coin]
        if known == nil, state.count >= Self.most {
          state.times = state.times.mapValues { $0.filter { now.since($0.value.askedAt) <= timeToLive } }
          guard state.count < Self.most else { continue }
        }
        state.times[group, default: [:]][key.coin] = Times(
          askedAt: now, fetchedAt: fetchedAt ?? known?.fetchedAt, isCarried: known?.isCarried ?? false)
      }
    }
  }

  /// Records that prices were fetched without being asked for.
  func noteFetched(_ keys: [AnswerKey], at now: Date) {
    state.withLock { state in
      for key in keys { state.times[Self.group(key.provider, key.currency)]?[key.coin]?.fetchedAt = now }
    }
  }

  /// Chooses coins that were asked for at a source in a currency, none of which another request carries along.
  ///
  /// - Parameter choose: Returns some of the candidates; they are held until ``release(_:)``.
  func reserve(
    at provider: String, in currency: String, _ choose: ([Packing.Candidate]) -> [String]
  ) -> [String] {
    state.withLock { state in
      let group = Self.group(provider, currency)
      let candidates = (state.times[group] ?? [:]).compactMap { coin, times -> Packing.Candidate? in
        times.isCarried ? nil : Packing.Candidate(coin: coin, askedAt: times.askedAt, fetchedAt: times.fetchedAt)
      }
      let chosen = choose(candidates)
      for coin in chosen { state.times[group]?[coin]?.isCarried = true }
      return chosen
    }
  }

  /// Allows other requests to carry coins along again.
  func release(_ keys: [AnswerKey]) {
    state.withLock { state in
      for key in keys { state.times[Self.group(key.provider, key.currency)]?[key.coin]?.isCarried = false }
    }
  }
}
