import Bitpal
import BitpalCache
import BitpalConfig
import BitpalModel
import BitpalProviders
import BitpalServe
import Foundation
import TestSupport
import Testing

/// A router that is asked as a client would, without a socket.
struct Exchange {
  let router: Router

  /// The proof of the owner's browser; nil for a server that knows no owner.
  private let owner: OwnerProof?

  /// Over the demo recording: its clock stands at 2025-01-15 10:30Z.
  static func recorded() throws -> Exchange { try market.get() }

  /// One for all: nothing in it changes, and reading the recording takes time.
  private static let market = Result {
    Exchange(router: Router(Market(try service.get(), providers: { assembly.providers() })))
  }

  private static let service = Result { try assembly.priceService() }

  private static let assembly: Assembly = {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let settings = Settings(provider: ["fixture"], convert: [], providersDirs: [root + "/providers"])
    return Assembly(settings: settings, environment: Environment(variables: [:], currentDirectory: "/"))
  }()

  /// Over a source on the web that says what a test wants.
  init(
    _ source: WebSource, time: any TimeSource = SystemTime(), own: OwnPages = OwnPages(), gate: Gate? = nil
  ) {
    let service = PriceService(
      providers: [source], cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in }, time: time)
    owner = gate == nil ? OwnerProof() : nil
    router = Router(Market(service), own: own, gate: gate ?? Gate(owner: owner))
  }

  /// Over the demo recording, with pages of somebody's own.
  static func recorded(own: OwnPages, gate: Gate? = nil) throws -> Exchange {
    let owner = gate == nil ? OwnerProof() : nil
    return Exchange(router: Router(Market(try service.get()), own: own, gate: gate ?? Gate(owner: owner)), owner: owner)
  }

  init(router: Router, owner: OwnerProof? = nil) {
    self.router = router
    self.owner = owner
  }

  /// The cookie that the address with the owner's secret gives, as a browser sends it.
  func cookie(host: String = "localhost") async -> (String, String) {
    guard let owner else { return ("Cookie", "") }
    let welcome = await get(owner.newCode().address(at: ""), [("Host", host)])
    let cookie = welcome.headers.first { $0.name == "Set-Cookie" }?.value ?? ""
    return ("Cookie", String(cookie.prefix { $0 != ";" }))
  }

  func get(_ target: String, _ headers: [(String, String)] = []) async -> WebResponse {
    let headers = headers.map { WebHeader($0.0, $0.1) }
    return await router.answer(WebHead(method: "GET", target: target, headers: headers)).response
  }

  /// The page of a path, as the owner's browser asks for it.
  func page(_ target: String, host: String = "localhost") async -> WebResponse {
    await get(target, [await cookie(host: host), ("Host", host), ("Accept", "text/html,application/xhtml+xml")])
  }

  /// The answer to what a form of a page sends from the owner's browser.
  func post(_ target: String, _ headers: [(String, String)] = []) async -> WebResponse {
    let headers = [await cookie()] + headers
    let head = WebHead(method: "POST", target: target, headers: headers.map { WebHeader($0.0, $0.1) })
    if let refusal = router.refusal(of: head) { return refusal }
    return await router.answer(head).response
  }

  /// The body of an answer as JSON, read by somebody else.
  func json(_ target: String) async throws -> Any {
    let response = await get(target)
    return try JSONSerialization.jsonObject(with: Data(response.body), options: .fragmentsAllowed)
  }

  func rows(_ target: String) async throws -> [[String: Any]] {
    try #require(try await json(target) as? [[String: Any]])
  }

  func object(_ target: String) async throws -> [String: Any] { try #require(try await json(target) as? [String: Any]) }
}

/// A source on the web that notes what it is asked, and fails when it is told to.
final class WebSource: PriceProvider {
  let descriptor: ProviderDescriptor
  let asked = Notes<String>()
  private let script: Locked<(prices: [String: String], failure: BitpalError?)>

  init(
    _ prices: [String: String], capabilities: Set<Capability> = [.quotes], currencies: [String] = ["usd"],
    budgets: [RateLimit] = [], coinsPerRequest: Int = 100
  ) {
    var descriptor = ProviderDescriptor(
      id: "web", name: "Web", kind: "test", capabilities: capabilities, currencies: currencies,
      coinsPerRequest: coinsPerRequest, cacheIdentity: "web")
    descriptor.budgets = budgets
    self.descriptor = descriptor
    script = Locked((prices, nil))
  }

  func set(_ prices: [String: String]) {
    script.withLock { $0.prices = prices }
  }

  func fail(_ failure: BitpalError?) {
    script.withLock { $0.failure = failure }
  }

  func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
    let (prices, failure) = script.withLock { $0 }
    asked.add("\(query.capability.rawValue) \(query.coins.sorted().joined(separator: ","))")
    if let failure { throw failure }
    func coin(_ id: String) throws -> Coin? {
      try prices[id].map { price in
        try Coin(validating: id, symbol: "s-\(id)", name: id, currentPrice: try Decimal(strict: price))
      }
    }
    switch query {
    case .quotes(let coins, _):
      var found: [String: Coin] = [:]
      for id in coins { found[id] = try coin(id) }
      let missing = coins.filter { found[$0] == nil }
      return ProviderAnswer(
        quotes: found,
        failures: Dictionary(
          uniqueKeysWithValues: missing.map { ($0, BitpalError.notFound(coin: $0, provider: "web")) }))
    case .detail(let id, _):
      guard let coin = try coin(id) else { throw BitpalError.notFound(coin: id, provider: "web") }
      return ProviderAnswer(.detail(try CoinDetail(validating: coin, marketCap: 1000)), about: id)
    case .top: throw unsupported(query)
    case .coinList:
      return ProviderAnswer(
        .coinList(try prices.keys.sorted().map { try CoinListItem(validating: $0, symbol: "one-for-all", name: $0) }))
    case .line(let coin, _, let window):
      // A point an hour, the number of the hour its price.
      let hours = Int(window.length.milliseconds / 3_600_000)
      return ProviderAnswer(
        .line(
          LineSeries(
            points: (0...hours).map { hour in
              ChartDataPoint(timestamp: window.end.adding(.seconds(-3600 * (hours - hour))), price: Decimal(hour + 1))
            })), about: coin)
    case .candles: throw unsupported(query)
    }
  }
}

/// A clock that a test moves; it takes its waits from the system's.
final class SteppedTime: TimeSource {
  private let base = SystemTime()
  private let offset = Locked(Duration.zero)

  var now: Date { Date(milliseconds: 1_736_937_000_000).adding(offset.withLock { $0 }) }
  var monotonic: Duration { base.monotonic }

  func advance(_ duration: Duration) {
    offset.withLock { $0 += duration }
  }

  func sleep(for duration: Duration) async throws {
    try await base.sleep(for: duration)
  }
}
