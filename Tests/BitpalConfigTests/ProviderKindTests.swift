import BitpalJSON
import BitpalModel
import BitpalProviders
import FoundationEssentials
import Testing

@testable import BitpalConfig

/// A kind of provider that this test adds: one price for every coin.
private struct PegKind: ProviderKind {
  static let name = "peg"
  static let keys = ProviderKindKeys(own: ["at"], required: ["at"])
  static let isLocal = true

  let price: Decimal

  init?(_ file: ProviderFileReader) {
    guard let value = file["at"], let text = value.text("a price") else { return nil }
    guard let price = try? Decimal(strict: text), price > 0 else {
      value.report("at must be a price above zero")
      return nil
    }
    self.price = price
  }

  func provider(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) -> any PriceProvider {
    Peg(descriptor: .unknown(specification, capabilities: [.quotes]), price: price)
  }
}

private struct Peg: PriceProvider {
  let descriptor: ProviderDescriptor
  let price: Decimal

  func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
    guard case .quotes(let ids, _) = query else { throw unsupported(query) }
    return ProviderAnswer(
      quotes: try ids.reduce(into: [:]) { $0[$1] = try Coin(validating: $1, symbol: $1, name: $1, currentPrice: price) }
    )
  }
}

@Suite struct `A provider kind` {
  private func catalog(_ file: String, _ workspace: Workspace) throws -> ProviderCatalog {
    try workspace.write("config.yaml", "bitpal: 1\nproviders_dir: providers\n")
    try workspace.write("providers/par.yaml", file)
    let settings = try workspace.load([:], SettingsOverrides(configPath: "config.yaml"))
    return ProviderCatalog(settings: settings, kinds: ProviderKinds.all + [PegKind.self])
  }

  @Test func `A type and an entry in the list of kinds are enough for a new kind`() async throws {
    let workspace = try Workspace()
    let catalog = try catalog("id: par\nname: Par\nkind: peg\nat: 1.25\n", workspace)
    let environment = ProviderEnvironment(
      time: SystemTime(), trace: .silent, key: { _ in nil },
      transport: { _, _ in throw BitpalError.usage("a peg needs no network") },
      specification: { try catalog.specification(for: $0) })
    let provider = try environment.provider(try catalog.specification(for: "par"))
    let coin: Coin = try await provider.value(.quotes(coins: ["dollar"], currency: "usd"))
    #expect(coin.currentPrice.plainText == "1.25")
    #expect(provider.descriptor.kind == "peg")
  }

  @Test func `The keys of a kind are checked like those of the others`() throws {
    func message(_ file: String) throws -> String {
      let workspace = try Workspace()
      let catalog = try catalog(file, workspace)
      let error = #expect(throws: BitpalError.self) { try catalog.specification(for: "par") }
      return error?.message ?? ""
    }
    let head = "id: par\nname: Par\nkind: "
    #expect(try message(head + "peg\n").contains("the key \"at\" is missing"))
    #expect(try message(head + "peg\nat: -1\n").contains("at must be a price above zero"))
    #expect(try message(head + "peg\nat: 1\ntier: pro\n").contains("tier is only for kind: coingecko"))
    #expect(try message(head + "file\nfile: x.csv\nat: 1\n").contains("at is only for kind: peg"))
    let valid = try message(head + "peg\nat: 1\nqqqqqqqq: 1\n")
    #expect(valid.split(separator: "currency,").count == 2 && valid.contains("unknown key \"qqqqqqqq\""))
    #expect(try message(head + "nothing\n").contains("one of http, coingecko, recorded, file, plugin, bitpal, peg"))
  }
}
