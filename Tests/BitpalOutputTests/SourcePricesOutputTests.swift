import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalProviders
import FoundationEssentials
import Testing

@testable import Bitpal

@Suite struct `The prices of several sources` {
  private func ballot(_ id: String, _ price: String?, _ failure: BitpalError = .offline(question: "q")) throws
    -> PriceService.Ballot
  {
    let provider = ProviderDescriptor(id: id, name: id, kind: "test", capabilities: [.quotes], cacheIdentity: id)
    let quote = try price.map { text in
      let coin = try Coin(validating: "bitcoin", symbol: "btc", name: "Bitcoin", currentPrice: Decimal(strict: text))
      return Sourced(
        coin, about: AnswerKey(provider: id, kind: .quote, coin: "bitcoin"), source: id, fetchedAt: Draw.now)
    }
    return PriceService.Ballot(provider: provider, prices: ["bitcoin": quote.map { .success($0) } ?? .failure(failure)])
  }

  private func output() throws -> SourcePricesOutput {
    let ballots = [
      try ballot("a", "100"), try ballot("b", "100.5"), try ballot("c", "7"),
      try ballot("d", nil, .network(host: "d", reason: "down")),
      try ballot("e", nil, .notFound(coin: "bitcoin", provider: "e")),
    ]
    return SourcePricesOutput(["bitcoin"], ballots, by: AgreementRule(atLeast: 2, within: 10), currency: "usd")
  }

  @Test func `The highest price is first, and a source without the coin has no row`() throws {
    let output = try output()
    #expect(output.rowSubjects.map(\.judged.source) == ["b", "a", "c", "d"])
    #expect(output.rows.map { $0["counts"] } == [.bool(true), .bool(true), .bool(false), .bool(false)])
    #expect(
      output.rowSubjects.map(\.distance).prefix(2) == [
        Decimal(string: "0.249376558603491272"), Decimal(string: "-0.249376558603491272"),
      ])
    #expect(output.json["without"] == .array(["e"]))
  }

  @Test func `CSV has the reason why a price does not count`() throws {
    let lines = try output().csv.split(separator: "\n")
    #expect(lines[0].hasPrefix("id,source,price,currency,distance,counts,reason,"))
    #expect(lines[3].hasPrefix("bitcoin,c,7,usd,-93."))
    #expect(lines[4].contains("cannot reach d: down"))
  }
}
