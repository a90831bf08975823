import BitpalCache
import BitpalConfig
public import BitpalModel
public import BitpalProviders
import BitpalServe
import BitpalService

/// A price server in the test's own process, for code under test that asks prices over HTTP.
///
/// It answers what `bitpal serve` answers: CoinGecko's API under `/api/v3` and bitpal's own shapes under `/v1`, on a free
/// port of 127.0.0.1. Needs libmicrohttpd where the tests run.
///
///     let server = try TestPriceServer(recording: "alarm")
///     let prices = try await client(base: server.url + "/api/v3").prices(of: ["bitcoin"])
///     await server.stop()
public final class TestPriceServer: Sendable {
  /// Where it listens: `http://127.0.0.1:41873`.
  public let url: String

  private let server: PriceServer

  /// Serves what a provider answers: also one that fails as a test says, over a ``FaultyTransport``.
  ///
  /// - Parameters:
  ///   - provider: Who answers; nothing is cached beyond the memory of this server.
  ///   - currency: What is meant where a request names none; lower case.
  ///   - time: The instant of the answers, and the age of what is cached: ``Replay/time()`` or a ``ManualTime``.
  /// - Throws: `BitpalError` when libmicrohttpd is missing.
  public convenience init(
    _ provider: any PriceProvider, currency: String = "usd", time: any TimeSource = SystemTime()
  ) throws(BitpalError) {
    let cache = PriceCache(path: nil, memoryLimit: 16 << 20, diskLimit: 1) { _ in }
    try self.init(PriceService(providers: [provider], cache: cache, time: time), currency: currency)
  }

  /// Serves a recording, at its instant: whatever question it can answer, in any order and as often as one likes.
  ///
  /// What it does not have is 404, and says what is there.
  ///
  /// - Parameters:
  ///   - name: `Fixtures/NAME` or `Recordings/NAME`, beside the test's file or in a folder above it, or an absolute path.
  ///   - currency: What is meant where a request names none; lower case.
  ///   - file: Where the search for the recording begins.
  /// - Throws: `BitpalError.recordingDamaged`, and when libmicrohttpd is missing.
  public convenience init(
    recording name: String, currency: String = "usd", file: String = #filePath
  ) throws {
    let path = ReplayTrait.path(of: name, near: file)
    let assembly = Assembly(
      settings: Settings(provider: ["recording:\(path)"], currency: currency, convert: []),
      environment: Environment(variables: [:], currentDirectory: "/"))
    try self.init(try assembly.priceService(), currency: currency)
  }

  private init(_ service: PriceService, currency: String) throws(BitpalError) {
    let market = Market(service, defaults: Market.Defaults(currency: currency))
    server = try PriceServer(market, on: try NetworkAddress("127.0.0.1:0"), gate: Gate())
    url = "http://\(server.address)"
  }

  /// Finishes what has begun, and stops; at the latest it does when nobody has the server any more.
  public func stop() async {
    await server.stop()
  }
}
