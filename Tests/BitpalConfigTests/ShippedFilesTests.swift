import BitpalFiles
import BitpalModel
import BitpalProviders
import Foundation
import Testing

@testable import BitpalConfig

@Suite struct `The files we ship` {
  /// The repository this test is in.
  static let repository = PathText.joined(#filePath, "../../..")

  static var settings: Settings {
    get throws {
      let environment = Environment(
        variables: ["HOME": "/home/nobody", "XDG_DATA_DIRS": "/none"], currentDirectory: repository)
      let named = SettingsOverrides(configPath: "config.yaml")
      return try SettingsLoader(environment: environment, overrides: named).load()
    }
  }

  @Test func `config.yaml loads, works offline and says the defaults`() throws {
    let settings = try Self.settings
    let defaults = Settings()
    #expect(settings.file?.name == "config.yaml")
    #expect(settings.provider == ["fixture"])
    #expect(settings.currency == defaults.currency)
    #expect(settings.providersDirs.first == Self.repository + "/providers")
    #expect(settings.refresh == defaults.refresh)
    #expect(settings.aliases == ["btc": "bitcoin", "eth": "ethereum", "sol": "solana"])
    #expect(settings.cache == CacheSettings(path: "/home/nobody/.cache/bitpal/cache.db"))
    #expect(settings.chart == defaults.chart)
    #expect(settings.warnings == [])
    #expect(ProviderCatalog(settings: settings).unknownOverrides() == [])
  }

  @Test func `The first comment of config.yaml says which line to change for live prices`() throws {
    let text = try String(contentsOfFile: Self.repository + "/config.yaml", encoding: .utf8)
    #expect(text.hasPrefix("# Settings of bitpal. For live prices, change the one line `provider: fixture` to"))
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("provider: fixture ") }.count == 1)
  }

  @Test func `providers/coingecko.yaml says what is built in, and the keyless budget`() throws {
    var expected = ProviderSpecification.builtInCoinGecko
    expected.file = Self.repository + "/providers/coingecko.yaml"
    #expect(try ProviderCatalog(settings: try Self.settings).specification(for: "coingecko") == expected)
  }

  @Test func `providers/fixture.yaml is the simulated market`() throws {
    let specification = try ProviderCatalog(settings: try Self.settings).specification(for: "fixture")
    #expect(specification.name == "Simulated market")
    let folder = try #require(
      PathText.resolved("../Fixtures/market", in: Self.repository + "/providers", home: nil) as String?)
    #expect(specification.kind as? RecordedKind == RecordedKind(folder: folder, of: "coingecko"))
  }

  @Test func `The starter file loads, as it is and with every comment that is a setting removed`() throws {
    let workspace = try Workspace(["home/.config/bitpal/config.yaml": ConfigTemplate.text])
    let settings = try workspace.load()
    #expect(settings.provider == ["coingecko"])
    #expect(settings.file?.discovery == .userDirectory)
    #expect(settings.chart == ChartSettings())
    #expect(settings.chart.longestTimeToLive == settings.chart.ranges.map(\.timeToLive).max())
    let names = ["providers_dir", "refresh", "cache", "chart", "providers"]
    var isSetting = false
    let lines = ConfigTemplate.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.hasPrefix("# ") else {
        isSetting = false
        return String(line)
      }
      if names.contains(where: { line.hasPrefix("# \($0):") }) { isSetting = true }
      return isSetting ? String(line.dropFirst(2)) : String(line)
    }
    #expect(try workspace.complaint(about: lines.joined(separator: "\n")) == "no complaint")
    #expect(lines.filter { $0.hasPrefix("    2Y:") || $0.hasPrefix("  coingecko:") }.count == 2)
  }
}
