import BitpalModel
import Foundation
import LoopbackServer

/// CoinGecko's `/coins/markets` in its wire format, until the test says otherwise.
final class MarketServer: Sendable {
  private let answer: Locked<ServerReply?>
  private let arrivals: Arrivals
  private let server: LoopbackServer

  /// Starts a server; with an answer it gives that one to everybody.
  init(_ answer: ServerReply? = nil) throws {
    let current = Locked(answer)
    let arrivals = Arrivals()
    self.answer = current
    self.arrivals = arrivals
    server = try LoopbackServer { request in
      defer { arrivals.add() }
      return current.withLock { $0 } ?? .ok(json: Self.markets(request))
    }
  }

  deinit { server.stop() }

  var url: String { server.url }

  var requests: [Request] { server.requests }

  /// Answers like this from now on; nil for prices again.
  func turn(_ answer: ServerReply?) { self.answer.withLock { $0 = answer } }

  /// Returns once that many requests have arrived.
  func waitForRequests(_ count: Int) { arrivals.wait(for: count) }

  /// The coins that a request asks for.
  static func coins(_ request: Request) -> [String] {
    let items = URLComponents(string: request.target)?.queryItems ?? []
    return (items.first { $0.name == "ids" }?.value ?? "").split(separator: ",").map(String.init)
  }

  /// A row for each coin that is asked for.
  static func markets(_ request: Request) -> String {
    let rows = coins(request).map { id in
      """
      {"id":"\(id)","symbol":"\(id.prefix(3))","name":"\(id.capitalized)","current_price":67187.3358936566,\
      "price_change_percentage_24h":3.12502,"market_cap":12500,"last_updated":"\(Date().iso8601)",\
      "sparkline_in_7d":{"price":[\((1...168).map(String.init).joined(separator: ","))]}}
      """
    }
    return "[" + rows.joined(separator: ",") + "]"
  }
}
