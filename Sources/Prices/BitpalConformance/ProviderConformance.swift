public import BitpalModel
public import BitpalNetwork
public import BitpalProviders
import FoundationEssentials

/// A check of the rules that every provider must keep; see ``ConformanceRule``.
///
///     for result in await ProviderConformance(provider, sample: sample).check() { … }
public struct ProviderConformance: Sendable {
  /// Makes the provider over another transport and clock.
  public typealias Maker = @Sendable (any Transport, any TimeSource) throws -> any PriceProvider

  package let provider: any PriceProvider
  let sample: ConformanceSample
  let make: Maker?

  /// The time that a cancelled question may take to end.
  package var patience: Duration = .seconds(10)

  /// A coin that no source has.
  static let unknown = "no-such-coin-0f9d2c"

  /// A currency that does not exist.
  static let noCurrency = "zzz"

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - provider: The provider to check.
  ///   - sample: The questions that the provider can answer.
  ///   - make: Makes the provider for the rules about failures and clocks, which need a transport of the check's own;
  ///     without it they are skipped.
  public init(_ provider: any PriceProvider, sample: ConformanceSample, make: Maker? = nil) {
    self.provider = provider
    self.sample = sample
    self.make = make
  }

  /// Checks every rule, and returns the results in the order of the rules.
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

  /// The end of a check that did not pass.
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

  private func question(_ capability: Capability, _ coin: String, _ window: TimeWindow) -> ProviderQuery {
    let currency = sample.currency
    return switch capability {
    case .quotes: .quotes(coins: [coin], currency: currency)
    case .coinList: .coinList
    case .detail: .detail(coin: coin, currency: currency)
    case .line: .line(coin: coin, currency: currency, window: window)
    case .candles: .candles(coin: coin, currency: currency, window: window, width: .seconds(3600))
    }
  }

  private func refusesWhatItCannot() async throws {
    let missing = Capability.allCases.filter { !has($0) }
    guard !missing.isEmpty else { throw Verdict.skipped("it has every capability") }
    let coin = sample.coins.first ?? "bitcoin"
    let window =
      sample.line?.window ?? TimeWindow(ending: Date(milliseconds: 1_736_937_000_000), length: .seconds(86_400))
    for capability in missing {
      do {
        _ = try await provider.answer(to: question(capability, coin, window))
        throw Verdict.failed("it answers \(capability.rawValue), which its descriptor lacks")
      } catch BitpalError.unsupported(capability, _, _) {
        continue
      } catch BitpalError.notRecorded {
        continue
      }
    }
  }
}

extension ProviderConformance {
  /// Creates a check of a provider with the fixtures that need no network.
  ///
  /// - Throws: `BitpalError.recordingDamaged`, and other failures of opening or asking the provider.
  package init(_ fixtures: OfflineFixtures) async throws {
    switch fixtures {
    case .recording(let recording, let provider):
      let sample = try await ConformanceSample(recording, answeredBy: provider)
      self.init(provider, sample: sample ?? ConformanceSample(coins: [], currency: "usd"))
    case .examples(let source):
      try self.init(examplesOf: source)
    case .prices(let provider):
      let sample = try provider.sample().map { sample in
        ConformanceSample(
          coins: sample.coins, currency: sample.currency,
          line: sample.coins.first.map {
            ($0, sample.currency, TimeWindow(ending: sample.end, length: .seconds(365 * 86_400)))
          })
      }
      self.init(provider, sample: sample ?? ConformanceSample(coins: [], currency: "usd"))
    case .dialect(let dialect):
      let make: Maker = { DialectProvider(dialect: dialect, transport: $0, time: $1) }
      self.init(try make(SampleMarket(), SystemTime()), sample: SampleMarket.sample, make: make)
    }
  }

  /// Creates a check of a provider with a file of its own, offline, over its examples.
  ///
  /// - Throws: The failure of creating the dialect.
  init(examplesOf source: DialectWithExamples) throws {
    let sample = ConformanceSample(examplesOf: source)
    let dialect = try source.dialect(at: sample.now)
    let provider = DialectProvider(
      dialect: dialect, transport: ExampleTransport(source), time: StoppedClock(now: sample.now))
    self.init(provider, sample: sample) { DialectProvider(dialect: dialect, transport: $0, time: $1) }
  }
}

/// A transport that records the requests and the bodies of the answers.
struct RequestLogTransport: Transport {
  let source: any Transport
  let urls = Locked<[String]>([])
  let bodies = Locked<[[UInt8]]>([])

  /// The most coins that one request named.
  let mostCoins = Locked(0)

  init(_ source: any Transport) { self.source = source }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    urls.withLock { $0.append(request.url + String(decoding: request.body ?? [], as: UTF8.self)) }
    let coins = request.query?.coins.count ?? 0
    mostCoins.withLock { $0 = max($0, coins) }
    let response = try await source.send(request)
    bodies.withLock { $0.append(response.body) }
    return response
  }
}

/// A clock that stands at an instant, on which every wait ends at once.
struct StoppedClock: TimeSource {
  let now: Date
  var monotonic: Duration { .zero }

  func sleep(for duration: Duration) async throws { try Task.checkCancellation() }
}
