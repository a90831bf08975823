import Bitpal
import BitpalConfig
import BitpalConformance
import BitpalModel
import BitpalProviders
import Testing

@Suite struct `The providers we ship` {
  private static let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/providers"

  private static let ids = Set(ProviderCatalog(settings: Settings(providersDirs: [folder])).list().map(\.id)).sorted()

  @Test func `There are sixty and more`() {
    #expect(Self.ids.count > 60)
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
    // What depends on requests, on a list or on several coins at once cannot be tried where there is none.
    #expect(passed >= 9)
  }
}
