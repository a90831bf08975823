import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import Testing

@Suite struct `A price server in a test` {
  private func get(_ url: String) async throws -> (status: Int, text: String) {
    let response = try await CurlTransport(userAgent: "test").send(HTTPRequest(url: url))
    return (response.status, String(decoding: response.body, as: UTF8.self))
  }

  @Test func `It answers from a recording, and says what is not in it`() async throws {
    let server = try TestPriceServer(recording: "market")
    let price = try await get(server.url + "/api/v3/simple/price?ids=bitcoin&vs_currencies=usd")
    #expect(price.text == #"{"bitcoin":{"usd":96841.328675354258}}"#)
    let miss = try await get(server.url + "/api/v3/coins/bitcoin/ohlc?vs_currency=sek&days=7")
    #expect(miss.status == 404 && miss.text.contains("has no candles of bitcoin in sek"))
    await server.stop()
    await #expect(throws: (any Error).self) { try await get(server.url + "/api/v3/ping") }
  }

  @Test(.replay("market")) func `The server fails with its scripted source`() async throws {
    let transport = FaultyTransport(try Replay.transport(), [.status(429), .pass])
    let provider = DialectProvider(dialect: CoinGeckoDialect(), transport: transport, time: try Replay.time())
    let server = try TestPriceServer(provider, time: try Replay.time())
    #expect(try await get(server.url + "/v1/price?coins=id:nonesuch").status == 503)
    await server.stop()
  }
}
