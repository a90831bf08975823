import Bitpal
import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Closes that may still change` {
  /// 2025-01-15 10:30Z.
  private let time = ManualTime()
  private static let day = Duration.seconds(86_400)

  private func service(_ provider: ScriptedProvider) -> PriceService {
    PriceService(
      providers: [provider],
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { Issue.record("\($0)") }, time: time)
  }

  /// An hour of a day in January 2025.
  private static func january(_ day: Int, _ hour: Int = 0) -> Date {
    Date(timeIntervalSince1970: 1_735_689_600 + Double(86_400 * (day - 1) + 3600 * hour))
  }

  private func close(_ service: PriceService, day: Int = 14) async throws -> Sourced<[Resampling.DailyClose]> {
    try await service.history("c", from: Self.january(day), to: Self.january(day), currency: "usd")
  }

  @Test func `A source that stood still has a provisional close, which the final one replaces`() async throws {
    let provider = ScriptedProvider(capabilities: [.line])
    provider.change { $0.points = (1...13).map { (Self.january($0 + 1), $0) } + [(Self.january(14, 5), 99)] }
    let service = service(provider)
    let first = try await close(service)
    #expect(first.value.map(\.price) == [99] && first.value.map(\.isProvisional) == [true])
    #expect(first.warnings == [.provisional(coin: "c", day: Self.january(14), source: "p")])
    provider.change { $0.points += [(Self.january(15), 14), (Self.january(15, 9), 98)] }
    // Within two minutes it is served again, and then asked for again.
    time.advance(by: .seconds(100))
    #expect(try await close(service).value.map(\.price) == [99] && provider.asked.all.count == 1)
    time.advance(by: .seconds(100))
    let final = try await close(service)
    #expect(final.value.map(\.price) == [14] && final.value.map(\.isProvisional) == [false] && final.warnings == [])
    // From now on it is known for good.
    time.advance(by: Self.day * 30)
    #expect(try await close(service).value == final.value && provider.asked.all.count == 2)
  }

  @Test func `An earlier day has its final close while the last one is provisional`() async throws {
    let provider = ScriptedProvider(capabilities: [.line])
    provider.change { $0.points = (1...13).map { (Self.january($0 + 1), $0) } + [(Self.january(14, 5), 99)] }
    let closes = try await service(provider).history(
      "c", from: Self.january(12), to: Self.january(14), currency: "usd")
    #expect(closes.value.map(\.isProvisional) == [false, false, true])
  }

  @Test func `A market that pauses needs no later price once its day is over`() async throws {
    let provider = ScriptedProvider(candleWidths: [Self.day], maxAge: Self.day * 4)
    provider.change { script in
      script.candles = (6...14).map {
        CandleDataPoint(timestamp: Self.january($0), open: 1, high: 20, low: 1, close: Decimal($0))
      }
    }
    #expect(try await close(service(provider)).value.map(\.isProvisional) == [false])
  }

  @Test func `Candles of a market that never pauses need one after the last`() async throws {
    let provider = ScriptedProvider(candleWidths: [Self.day])
    provider.change { script in
      script.candles = (6...14).map {
        CandleDataPoint(timestamp: Self.january($0), open: 1, high: 20, low: 1, close: Decimal($0))
      }
    }
    let service = service(provider)
    #expect(try await close(service).value.map(\.isProvisional) == [true])
    let days = try await service.dailyCandles("c", from: Self.january(13), to: Self.january(14), currency: "usd")
    #expect(days.value.map(\.isProvisional) == [false, true])
    #expect(try await close(service, day: 13).value.map(\.isProvisional) == [false])
  }

  @Test func `A day that is over since the last question is asked for`() async throws {
    let provider = ScriptedProvider(capabilities: [.line])
    provider.change { $0.points = (1...15).map { (Self.january($0), $0) } + [(Self.january(15, 10), 90)] }
    let service = service(provider)
    _ = try await close(service)
    time.advance(by: .seconds(13 * 3600 + 1750))
    _ = try await close(service, day: 13)
    time.advance(by: .seconds(100))
    provider.change { $0.points += [(Self.january(16), 16)] }
    #expect(try await close(service, day: 15).value.map(\.price) == [16])
  }

  @Test func `Days of another zone do not give closes, unless the zone is declared`() async throws {
    let provider = ScriptedProvider(candleWidths: [Self.day])
    provider.change { script in
      script.candles = (6...14).map {
        CandleDataPoint(timestamp: Self.january($0, 16), open: 1, high: 20, low: 1, close: Decimal($0))
      }
    }
    await #expect { try await close(service(provider)) } throws: { ($0 as? BitpalError)?.code == .unreadable }
    let line = ScriptedProvider(capabilities: [.line])
    line.change { $0.points = (1...14).map { (Self.january($0, 16), $0) } }
    await #expect { try await close(service(line)) } throws: { ($0 as? BitpalError)?.code == .unreadable }
  }
}
