import Bitpal
import BitpalCache
import BitpalConformance
import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalTesting
import Testing

@Suite struct `The price list` {
  static let text = """
    bitcoin,btc,Bitcoin,67187.3358936566
    ethereum,eth,Ethereum,3214.47
    """

  @Test func `It does what every provider must`() async throws {
    let sample = ConformanceSample(
      coins: ["bitcoin", "ethereum"], currency: "usd", prices: ["bitcoin": "67187.3358936566"])
    await ProviderConformance(try PriceList(Self.text), sample: sample).expect()
  }

  @Test func `The service finds its coins by symbol, too`() async throws {
    let cache = PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { _ in }
    let service = PriceService(providers: [try PriceList(Self.text)], cache: cache)
    let answer = try await service.quotes(["btc", "ethereum"], currency: "usd")
    #expect(answer.quotes.map(\.value.currentPrice.plainText) == ["67187.3358936566", "3214.47"])
  }

  @Test func `A bad line is reported`() {
    let error = #expect(throws: BitpalError.self) { try PriceList("bitcoin,btc,Bitcoin,67.187,33") }
    #expect(
      error?.message == "price-list sent an answer that cannot be read: \"bitcoin,btc,Bitcoin,67.187,33\" is not a "
        + "number (write it like 1234.56, without separators or signs other than -)")
  }
}

@Suite struct `The price list on the web` {
  @Test func `It does what every provider must`() async throws {
    let sample = ConformanceSample(coins: ["bitcoin", "ethereum"], currency: "usd")
    let url = "https://prices.example/list.csv"
    let provider = OnlinePriceList(url: url, transport: ListServer())
    await ProviderConformance(provider, sample: sample) { transport, _ in
      OnlinePriceList(url: url, transport: transport)
    }.expect()
  }
}

/// Answers every request with the list.
private struct ListServer: Transport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    return HTTPResponse(status: 200, body: Array(`The price list`.text.utf8))
  }
}
