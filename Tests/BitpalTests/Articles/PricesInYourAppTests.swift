import Bitpal
import BitpalModel
import BitpalProviders
import TestSupport
import Testing

@Suite struct `The article on prices in your app` {
  @Test func `Prices and failures become lines`() async throws {
    let lines = try await priceLines(["bitcoin", "shiba-inu", "nope"], from: try recordedMarket())
    #expect(lines == ["Bitcoin 96,841.33", "Shiba Inu 0.000021487", "nope: no coin \"nope\" at market"])
  }

  @Test func `A week is its bounds and its change`() async throws {
    let week = try await week(of: "bitcoin", from: try recordedMarket())
    #expect(week == "94,349.25 to 99,934.34, +2.64%")
  }

  @Test func `Failures become advice`() {
    #expect(
      advice(on: .timedOut(provider: "coingecko", limit: .seconds(15)))
        == "Prices are not to be had now. Try again in a minute.")
    #expect(
      advice(on: .notFound(coin: "bitcion", provider: "coingecko", suggestion: "bitcoin"))
        == "no coin \"bitcion\" at coingecko; did you mean \"bitcoin\"?")
    #expect(
      advice(on: .unsupported(.line, provider: "list", others: []))
        == "Something is wrong with the set-up: list has no line")
  }

  @Test func `A service needs no file of the user's`() throws {
    let folder = try TemporaryFolder()
    try folder.write("id: moonbase\nname: Moonbase\nkind: file\nfile: prices.db\n", to: "moonbase.yaml")
    try folder.write("P 2026-01-05 comet 12 USD\n", to: "prices.db")
    let services = try ownServices(in: folder.path)
    #expect(services.flatMap { $0.descriptors.map(\.id) } == ["coingecko", "kraken", "moonbase"])
  }
}
