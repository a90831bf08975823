import Bitpal
import BitpalModel
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials
import Testing

@Suite struct `Questions about prices` {
  private static func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test(
    arguments: [
      (
        ["on": "2025-01-14", "from": "2025-01-01"],
        "--on is one day, --from and --to are several; give one or the other"
      ),
      (["to": "2025-01-14"], "--to needs --from; as in --from 2025-01-01 --to 2025-01-14"),
      (["on": "2025-01-14T10:00Z"], "--on: \"2025-01-14T10:00Z\" is not a day; write it like 2025-01-14"),
      (["from": "x"], "--from: \"x\" is not a day; write it like 2025-01-14"),
    ] as [([String: String], String)])
  func `Bad days are refused in the notation of the interface`(values: [String: String], message: String) {
    let query = message.replacing("--from 2025-01-01 --to ", with: "from=2025-01-01&to=").replacing("--", with: "")
    #expect(Self.message { _ = try HistoryQuery(Given(values, .options), missing: .tell) } == message)
    #expect(Self.message { _ = try HistoryQuery(Given(values), missing: .tell) } == query)
  }

  @Test func `Without a day yesterday is meant, and today's close is refused`() async throws {
    let service = try Market.service()
    let query = try HistoryQuery(Given([:]), missing: .tell)
    #expect(!query.hasDays)
    let answer = try await query.answer("bitcoin", by: service, currency: "usd")
    #expect(answer.closes.value.map(\.dateText) == ["2025-01-14"] && answer.missing.isEmpty)
    await #expect(throws: BitpalError.self) {
      try await HistoryQuery(Given(["on": "2025-01-15"]), missing: .tell).answer(
        "bitcoin", by: service, currency: "usd")
    }
  }

  @Test func `Whole days close at the price of the day alone`() async throws {
    let service = try Market.service()
    let days = ["from": "2025-01-05", "to": "2025-01-14"]
    let closes = try await HistoryQuery(Given(days), missing: .tell).answer("bitcoin", by: service, currency: "usd")
    let whole = try await HistoryQuery(Given(days.merging(["ohlc": "true"]) { $1 }), missing: .tell).answer(
      "bitcoin", by: service, currency: "usd")
    #expect(closes.closes.value.count == 10)
    #expect(whole.closes.value.map(\.price) == closes.closes.value.map(\.price))
    #expect(whole.closes.value.allSatisfy { $0.candle?.close == $0.price })
  }

  @Test(
    arguments: [
      (["range": "1W", "from": "2025-01-01"], "range and from contradict each other"),
      (["last": "7d", "range": "1W"], "last contradicts range and from"),
      (["candle": "4h", "type": "line"], "candle and type=line contradict each other"),
      (["type": "pie"], "type: unknown type \"pie\""), (["points": "1"], "points: \"1\" is not a whole number from 2"),
      (["candle": "wide"], "candle: \"wide\" is not a width"), (["to": "2025-01-01"], "to needs from"),
    ] as [([String: String], String)])
  func `A chart whose parameters contradict each other is refused`(values: [String: String], beginning: String) {
    #expect(Self.message { _ = try ChartQuery(Given(values), last: values["last"]) }.hasPrefix(beginning))
  }

  @Test(
    arguments: [
      ([:], .line, "1D"), (["candle": "4h", "range": "1M"], .candle, "1M"), (["type": "candle"], .candle, "1D"),
      (["last": "7d"], .line, "1W"), (["last": "max"], .line, "MAX"), (["last": "5d"], .line, "5d"),
      (["from": "2025-01-01", "to": "2025-01-05"], .line, "2025-01-01 to 2025-01-05"),
    ] as [([String: String], ChartType, String)])
  func `A chart has a type and a range`(values: [String: String], type: ChartType, range: String) async throws {
    let service = try Market.service()
    let question = try ChartQuery(Given(values), last: values["last"]).question(
      QueryDefaults(), currency: "usd", by: service)
    #expect(question.type == type && question.range.name == range && question.insteadOf == nil)
    let series = try await question.answer("btc", by: service)
    #expect(series.type == type && series.coin == "bitcoin" && series.source == "fixture")
    let window = question.range.timeWindow(at: question.now)
    #expect(series.instants.allSatisfy { $0 <= window.end })
  }

  @Test(arguments: ["0s", "59s", "40000d", "soon", "-1d"])
  func `A length that is none, or none that prices have, is refused`(text: String) throws {
    let service = try Market.service()
    let message = Self.message {
      _ = try ChartQuery(Given([:]), last: text).question(QueryDefaults(), currency: "usd", by: service)
    }
    #expect(message.hasPrefix("last: \"\(text)\" is not a length from 1m to 36500d"))
  }

  @Test func `Two names of one coin make one line of a comparison, and an unknown one is a failure`() async throws {
    let service = try Market.service()
    let question = try ChartQuery(Given(["range": "1W"])).question(
      only: .line, QueryDefaults(type: .candle), currency: "usd", by: service)
    let (series, failures) = try await question.comparison(["btc", "bitcoin", "nothing-like-it", "eth"], by: service)
    #expect(series.map(\.coin) == ["bitcoin", "ethereum"])
    #expect(failures.map(\.coin) == ["nothing-like-it"])
  }

  @Test func `A search gives as many as were asked for, and says when there are more`() async throws {
    let service = try Market.service()
    let few = try await SearchQuery("coin", Given(["limit": "1"])).answer(by: service)
    #expect(few.coins.value.count == 1 && few.hasMore && few.suggestion == nil)
    let all = try await SearchQuery("coin", Given([:])).answer(by: service)
    #expect(all.coins.value.first == few.coins.value.first && !all.hasMore)
    let none = try await SearchQuery("bitcoinn", Given([:])).answer(by: service)
    #expect(none.coins.value.isEmpty && none.suggestion == "bitcoin")
    #expect(Self.message { _ = try SearchQuery("x", Given(["limit": "0"], .options)) }.hasPrefix("--limit: \"0\""))
  }

  @Test func `Details of a coin by two names are one`() async throws {
    let service = try Market.service()
    let answer = try await CoinQuery(["btc", "bitcoin", "no-such"], currency: "usd").answer(by: service)
    #expect(answer.details.map(\.value.id) == ["bitcoin"] && answer.failures.map(\.coin) == ["no-such"])
    await #expect(throws: BitpalError.self) { try await CoinQuery(["no-such"], currency: "usd").answer(by: service) }
  }

  @Test func `Every parameter has a name of its own and a help without a full stop`() {
    for parameters in [
      HistoryQuery.parameters + [HistoryQuery.partial], ChartQuery.parameters + [ChartQuery.last, ChartQuery.points],
      TransactionRequest.swapParameters, PortfolioDays.parameters(range: "range"),
    ] + TransactionType.allCases.map({ TransactionRequest.parameters(of: $0) }) {
      #expect(Set(parameters.map(\.name)).count == parameters.count)
      for parameter in parameters { #expect(!parameter.help.hasSuffix(".") && !parameter.help.isEmpty) }
    }
  }
}
