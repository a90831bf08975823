import Bitpal
import BitpalProviders
import BitpalTesting
import PriceAlarm
import Testing

@Suite(.replay("alarm"))
struct `The alarm` {
  @Test(
    arguments: [
      ("bitcoin", "Bitcoin is at 101250.75, above its week"), ("dogecoin", nil),
      ("solana", "Solana is at 170.125, below its week"),
    ] as [(String, String?)])
  func `It rings for a coin that leaves its week`(coin: String, message: String?) async throws {
    let alarm = PriceAlarm(service: try Replay.service())
    #expect(try await alarm.message(about: coin) == message)
  }

  @Test func `It says so when the source fails half-way`() async throws {
    let time = try Replay.time()
    let transport = FaultyTransport(try Replay.transport(), [.pass, .status(503)])
    let provider = DialectProvider(dialect: CoinGeckoDialect(), transport: transport, time: time)
    let alarm = PriceAlarm(service: .init(of: provider, time: time))
    let message = try await alarm.message(about: "bitcoin")
    #expect(message == "bitcoin has no price: coingecko answered with HTTP 503: scripted failure")
  }
}
