import Bitpal
import BitpalConfig
import BitpalConformance
import BitpalModel
import BitpalProviders
import Testing

@Suite struct `The providers we ship` {
  private static let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/providers"

  private static let ids = Set(ProviderCatalog(settings: Settings(providersDirs: [folder])).list().map(\.id)).sorted()

  @Test func `All of them are checked`() {
    #expect(
      Self.ids == [
        "alphavantage", "binance", "bitstamp", "coinbase", "coingecko", "coinpaprika", "ecb", "fixture", "frankfurter",
        "gemini", "kraken", "kucoin", "stooq", "yahoo",
      ])
  }

  @Test(arguments: ids)
  func `Each does what every provider must, whatever its kind`(id: String) async throws {
    let environment = Environment(variables: [:], currentDirectory: "/")
    let assembly = Assembly(settings: Settings(providersDirs: [Self.folder]), environment: environment)
    let results = try await ProviderConformance(assembly.offlineFixtures(of: id)).check()
    #expect(results.map(\.rule) == ConformanceRule.allCases)
    for result in results {
      if case .failed(let problem) = result.outcome { Issue.record("\(result.rule.rawValue): \(problem)") }
    }
    let passed = results.filter { $0.outcome == .passed }.count
    // A recording asks nobody, so what depends on requests cannot be tried.
    #expect(passed >= (id == "fixture" ? 9 : 12))
  }
}
