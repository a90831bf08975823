import BitpalConfig
import BitpalModel
public import BitpalProviders

extension Assembly {
  /// What came of asking a provider everything that every provider must do, offline: a recorded one over its recording,
  /// CoinGecko over a market of three made-up coins, a declared one over the examples of its file.
  ///
  /// - Throws: `BitpalError` when its file or recording is bad.
  public func conformance(of id: String) async throws -> [ConformanceResult] {
    let catalog = ProviderCatalog(settings: settings)
    let specification = try catalog.specification(for: id)
    let registry = registry(catalog, SystemTime())
    switch specification.kind {
    case .http:
      return await (try ProviderConformance(declared: specification)).check()
    case .recorded:
      let provider = try registry.provider(specification)
      let sample = try await (provider as? RecordedProvider)?.conformanceSample()
      return await ProviderConformance(provider, sample: sample ?? ConformanceSample(coins: [], currency: "usd"))
        .check()
    case .coingecko:
      let dialect = try registry.dialect(specification, key: nil)
      let make: ProviderConformance.Maker = { HTTPProvider(dialect: dialect, transport: $0, time: $1) }
      let provider = try make(SampleMarket(), SystemTime())
      return await ProviderConformance(provider, sample: SampleMarket.sample, make: make).check()
    }
  }
}
