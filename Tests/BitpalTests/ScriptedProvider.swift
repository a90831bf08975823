import BitpalModel
import BitpalProviders
import BitpalRateLimit
import FoundationEssentials
import TestSupport

/// A provider that knows a few coins, notes what it is asked, and fails when told to.
final class ScriptedProvider: PriceProvider {
  struct Script: Sendable {
    var prices: [String: Int] = [:]
    var list: [(id: String, symbol: String)] = []
    var failure: BitpalError?

    /// The failure of its coin list alone.
    var listFailure: BitpalError?
    var points: [(time: Date, price: Int)] = []

    /// Whether each point is the price of a whole day.
    var isDaily = false
    var candles: [CandleDataPoint] = []

    /// The ranks of coins by market value.
    var ranks: [String: Int] = [:]

    /// The coins of which it has series; nil for any.
    var coins: Set<String>?

    /// The coins of which a figure is left out, where figures come with quotes.
    var oddities: Set<String> = []

    /// Whether it cannot be asked for a time that is over.
    var lacksPast = false
  }

  let descriptor: ProviderDescriptor
  let asked = Notes<String>()
  private let script: Locked<Script>
  private let limiter: (any RateLimiter)?

  init(
    _ id: String = "p", prices: [String: Int] = [:], list: [(id: String, symbol: String)] = [],
    capabilities: Set<Capability> = Set(Capability.allCases), coins: CoinScope = .any, currencies: [String] = [],
    candleWidths: [Duration] = [], reach: [Capability: SourceReach] = [:], needsNetwork: Bool = true,
    hasStepPrices: Bool = false, maxAge: Duration = ProviderDescriptor.usualMaxAge, listedIDs: ListedIDs = .shared,
    limiter: (any RateLimiter)? = nil, room: BatchRoom? = nil, carriesFigures: Bool = false
  ) {
    var descriptor = ProviderDescriptor(
      id: id, name: id, kind: "test", capabilities: capabilities, coins: coins, currencies: currencies,
      candleWidths: candleWidths,
      reach: reach, needsNetwork: needsNetwork, hasStepPrices: hasStepPrices, maxAge: maxAge, listedIDs: listedIDs,
      cacheIdentity: id)
    descriptor.room = room
    descriptor.quotesCarryFigures = carriesFigures
    self.descriptor = descriptor
    self.limiter = limiter
    script = Locked(Script(prices: prices, list: list))
  }

  func change(_ body: @Sendable (inout Script) -> Void) {
    script.withLock { body(&$0) }
  }

  /// The prices that it knows, by coin.
  var prices: [String: Int] { script.withLock { $0.prices } }

  private func now(_ question: String) async throws -> Script {
    if let limiter { try await Deadline.whileWaiting { _ = try await limiter.acquire(deadline: $0) } }
    asked.add(question)
    let script = script.withLock { $0 }
    if let failure = script.failure { throw failure }
    return script
  }

  private func coin(_ id: String, _ price: Int) throws -> Coin {
    try Coin(validating: id, symbol: "s", name: id, currentPrice: Decimal(price))
  }

  func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
    switch query {
    case .quotes(let coins, _):
      let script = try await now("quotes " + coins.joined(separator: ","))
      var found: [String: Coin] = [:]
      var failures: [String: BitpalError] = [:]
      for id in coins {
        if let price = script.prices[id] {
          found[id] = try coin(id, price)
        } else {
          failures[id] = .notFound(coin: id, provider: descriptor.id)
        }
      }
      guard descriptor.quotesCarryFigures else {
        return ProviderAnswer(quotes: found, failures: failures)
      }
      let points = script.points.map { ChartDataPoint(timestamp: $0.time, price: Decimal($0.price)) }
      let warnings = coins.filter { script.oddities.contains($0) }.map {
        AnswerWarning.leftOutFigure("24 h change", coin: $0, reason: "odd")
      }
      var answer = ProviderAnswer(quotes: found, failures: failures, warnings: warnings)
      answer.extras = try found.mapValues {
        [.detail(try CoinDetail(validating: $0, rank: script.ranks[$0.id])), .line(LineSeries(points: points))]
      }
      return answer
    case .top: throw unsupported(query)
    case .coinList:
      let script = try await now("list")
      if let failure = script.listFailure { throw failure }
      let list = script.list
      return ProviderAnswer(
        .coinList(try list.map { try CoinListItem(validating: $0.id, symbol: $0.symbol, name: $0.id) }))
    case .detail(let coin, _):
      let script = try await now("detail \(coin)")
      guard let price = script.prices[coin] else { throw BitpalError.notFound(coin: coin, provider: descriptor.id) }
      return ProviderAnswer(
        .detail(try CoinDetail(validating: self.coin(coin, price), rank: script.ranks[coin])), about: coin)
    case .line(let coin, _, let window):
      try check(coin)
      let script = try await now("line \(coin) \(window.isPast ? "past " : "")\(window.length.unitText)")
      if window.isPast, script.lacksPast { throw BitpalError.planLimit(provider: descriptor.id, reason: "no past") }
      let points = script.points.filter { !window.isPast || $0.time >= window.start && $0.time <= window.end }
        .map { ChartDataPoint(timestamp: $0.time, price: Decimal($0.price)) }
      return ProviderAnswer(.line(LineSeries(points: points, isDaily: script.isDaily)), about: coin)
    case .candles(let coin, _, let window, let width):
      try check(coin)
      let script = try await now("candles \(coin) \(width.unitText) over \(window.length.unitText)")
      return ProviderAnswer(.candles(CandleSeries(width: width, candles: script.candles)), about: coin)
    }
  }

  private func check(_ coin: String) throws {
    guard script.withLock({ $0.coins?.contains(coin) ?? true }) else {
      throw BitpalError.notFound(coin: coin, provider: descriptor.id)
    }
  }
}
