import Bitpal
import BitpalModel
import BitpalQueries
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Following prices` {
  private typealias Outcomes = QuotesAnswer.Outcomes

  private static func quote(
    _ id: String, _ price: Decimal = 1, _ freshness: Freshness = .fresh, at instant: TimeInterval = 0
  ) throws -> Result<Sourced<Coin>, BitpalError> {
    let coin = try Coin(validating: id, symbol: id, name: id, currentPrice: price)
    return .success(
      Sourced(
        coin, about: AnswerKey(provider: "p", kind: .quote, coin: id), source: "p",
        fetchedAt: Date(timeIntervalSince1970: 1_736_937_000 + instant), freshness: freshness))
  }

  private static let down = BitpalError.network(host: "h", reason: "down")

  /// Runs a ticker for some updates of a source that answers by the number of the request.
  private func run(
    _ coins: [String], every: Int = 10, updates: Int = .max,
    _ answer: @escaping @Sendable (_ coins: [String], _ request: Int) throws -> Outcomes
  ) async -> (asked: [(at: Duration, coins: [String])], updates: [PriceUpdate]) {
    let time = ManualTime()
    time.autoAdvance()
    let asked = Notes<(at: Duration, coins: [String])>()
    let rule = SteadyRule(coins, every: .seconds(every), from: time.monotonic) { "id:\($0)" }
    let ticker = PriceTicker(rule, on: time) { coins, isFirst in
      #expect(isFirst == asked.all.isEmpty)
      asked.add((time.monotonic, coins))
      return QuotesAnswer(coins, try answer(coins, asked.all.count))
    }
    var seen: [PriceUpdate] = []
    for await case .update(let update) in ticker {
      seen.append(update)
      if seen.count == updates { break }
    }
    return (asked.all, seen)
  }

  @Test func `A failing source is asked more and more rarely, and at the usual pace once it answers`() async {
    let (asked, updates) = await run(["a"], updates: 12) { coins, request in
      if request < 10 { throw Self.down }
      return ["a": try Self.quote("a")].merging(["id:a": try Self.quote("a")]) { $1 }
    }
    #expect(asked.map(\.at) == [0, 10, 30, 70, 150, 310, 630, 1230, 1830, 2430, 2440, 2450].map { .seconds($0) })
    #expect(updates.prefix(10).map { $0.failure?.tries } == [1, 2, 3, 4, 5, 6, 7, 8, 9, nil])
    #expect(updates[0].failure?.message == "cannot reach h: down" && updates[0].answer.error("a") == Self.down)
  }

  @Test func `The wait that a source demands is respected, and a slower pace than ten minutes kept`() async {
    let limited = await run(["a"], updates: 2) { _, _ in
      ["a": .failure(.rateLimited(provider: "p", wait: .seconds(77), reason: "r"))]
    }
    #expect(limited.asked.map(\.at) == [.zero, .seconds(77)])
    let slow = await run(["a"], every: 3600, updates: 3) { _, _ in throw Self.down }
    #expect(slow.asked.map(\.at) == [0, 3600, 7200].map { .seconds($0) })
  }

  @Test func `From the first answer on coins are asked for by id, and those that cannot be answered no more`()
    async throws
  {
    let failures: Outcomes = [
      "nope": .failure(.notFound(coin: "nope", provider: "p")),
      "later": .failure(.noPrice(coin: "later", provider: "p")),
    ]
    let (asked, updates) = await run(["btc", "bitcoin", "nope", "later"], updates: 2) { coins, _ in
      let quote = try Self.quote("bitcoin")
      return failures.merging(["btc": quote, "bitcoin": quote, "id:bitcoin": quote]) { $1 }
    }
    #expect(asked.map(\.coins) == [["btc", "bitcoin", "nope", "later"], ["id:bitcoin", "later"]])
    #expect(updates[0].answer.quotes.count == 1)
    #expect(updates[0].answer.failures.map(\.coin) == ["nope", "later"])
  }

  @Test func `With nothing left to ask for it ends`() async {
    let (asked, updates) = await run(["nope"]) { _, _ in ["nope": .failure(.notFound(coin: "nope", provider: "p"))] }
    #expect(asked.count == 1 && updates.count == 1 && updates[0].failure == nil)
  }

  @Test func `A request at once does not wait for the next, and a cancelled one ends`() async throws {
    let time = ManualTime()
    let rule = SteadyRule(["a"], every: .seconds(30), from: time.monotonic)
    let ticker = PriceTicker(rule, on: time) { coins, _ in
      QuotesAnswer(coins, ["a": try Self.quote("a")])
    }
    let instants = Notes<Duration>()
    let run = Task {
      for await case .update in ticker { instants.add(time.monotonic) }
    }
    await time.waitForSleepers()
    time.advance(by: .seconds(7))
    ticker.askNow()
    while instants.all.count < 2 { await Task.yield() }
    await time.waitForSleepers()
    run.cancel()
    await run.value
    #expect(instants.all == [.zero, .seconds(7)])
    #expect(time.sleeperCount == 0)
  }

  @Test func `A new price, freshness or failure is a change, a new time of the request is not`() throws {
    let query = PricesQuery(["a"], currency: "usd")
    func states(_ outcome: Result<Sourced<Coin>, BitpalError>) -> [PriceState] {
      QuotesAnswer(query.coins, ["a": outcome, "other": .failure(Self.down)]).states
    }
    let first = states(try Self.quote("a"))
    #expect(states(try Self.quote("a", at: 60)) == first)
    let stale = Freshness.stale(age: .seconds(90), because: .sourceFailed("down"))
    #expect(try states(Self.quote("a", 2)) != first)
    #expect(try states(Self.quote("a", 1, stale)) != first)
    // A price that only becomes older is the same news.
    #expect(
      states(try Self.quote("a", 1, stale))
        == states(try Self.quote("a", 1, .stale(age: .seconds(91), because: .sourceFailed("down")))))
    #expect(states(.failure(Self.down)) != first)
    #expect(QuotesAnswer(query.coins, [:]).states.isEmpty)
  }

  // MARK: Expiry

  /// A cache, a source and listeners that a test changes.
  private struct World: Sendable {
    var fresh: Outcomes = [:]
    var followed: Set<String> = []
    var room = Int.max
    var isOnWeb = true
  }

  private func ticker(_ world: Locked<World>, _ time: ManualTime, _ asked: Notes<[String]>, coinsPerRequest: Int)
    -> PriceTicker<ExpiryRule>
  {
    let rule = ExpiryRule(
      every: .seconds(2), from: time.monotonic, coinsPerRequest: coinsPerRequest,
      coins: { world.withLock { $0.followed } },
      cached: { names in world.withLock { world in world.isOnWeb ? world.fresh.filter { names.contains($0.key) } : nil }
      },
      room: { wanted, _ in world.withLock { min($0.room, wanted) } })
    return PriceTicker(rule, on: time) { coins, _ in
      asked.add(coins)
      return QuotesAnswer(
        coins, Dictionary(uniqueKeysWithValues: try coins.map { ($0, try Self.quote($0, 5)) }))
    }
  }

  @Test func `Only what has expired is asked for, and an expired coin waits its turn for room in the budget`()
    async throws
  {
    let world = Locked(World(fresh: ["a": try Self.quote("a")], followed: ["a", "b", "c", "d"], room: 1))
    let (time, asked) = (ManualTime(), Notes<[String]>())
    time.autoAdvance()
    var iterator = ticker(world, time, asked, coinsPerRequest: 2).makeAsyncIterator()
    var prices: [[String]] = []
    for _ in 0..<6 {
      if case .update(let update)? = await iterator.next() { prices.append(update.answer.priced.map(\.name)) }
    }
    #expect(asked.all == [["b", "c"], ["d", "b"], ["c", "b"]])
    #expect(prices == [["a", "b", "c"], ["a", "b", "c", "d"], ["a", "b", "c", "d"]])
    world.withLock { $0.room = 0 }
    guard case .update(let update)? = await iterator.next() else { return #expect(Bool(false)) }
    #expect(asked.all.count == 3 && update.answer.quote("b")?.value.currentPrice == 5)
    world.withLock { $0.followed = [] }
    #expect(await iterator.next() == nil)
    #expect(time.monotonic == .seconds(10))
  }

  @Test func `Without a source on the web nothing is asked, and what was answered stays`() async throws {
    let world = Locked(World(followed: ["a"], isOnWeb: false))
    let (time, asked) = (ManualTime(), Notes<[String]>())
    time.autoAdvance()
    var iterator = ticker(world, time, asked, coinsPerRequest: 1).makeAsyncIterator()
    for _ in 0..<3 {
      guard case .update(let update)? = await iterator.next() else { return #expect(Bool(false)) }
      #expect(update.answer.coins == ["a"] && update.answer.outcomes.isEmpty)
    }
    #expect(asked.all.isEmpty && time.monotonic == .seconds(6))
  }

  @Test func `An answer that is being renewed does not replace the one before it`() async throws {
    let rule = ExpiryRule(
      every: .seconds(2), from: .zero, coinsPerRequest: 1, coins: { ["a"] }, cached: { _ in [:] },
      room: { $1 == .zero ? 0 : $0 })
    var changed = rule
    #expect(await changed.due(at: .seconds(2)) == ["a"])
    let query = PricesQuery(["a"], currency: "usd")
    changed.take(
      .success(QuotesAnswer(query.coins, ["a": try Self.quote("a", 3)])), to: ["a"], askedAt: .zero, now: .zero)
    let renewing = try Self.quote("a", 3, .stale(age: .seconds(61), because: .renewing))
    changed.take(.success(QuotesAnswer(query.coins, ["a": renewing])), to: ["a"], askedAt: .zero, now: .zero)
    #expect(try changed.known["a"]?.get().freshness == .fresh)
    changed.take(.failure(Self.down), to: ["a"], askedAt: .zero, now: .zero)
    #expect(try changed.known["a"]?.get().value.currentPrice == 3)
  }
}
