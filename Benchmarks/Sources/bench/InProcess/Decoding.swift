import BitpalModel
import BitpalNetwork
import BitpalProviders
import Foundation

/// Bodies to typed rows, beside Foundation's decoder on the same bytes.
struct Decoding {
  private let dialect = CoinGeckoDialect()
  private let decoder = JSONDecoder()

  func table() async throws -> Table {
    let ids = Bodies.ids(250)
    let quotes = HTTPResponse(status: 200, body: Bodies.quotes(ids))
    let end = Date(milliseconds: 1_736_937_000_000)
    let line = HTTPResponse(status: 200, body: Bodies.line(ending: end, every: 300, 3700))
    let window = TimeWindow(ending: end, length: .seconds(3700 * 300))
    return Table(
      "Decoding to typed rows, in process",
      [
        try await row("250 quotes with figures", quotes, [Decoded.Quote].self) {
          _ = try dialect.answer(to: .quotes(coins: ids, currency: "usd"), from: $0)
        },
        try await row("3,700 points", line, Decoded.Line.self) {
          _ = try dialect.answer(to: .line(coin: "x", currency: "usd", window: window), from: $0)
        },
        try await row("17,900-coin list", Self.list(17_900), [Decoded.ListItem].self) {
          _ = try dialect.answer(to: .coinList, from: $0)
        },
      ])
  }

  /// A coin list as it comes.
  static func list(_ count: Int) -> HTTPResponse { HTTPResponse(status: 200, body: Bodies.coinList(count)) }

  private func row(
    _ what: String, _ response: HTTPResponse, _ type: (some Decodable).Type,
    _ decode: @escaping (HTTPResponse) throws -> Void
  ) async throws -> Row {
    let data = Data(response.body)
    let times = try await Measurement.inTurns(
      repeated { try decode(response) }, repeated { _ = try decoder.decode(type, from: data) })
    return .faster(what, times[0], "JSONDecoder", times[1], atLeast: 2)
  }
}

extension Dialect {
  /// Returns the answer of one response to a query.
  func answer(to query: ProviderQuery, from response: HTTPResponse) throws -> ProviderAnswer {
    let exchange = HTTPExchange(request: HTTPRequest(url: "https://source.example"), response: response)
    switch try step(after: [exchange], asking: query, round: 0) {
    case .answer(let answer), .page(let answer, _): return answer
    case .ask: throw BitpalError.noData(question: "\(query)", provider: descriptor.id)
    }
  }
}
