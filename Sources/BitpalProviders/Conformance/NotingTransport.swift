import BitpalModel
import BitpalNetwork

/// Notes what is asked and what comes.
struct NotingTransport: Transport {
  let source: any Transport
  let urls = Locked<[String]>([])
  let bodies = Locked<[[UInt8]]>([])

  /// The most coins that one request named.
  let mostCoins = Locked(0)

  init(_ source: any Transport) { self.source = source }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    urls.withLock { $0.append(request.url) }
    let coins = request.query?.coins.count ?? 0
    mostCoins.withLock { $0 = max($0, coins) }
    let response = try await source.send(request)
    bodies.withLock { $0.append(response.body) }
    return response
  }
}
