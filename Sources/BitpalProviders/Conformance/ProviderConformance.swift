public import BitpalModel
public import BitpalNetwork
import FoundationEssentials

/// Finds out whether a provider does what every provider must; see ``ConformanceRule``.
///
///     for result in await ProviderConformance(provider, sample: sample).check() { … }
public struct ProviderConformance: Sendable {
  /// Makes the provider over another transport and clock.
  public typealias Maker = @Sendable (any Transport, any TimeSource) throws -> any PriceProvider

  package let provider: any PriceProvider
  let sample: ConformanceSample
  let make: Maker?

  /// A coin that no source has.
  static let unknown = "no-such-coin-0f9d2c"

  /// - Parameters:
  ///   - sample: What the provider has answers to.
  ///   - make: For the rules about failures and clocks, which need a transport of the suite's own; they are skipped
  ///     without it.
  public init(_ provider: any PriceProvider, sample: ConformanceSample, make: Maker? = nil) {
    self.provider = provider
    self.sample = sample
    self.make = make
  }

  /// What came of each rule, in their order.
  public func check() async -> [ConformanceResult] {
    var results: [ConformanceResult] = []
    for rule in ConformanceRule.allCases {
      var outcome: ConformanceResult.Outcome
      do {
        try await check(rule)
        outcome = .passed
      } catch let verdict as Verdict {
        outcome = verdict.outcome
      } catch {
        outcome = .failed("it threw: \(error)")
      }
      results.append(ConformanceResult(rule: rule, outcome: outcome))
    }
    return results
  }

  /// How a rule ends that did not pass.
  struct Verdict: Error {
    let outcome: ConformanceResult.Outcome

    static func failed(_ text: String) -> Verdict { Verdict(outcome: .failed(text)) }
    static func skipped(_ text: String) -> Verdict { Verdict(outcome: .skipped(text)) }
  }

  func has(_ capability: Capability) -> Bool { provider.descriptor.capabilities.contains(capability) }

  private func check(_ rule: ConformanceRule) async throws {
    switch rule {
    case .description: try describes()
    case .emptyInput: try await answersNothing()
    case .order: try await ignoresOrder()
    case .unknownCoins: try await namesUnknownCoins()
    case .batchLimits: try await keepsBatchLimits()
    case .unsupported: try await refusesWhatItCannot()
    case .currencies: try await knowsItsCurrencies()
    case .numberText: try await keepsDigits()
    case .utc: try await stampsInUTC()
    case .windows: try await keepsSeriesInOrder()
    case .errorMapping: try await mapsErrors()
    case .cancellation: try await endsWhenCancelled()
    case .givenClock: try await needsNoClock()
    }
  }

  private func describes() throws {
    let descriptor = provider.descriptor
    for (name, value) in [
      ("id", descriptor.id), ("name", descriptor.name), ("cache identity", descriptor.cacheIdentity),
    ]
    where value.isEmpty {
      throw Verdict.failed("its \(name) is empty")
    }
    if descriptor.capabilities.isEmpty { throw Verdict.failed("it has no capability") }
    if descriptor.coinsPerRequest < 1 { throw Verdict.failed("a request takes \(descriptor.coinsPerRequest) coins") }
    if descriptor.currencies.contains(where: { $0 != $0.lowercased() }) {
      throw Verdict.failed("its currencies are not lower case: \(descriptor.currencies.joined(separator: ", "))")
    }
  }

  // MARK: Quotes

  func needQuotes() throws {
    guard has(.quotes) else { throw Verdict.skipped("it has no quotes") }
    guard !sample.coins.isEmpty else { throw Verdict.skipped("no coin is known to have a price") }
  }

  private func answersNothing() async throws {
    guard has(.quotes) else { throw Verdict.skipped("it has no quotes") }
    let answer = try await provider.quotes([], currency: sample.currency).value
    if answer != QuoteBatch(coins: [:], failures: [:]) {
      throw Verdict.failed("\(answer.coins.count) quotes and \(answer.failures.count) failures came")
    }
  }

  private func ignoresOrder() async throws {
    try needQuotes()
    let forwards = try await provider.quotes(sample.coins, currency: sample.currency).value
    let backwards = try await provider.quotes(sample.coins.reversed(), currency: sample.currency).value
    if let coin = sample.coins.first(where: { forwards.coins[$0] == nil }) {
      throw Verdict.failed("\(coin) has no price: \(forwards.failures[coin].map(\.description) ?? "no reason")")
    }
    for coin in sample.coins where forwards.coins[coin] != backwards.coins[coin] {
      throw Verdict.failed("\(coin) has another price when the coins are asked for backwards")
    }
    if let wrong = forwards.coins.first(where: { $0.key != $0.value.id }) {
      throw Verdict.failed("the quote of \(wrong.key) is called \(wrong.value.id)")
    }
  }

  private func namesUnknownCoins() async throws {
    try needQuotes()
    let asked = [Self.unknown] + sample.coins
    let answer = try await provider.quotes(asked, currency: sample.currency).value
    if let coin = answer.coins[Self.unknown] {
      throw Verdict.failed("a coin that does not exist costs \(coin.currentPrice.plainText)")
    }
    try expectAll(asked, in: answer)
    for coin in sample.coins where answer.coins[coin] == nil {
      throw Verdict.failed("beside an unknown coin \(coin) has no price")
    }
  }

  private func keepsBatchLimits() async throws {
    try needQuotes()
    let limit = min(provider.descriptor.coinsPerRequest, 250)
    let asked = sample.coins + (0..<limit + 10).map { "\(Self.unknown)-\($0)" }
    do {
      try expectAll(asked, in: try await provider.quotes(asked, currency: sample.currency).value)
    } catch let error as BitpalError where error.code == .rateLimited {
      throw Verdict.skipped("the source allows no more requests now")
    }
  }

  private func expectAll(_ asked: [String], in answer: QuoteBatch) throws {
    for coin in asked where answer.coins[coin] == nil && answer.failures[coin] == nil {
      throw Verdict.failed("\(coin) is neither a quote nor a failure")
    }
    let extra = Set(answer.coins.keys).union(answer.failures.keys).subtracting(asked)
    if let coin = extra.sorted().first { throw Verdict.failed("\(coin) is in the answer, but was not asked for") }
  }

  private func knowsItsCurrencies() async throws {
    try needQuotes()
    do {
      let answer = try await provider.quotes(sample.coins, currency: "zzz").value
      if let coin = sample.coins.first(where: { answer.coins[$0] != nil }) {
        throw Verdict.failed("\(coin) has a price in zzz, which is no currency")
      }
      try expectAll(sample.coins, in: answer)
    } catch is BitpalError {
      // The whole question may be refused.
    }
  }

  private func keepsDigits() async throws {
    try needQuotes()
    guard !sample.prices.isEmpty else { throw Verdict.skipped("no price is known to compare with") }
    let answer = try await provider.quotes(Array(sample.prices.keys), currency: sample.currency).value
    for (coin, digits) in sample.prices.sorted(by: { $0.key < $1.key }) {
      let price = answer.coins[coin]?.currentPrice
      guard let wanted = try? Decimal(strict: digits), price == wanted else {
        throw Verdict.failed("\(coin) costs \(price?.plainText ?? "nothing"), not \(digits)")
      }
    }
  }

  // MARK: Capabilities

  private func refusesWhatItCannot() async throws {
    let missing = Capability.allCases.filter { !has($0) }
    guard !missing.isEmpty else { throw Verdict.skipped("it has every capability") }
    let coin = sample.coins.first ?? "bitcoin"
    let window =
      sample.line?.window ?? TimeWindow(ending: Date(milliseconds: 1_736_937_000_000), length: .seconds(86_400))
    for capability in missing {
      do {
        switch capability {
        case .quotes: _ = try await provider.quotes([coin], currency: sample.currency)
        case .coinList: _ = try await provider.coinList()
        case .detail: _ = try await provider.detail(coin, currency: sample.currency)
        case .line: _ = try await provider.line(coin, currency: sample.currency, window: window)
        case .candles:
          _ = try await provider.candles(coin, currency: sample.currency, window: window, width: .seconds(3600))
        }
        throw Verdict.failed("it answers \(capability.rawValue), which its descriptor lacks")
      } catch BitpalError.unsupported(capability, _, _) {
        continue
      } catch BitpalError.notRecorded {
        continue
      }
    }
  }
}
