import Bitpal
import BitpalModel
import BitpalQueries
import Foundation
import Testing

@testable import bitpal

@Suite struct `The picture of watch` {
  private func model(_ count: Int, live: Bool = true) throws -> WatchModel {
    var model = WatchModel(every: .seconds(30), order: nil, isLive: live, count: nil)
    let quotes = try (0..<count).map {
      Sample.sourced(try Sample.coin("c\($0)", "s\($0)", "Coin \($0)", "\($0 + 1)", change: "1.5"))
    }
    let refused = CoinFailure(coin: "nope", error: .notFound(coin: "nope", provider: "p"))
    _ = model.handle(Sample.update(quotes, failures: [refused]), at: .zero)
    return model
  }

  private func lines(
    _ model: WatchModel, _ columns: Int, _ rows: Int, still: Bool = false, after age: TimeInterval = 12
  ) -> [String] {
    WatchFrame(
      model: model, currency: "usd", providers: still ? [Sample.fixture] : [], warnings: ["odd\u{1B}"], isStill: still,
      style: .plain
    ).lines(
      TerminalSize(columns: columns, rows: rows), now: Sample.instant.addingTimeInterval(age),
      monotonic: .seconds(Int(age)))
  }

  @Test func `It fills the screen: source, state, table, what is wrong, keys`() throws {
    #expect(
      lines(try model(2), 80, 10) == [
        "fixture · fetched 2025-01-15 10:30:00Z",
        "updated 12s ago · every 30s",
        "",
        "COIN    SYMBOL  PRICE USD        24H  UPDATED",
        "Coin 0  S0              1     +1.50%  2025-01-15 10:30:00Z",
        "Coin 1  S1              2     +1.50%  2025-01-15 10:30:00Z",
        "",
        "nope: no coin \"nope\" at p",
        "odd�",
        "n name  p price  c change  r refresh  q quit",
      ])
  }

  @Test func `A coin without a week is named, with the command that fetches one`() throws {
    var frame = WatchFrame(
      model: try model(2), currency: "usd", providers: [], warnings: [], isStill: false, style: .plain)
    frame.sparklines = Sparklines(["c0", "c1"], ascii: false) { id in
      id == "c0" ? LineSeries(points: [ChartDataPoint(timestamp: Sample.instant, price: 1)]) : nil
    }
    let lines = frame.lines(TerminalSize(columns: 100, rows: 12), now: Sample.instant, monotonic: .zero)
    #expect(lines.contains("no week is cached of c1; \"bitpal price COIN --spark\" fetches it"))
  }

  @Test func `A coin that has no price yet is named with the reason, beside those that have one`() throws {
    let down = BitpalError.network(host: "api.example", reason: "connection refused")
    let quote = Sample.sourced(try Sample.coin("c0", "s0", "Coin 0", "1", change: "1.5"))
    let answer = QuotesAnswer(["c0", "xmr"], ["c0": .success(quote), "xmr": .failure(down)])
    let failure = RefreshFailure(message: down.message, tries: 1)
    var model = WatchModel(every: .seconds(30), order: nil, isLive: true, count: nil)
    _ = model.handle(.update(PriceUpdate(answer: answer, failure: failure, next: .seconds(60))), at: .zero)
    #expect(lines(model, 90, 14).contains("xmr: no price yet: cannot reach api.example: connection refused"))
    #expect(!lines(model, 90, 14).contains { $0.hasPrefix("c0: no price") })
    // Without any answer the names are known all the same.
    let silent = QuotesAnswer(["c0", "xmr"], ["c0": .success(quote)])
    _ = model.handle(.update(PriceUpdate(answer: silent, failure: failure, next: .seconds(90))), at: .seconds(60))
    #expect(model.unpriced == ["xmr"])
  }

  @Test func `A small window has the first rows, and says how many there are more`() throws {
    #expect(
      lines(try model(9), 50, 7) == [
        "fixture · fetched 2025-01-15 10:30:00Z",
        "updated 12s ago · every 30s",
        "",
        "COIN    SYMBOL  PRICE USD        24H",
        "Coin 0  S0              1     +1.50%",
        "… 8 more; a taller window shows them",
        "n name  p price  c change  r refresh  q quit",
      ])
  }

  @Test(arguments: 1...12)
  func `It never has more lines than the screen`(rows: Int) throws {
    #expect(lines(try model(40), 80, rows).count == rows)
  }

  private func failed(_ reason: String, next: Duration) -> WatchModel.Event {
    let error = BitpalError.network(host: "h", reason: reason)
    return Sample.update(
      [], failures: [CoinFailure(coin: "x", error: error)],
      failure: RefreshFailure(message: error.message, tries: 1), next: next)
  }

  @Test func `A failure shows its reason, the age of the prices and the next attempt`() throws {
    var model = try model(1)
    _ = model.handle(failed("no\u{1B}[2J", next: .seconds(60)), at: .seconds(31))
    #expect(lines(model, 80, 8, after: 42)[1] == "next try in 18s · stale, 42s old: cannot reach h: no�[2J")
  }

  @Test func `Before the first answer it shows the request, or the reason for missing prices`() {
    var model = WatchModel(every: .seconds(30), order: .price, isLive: true, count: nil)
    _ = model.handle(.asking, at: .zero)
    #expect(lines(model, 80, 8).prefix(2) == ["asking for prices …", "every 30s · by price · asking …"])
    _ = model.handle(failed("down", next: .seconds(30)), at: .zero)
    #expect(lines(model, 80, 8).prefix(2) == ["no prices yet", "next try in 18s · no prices: cannot reach h: down"])
  }

  @Test func `A recording is shown with the note that nothing will change`() throws {
    #expect(
      lines(try model(1), 80, 8, still: true).prefix(2) == [
        "fixture · recorded 2025-01-15 10:30Z · simulated market", "a recording: nothing will change",
      ])
  }

  @Test func `A change is marked with its direction, whatever the colours`() throws {
    var model = try model(1)
    let dearer = Sample.sourced(try Sample.coin("c0", "s0", "Coin 0", "1.25"))
    _ = model.handle(Sample.update([dearer]), at: .seconds(30))
    #expect(lines(model, 50, 8)[4] == "Coin 0  S0           1.25  ▲    -")
  }
}
