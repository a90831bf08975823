import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import ProviderFiles
import TestSupport
import Testing

@Suite struct `Candles that come in pieces` {
  /// Answers with a candle for each day asked for, newest first; nothing before a first day.
  private struct Days: Transport {
    let requests = Notes<String>()
    var first: Int64 = 0

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      requests.add(request.url)
      let numbers = request.url.split(separator: "?").last?.split(separator: "-").compactMap { Int64($0) } ?? []
      guard let from = numbers.first, let to = numbers.last else { return HTTPResponse(status: 400) }
      let days = (from / 86_400...to / 86_400).filter { $0 * 86_400 >= from && $0 >= first }.reversed()
      let rows = days.map { "[\($0 * 86_400),1,3,0.5,2]" }
      return HTTPResponse(status: 200, body: Array("[\(rows.joined(separator: ","))]".utf8))
    }
  }

  private static let file = """
    candles:
      get: /d?{from}-{to}
      intervals: { 1d: d }
      limit: 30
      time: seconds
      each: $
      fields: { time: "$[0]", open: "$[1]", high: "$[2]", low: "$[3]", close: "$[4]" }
    """

  private func candles(_ transport: Days) async throws -> CandleSeries {
    let provider = DialectProvider(dialect: try Declared(Self.file).dialect(), transport: transport, time: ManualTime())
    let window = Declared.window(.seconds(70 * 86_400))
    return try await provider.candles("b", currency: "usd", window: window, width: .seconds(86_400)).value
  }

  @Test func `They are joined without a gap, each once`() async throws {
    let transport = Days()
    let series = try await candles(transport)
    #expect(transport.requests.all.count == 3)
    #expect(series.candles.count == 71)
    let steps = zip(series.candles, series.candles.dropFirst()).map { $1.timestamp.since($0.timestamp) }
    #expect(steps.allSatisfy { $0 == .seconds(86_400) })
    #expect(series.candles.last?.timestamp.iso8601 == "2025-01-15T00:00:00Z")
  }

  @Test func `A piece from before the coin was traded is empty, and that is all`() async throws {
    let today = Declared.now.milliseconds / 86_400_000
    #expect(try await candles(Days(first: today - 4)).candles.count == 5)
    let question = BitpalError.noData(question: "candles of b", provider: "mine")
    await #expect(throws: question) { try await candles(Days(first: today + 1)) }
  }
}
