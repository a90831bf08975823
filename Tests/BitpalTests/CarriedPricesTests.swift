import Bitpal
import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalTesting
import Foundation
import TestSupport
import Testing

@Suite struct `Prices that are carried forward` {
  /// 2025-01-15 10:30Z.
  private let time = ManualTime()
  private let folder = FileManager.default.temporaryDirectory.path + "/bitpal-carried-" + UUID().uuidString

  private func service(_ journal: String, _ others: [any PriceProvider] = [], maxAge: Duration? = nil) throws
    -> PriceService
  {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(journal.utf8).write(to: URL(fileURLWithPath: folder + "/prices.db"))
    let source = FileKind(path: folder + "/prices.db", name: "prices.db")
    var specification = ProviderSpecification(id: "mine", name: "Mine", kind: source)
    specification.maxAge = maxAge
    let environment = ProviderEnvironment(
      time: time, trace: .silent, key: { _ in nil },
      transport: { _, _ in throw BitpalError.usage("a file needs no network") },
      specification: { throw BitpalError.usage($0) }, symbol: { _, _ in nil }, warn: { Issue.record("\($0)") })
    let file = try environment.provider(specification)
    return PriceService(
      providers: [file] + others, converters: [file],
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { Issue.record("\($0)") }, time: time)
  }

  private func closes(
    _ coin: String, _ first: String, _ last: String, _ service: PriceService, currency: String = "usd",
    reach: HistoryReach = .carriedForward
  ) async throws -> [String] {
    let (from, to) = (try #require(Date(utcText: first)), try #require(Date(utcText: last)))
    return try await service.history(coin, from: from, to: to, currency: currency, reach: reach).value.map { close in
      "\(close.dateText) \(close.price.plainText)\(close.carriedFrom.map { " since \($0.dayText)" } ?? "")"
    }
  }

  @Test func `The price of a house holds on every day until its next`() async throws {
    let service = try service("P 2025-01-03 house 300000 USD\nP 2025-01-06 house 310000 USD\n")
    #expect(
      try await closes("house", "2025-01-04", "2025-01-08", service) == [
        "2025-01-04 300000 since 2025-01-03", "2025-01-05 300000 since 2025-01-03", "2025-01-06 310000",
        "2025-01-07 310000 since 2025-01-06", "2025-01-08 310000 since 2025-01-06",
      ])
  }

  @Test func `A price of years ago holds in a window that has none`() async throws {
    let service = try service("P 2019-05-01 house 300000 USD\n")
    #expect(try await closes("house", "2025-01-13", "2025-01-13", service) == ["2025-01-13 300000 since 2019-05-01"])
  }

  @Test func `History itself states the prices of the file and no others`() async throws {
    let service = try service("P 2025-01-03 house 300000 USD\nP 2025-01-06 house 310000 USD\n")
    let closes = try await closes("house", "2025-01-04", "2025-01-08", service, reach: .asFarAsItGoes)
    #expect(closes == ["2025-01-06 310000"])
  }

  @Test func `A carried price is converted at the rate of its day`() async throws {
    let service = try service(
      "P 2025-01-03 house 300000 USD\nP 2025-01-04 EUR 2 USD\nP 2025-01-05 EUR 4 USD\nP 2025-01-05 house 310000 USD\n")
    let closes = try await closes("house", "2025-01-04", "2025-01-05", service, currency: "eur")
    #expect(closes == ["2025-01-04 150000 since 2025-01-03", "2025-01-05 77500"])
  }

  @Test func `A rate of a file is not carried beyond its age`() async throws {
    let old = try service("P 2025-01-03 EUR 2 USD\n")
    let refused = try await old.quotes(["fx:eur"], currency: "usd")
    #expect(refused.failures.map(\.error.code) == [.noPrice])
    let asked = try service("P 2025-01-03 EUR 2 USD\n", maxAge: .seconds(30 * 86_400))
    #expect(try await asked.quotes(["fx:eur"], currency: "usd").quotes.map(\.value.currentPrice) == [2])
    #expect(try await closes("fx:eur", "2025-01-02", "2025-01-05", asked) == ["2025-01-03 2"])
  }
}
