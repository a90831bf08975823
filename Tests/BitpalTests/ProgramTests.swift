import Bitpal
import FoundationEssentials
import LoopbackServer
import TestSupport
import Testing

/// A program that names its source itself.
@Suite struct `A service of a program's own` {
  @Test func `It asks a file of the program's with its key, and writes nothing`() async throws {
    let server = try LoopbackServer { request in
      request.header("x-key") == "s3cret" ? .ok(json: #"{"last":12.5}"#) : .status(401)
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let file = try folder.write(
      """
      id: moonbase
      name: Moonbase
      kind: http
      base_url: \(server.url)
      rate_limit: 2/1h
      key_env: MOONBASE_KEY
      headers: { x-key: "{key}" }
      quotes:
        get: /now?coin={id}&in={currency}
        fields: { price: $.last }
      """, to: "sources/moonbase.yaml")
    let prices = try Bitpal(provider: .file(file, key: "s3cret"))
    for _ in 0..<3 {
      let answer = try await prices.quotes(["id:comet"], currency: "usd")
      #expect(answer.quotes.first?.price == Decimal(string: "12.5"))
    }
    #expect(server.requests.count == 1, "the memory answers the rest")
    let found = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    #expect(found == ["sources", "sources/moonbase.yaml"])

    // The budget of the file holds in memory, too.
    _ = try await prices.quotes(["id:comet"], currency: "usd", policy: .refresh)
    let answer = try await prices.quotes(["id:nova"], currency: "usd")
    #expect(answer.failures.first?.error.code == .rateLimited)
    #expect(server.requests.count == 2)
  }

  @Test func `A recording is a source, at its own instant`() async throws {
    let prices = try Bitpal(provider: .recording(Self.fixtures + "/market"))
    let answer = try await prices.quotes(["btc"], currency: "usd")
    #expect(answer.quotes.first?.price == Decimal(string: "96841.328675354258"))
    #expect(answer.quotes.first?.freshness == .fresh)
  }

  @Test func `A shipped file is known by its name`() throws {
    let prices = try Bitpal(provider: .shipped("kraken"))
    #expect(prices.descriptors.map(\.id) == ["kraken"])
  }

  @Test func `A source that is missing, or takes no key, is an error that says so`() throws {
    #expect(throws: BitpalError.usage("kraken takes no key: its file has no key_env")) {
      try Bitpal(provider: .shipped("kraken", key: "k"))
    }
    let unknown = #expect(throws: BitpalError.self) { try Bitpal(provider: .file("/nowhere/moonbase.yaml")) }
    #expect(unknown?.code == .configuration)
    #expect(unknown?.message.contains("unknown provider \"moonbase\"") == true)
  }

  @Test(arguments: [nil, "k"]) func `CoinGecko is one call`(key: String?) {
    let prices = Bitpal.coinGecko(key: key)
    #expect(prices.descriptors.map(\.id) == ["coingecko"])
    #expect(prices.descriptors.first?.attribution == "Data provided by CoinGecko")
  }

  private static let fixtures = #filePath.replacing(/Tests.*/, with: "Fixtures")
}
