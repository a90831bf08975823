import Bitpal
import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Companions of a request` {
  private let time = ManualTime()
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func service(_ providers: ScriptedProvider..., file: String = "c.db") -> PriceService {
    PriceService(
      providers: providers,
      cache: PriceCache(path: folder.path + "/" + file, memoryLimit: 1 << 20, diskLimit: 1 << 22) {
        Issue.record("\($0)")
      },
      settings: ServiceSettings(maxStale: .seconds(3600)), time: time)
  }

  private func source(_ id: String = "p", room: Int? = 100, carries: Bool = true) -> ScriptedProvider {
    ScriptedProvider(
      id, prices: ["a": 1, "b": 2, "c": 3], capabilities: [.quotes, .detail, .line],
      room: room.map { BatchRoom(coins: $0, bytes: 1000) },
      carriesFigures: carries)
  }

  @Test func `A coin that was asked for lately and expires soon is renewed with another`() async throws {
    let provider = source()
    let service = service(provider)
    _ = try await service.quotes(["a"], currency: "usd")
    time.advance(by: .seconds(40))
    let answer = try await service.quotes(["b"], currency: "usd")
    #expect(provider.asked.all == ["quotes a", "quotes b,a"])
    #expect(answer.quotes.map(\.value.id) == ["b"] && answer.failures.isEmpty)
    // A minute after it was fetched for itself, it is as new as the other.
    time.advance(by: .seconds(30))
    let renewed = try await service.quotes(["a"], currency: "usd").quotes
    #expect(provider.asked.all.count == 2)
    #expect(renewed.first?.fetchedAt == answer.quotes.first?.fetchedAt)
  }

  @Test func `A coin that the source could not be asked for comes with the next request`() async throws {
    let provider = source()
    let service = service(provider)
    provider.change { $0.failure = .network(host: "h", reason: "down") }
    #expect(try await service.quotes(["a"], currency: "usd").quotes.isEmpty)
    provider.change { $0.failure = nil }
    time.advance(by: .seconds(5))
    #expect(try await service.quotes(["b"], currency: "usd").quotes.count == 1)
    #expect(provider.asked.all.last == "quotes b,a")
    #expect(try await service.quotes(["a"], currency: "usd", policy: .cached).quotes.count == 1)
  }

  @Test func `A source without room is asked for what is wanted and nothing else`() async throws {
    let provider = source(room: nil)
    let service = service(provider)
    _ = try await service.quotes(["a"], currency: "usd")
    time.advance(by: .seconds(40))
    _ = try await service.quotes(["b"], currency: "usd")
    #expect(provider.asked.all == ["quotes a", "quotes b"])
  }

  @Test func `Neither another currency, nor a coin that the source lacks, is carried along`() async throws {
    let provider = source()
    let service = service(provider)
    _ = try await service.quotes(["a", "nope"], currency: "usd")
    _ = try await service.quotes(["c"], currency: "eur")
    time.advance(by: .seconds(40))
    _ = try await service.quotes(["b"], currency: "usd")
    #expect(provider.asked.all.last == "quotes b,a")
  }

  @Test func `The failure of a companion is not reported`() async throws {
    let provider = source()
    let service = service(provider)
    _ = try await service.quotes(["a", "c"], currency: "usd")
    provider.change {
      $0.prices["a"] = nil
      $0.oddities = ["c"]
    }
    time.advance(by: .seconds(40))
    let answer = try await service.quotes(["b"], currency: "usd")
    #expect(provider.asked.all.last == "quotes b,a,c")
    #expect(answer.failures.isEmpty && answer.quotes.count == 1)
    #expect(answer.quotes.first?.warnings == [])
    // Its own price is as it was, and when it is asked for it is found missing.
    #expect(try await service.quotes(["a"], currency: "usd", policy: .cached).quotes.count == 1)
    time.advance(by: .seconds(30))
    #expect(try await service.quotes(["a"], currency: "usd").failures.map(\.error.code) == [.notFound])
  }

  @Test func `Figures and weeks that came with prices are answers of their own`() async throws {
    let provider = source()
    let newest = time.now
    provider.change {
      $0.ranks = ["a": 7]
      $0.points = [(newest.adding(.seconds(-3600)), 4), (newest, 5)]
    }
    let service = service(provider)
    let quote = try #require(try await service.quotes(["a", "b"], currency: "usd").quotes.first)
    let detail = try await service.detail("a", currency: "usd")
    #expect(detail.value.rank == 7 && detail.value.coin == quote.value)
    #expect(detail.source == "p" && detail.fetchedAt == quote.fetchedAt && detail.freshness == .fresh)
    #expect(service.cachedWeek(ofID: "b", currency: "usd")?.points.count == 2)
    #expect(provider.asked.all == ["quotes a,b"])
    // The line of a chart has times of the source, and is asked for.
    let range = try #require(ChartTimeRange.standard.named("1W"))
    #expect(service.cachedLine("a", range: range, currency: "usd") == nil)
  }

  @Test func `A week is kept once per hour, and figures each time`() async throws {
    let provider = source()
    func set(_ price: Int) {
      let now = time.now
      provider.change {
        $0.points = [(now, price)]
        $0.ranks = ["a": price]
      }
    }
    let service = service(provider)
    func renewed(_ price: Int) async throws -> (week: Decimal?, rank: Int?) {
      set(price)
      _ = try await service.quotes(["a"], currency: "usd", policy: .refresh)
      let week = service.cachedWeek(ofID: "a", currency: "usd")?.points.last?.price
      return (week, try await service.detail("a", currency: "usd", policy: .cached).value.rank)
    }
    #expect(try await renewed(1) == (1, 1))
    time.advance(by: .seconds(3599))
    #expect(try await renewed(2) == (1, 2))
    time.advance(by: .seconds(1))
    #expect(try await renewed(3) == (3, 3))
  }

  @Test func `Figures and weeks that are missing are asked for all at once, where they come with prices`() async throws
  {
    let provider = source()
    let service = service(provider)
    #expect(try await service.details(ofIDs: ["a", "b", "nope"], currency: "usd").keys.sorted() == ["a", "b"])
    #expect(provider.asked.all == ["quotes a,b,nope"])
    time.advance(by: .seconds(9 * 3600))
    let weeks = try await service.weeks(ofIDs: ["a", "c"], currency: "usd")
    #expect(weeks.count == 2 && provider.asked.all.count == 2)
    // The prices came with them.
    _ = try await service.quotes(["a", "c"], currency: "usd")
    #expect(provider.asked.all.count == 2)
  }

  @Test func `A source whose prices come alone is not asked for details coin by coin, but for lines`() async throws {
    let provider = source(room: nil, carries: false)
    provider.change { $0.points = [(Date(milliseconds: 0), 1)] }
    let service = service(provider)
    #expect(try await service.details(ofIDs: ["a", "b"], currency: "usd").isEmpty)
    #expect(provider.asked.all.isEmpty)
    _ = try await service.weeks(ofIDs: ["a", "b"], currency: "usd")
    #expect(provider.asked.all == ["line a 7d", "line b 7d"])
    // The next one is bound to fail alike.
    provider.change { $0.failure = .unauthorized(provider: "p", reason: "no key") }
    time.advance(by: .seconds(3600))
    _ = try await self.service(provider, file: "other.db").weeks(ofIDs: ["a", "b"], currency: "usd")
    #expect(provider.asked.all.count == 3)
  }
}
