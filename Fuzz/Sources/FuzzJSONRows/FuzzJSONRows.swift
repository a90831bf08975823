@testable import BitpalModel
@testable import BitpalNetwork
@testable import BitpalProviders
import FoundationEssentials
public import FuzzDriver

/// Reads any bytes as each of the answers of CoinGecko; what is not one must be an error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let first = start?.pointee else { return 0 }
  // The first byte chooses a status, so that the shapes of complaints are reached too.
  let statuses = [200, 200, 200, 200, 400, 401, 403, 404, 429, 500]
  let response = HTTPResponse(
    status: statuses[Int(first) % statuses.count], headers: [],
    body: Array(UnsafeBufferPointer(start: start, count: count).dropFirst()))
  let window = TimeWindow(ending: Date(timeIntervalSince1970: 1_712_000_000), length: .seconds(86_400))
  let dialect = CoinGeckoDialect()
  let queries: [ProviderQuery] = [
    .quotes(coins: ["bitcoin", "ethereum"], currency: "usd"), .coinList, .detail(coin: "bitcoin", currency: "usd"),
    .line(coin: "bitcoin", currency: "usd", window: window),
    .candles(coin: "bitcoin", currency: "usd", window: window, width: .seconds(1800)),
  ]
  let exchange = HTTPExchange(request: HTTPRequest(url: "https://source.example"), response: response)
  for query in queries { _ = try? dialect.step(after: [exchange], asking: query, round: 0) }
  return 0
}

/// The program's start.
@_cdecl("FuzzJSONRows_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
