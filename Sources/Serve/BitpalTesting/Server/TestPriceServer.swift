#if Server
  import Bitpal
  import BitpalCache
  import BitpalConfig
  public import BitpalModel
  public import BitpalProviders
  import BitpalQueries
  import BitpalServe

  /// A price server in the test's own process, for code under test that asks for prices over HTTP.
  ///
  /// It answers as `bitpal serve` does: CoinGecko's API under `/api/v3` and bitpal's own shapes under `/v1`, on a free
  /// port of 127.0.0.1. It needs libmicrohttpd on the machine that runs the tests.
  ///
  ///     let server = try TestPriceServer(recording: "alarm")
  ///     let prices = try await client(base: server.url + "/api/v3").prices(of: ["bitcoin"])
  ///     await server.stop()
  public final class TestPriceServer: Sendable {
    /// The base URL of the server: `http://127.0.0.1:41873`.
    public let url: String

    private let server: PriceServer

    /// Starts a server for a provider, which may fail by a script over a ``FaultyTransport``.
    ///
    /// - Parameters:
    ///   - provider: The provider that answers; nothing is cached outside of this server's memory.
    ///   - currency: The currency of requests that name none; lower case.
    ///   - time: The clock of the answers and of their age: ``Replay/time()`` or a ``ManualTime``.
    /// - Throws: `BitpalError` when libmicrohttpd is missing.
    public convenience init(
      _ provider: any PriceProvider, currency: String = "usd", time: any TimeSource = SystemTime()
    ) throws(BitpalError) {
      let cache = PriceCache(path: nil, memoryLimit: 16 << 20, diskLimit: 1) { _ in }
      try self.init(PriceService(providers: [provider], cache: cache, time: time), currency: currency)
    }

    /// Starts a server for a recording, at its instant: it answers the recorded questions in any order, any number of
    /// times.
    ///
    /// A question outside of the recording gets status 404 with the recorded ones.
    ///
    /// - Parameters:
    ///   - name: `Fixtures/NAME` or `Recordings/NAME`, beside the test's file or in a folder above it, or an absolute
    ///     path.
    ///   - currency: The currency of requests that name none; lower case.
    ///   - file: The file beside which the search for the recording begins.
    /// - Throws: `BitpalError.recordingDamaged` for a recording that cannot be read, and `BitpalError` when libmicrohttpd
    ///   is missing.
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
      let market = Market(service, defaults: QueryDefaults(currency: currency))
      do {
        server = try PriceServer(market, on: try NetworkAddress("127.0.0.1:0"), gate: Gate())
      } catch {
        // Port 0 is never taken.
        throw error as? BitpalError ?? .dataFile(path: "127.0.0.1:0", reason: "\(error)")
      }
      url = "http://\(server.address)"
    }

    /// Finishes the requests that have begun, and stops the server; it also stops when it is deallocated.
    public func stop() async {
      await server.stop()
    }
  }
#endif
