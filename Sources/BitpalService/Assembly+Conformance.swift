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
    let material = try registry(catalog, SystemTime()).offlineMaterial(try catalog.specification(for: id))
    return await (try await ProviderConformance(material)).check()
  }
}
