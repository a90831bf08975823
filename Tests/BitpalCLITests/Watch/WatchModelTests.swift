import Bitpal
import BitpalModel
import BitpalQueries
import Foundation
import Testing

@testable import bitpal

@Suite struct `The screen of watch` {
  private func model(live: Bool = true, count: Int? = nil) -> WatchModel {
    WatchModel(every: .seconds(30), order: nil, isLive: live, count: count)
  }

  private func update(
    _ prices: (String, String)..., failures: [CoinFailure] = [], failure: RefreshFailure? = nil
  ) throws -> WatchModel.Event {
    Sample.update(
      try prices.map { Sample.sourced(try Sample.coin($0.0, $0.0, $0.0, $0.1)) }, failures: failures, failure: failure,
      next: .seconds(30))
  }

  @Test func `A screen is drawn every second, and output without one only when prices come`() throws {
    var live = model()
    #expect(live.handle(.asking, at: .seconds(5)) == .draw)
    #expect(live.isAsking)
    #expect(live.handle(try update(("a", "1"), ("b", "2")), at: .seconds(8)) == [.draw, .report])
    #expect(!live.isAsking)
    #expect(live.wake(after: .seconds(8)) == .seconds(9))
    var printed = model(live: false)
    _ = printed.handle(try update(("a", "1")), at: .seconds(1))
    #expect(printed.wake(after: .seconds(1)) == nil)
  }

  @Test func `A changed price is marked for a moment`() throws {
    var model = model()
    _ = model.handle(try update(("a", "1"), ("b", "2")), at: .zero)
    #expect(model.direction(of: "a") == nil)
    _ = model.handle(try update(("a", "1.5"), ("b", "2")), at: .seconds(30))
    #expect(model.direction(of: "a") == .up)
    #expect(model.direction(of: "b") == nil)
    _ = model.handle(.clock, at: .seconds(33))
    #expect(model.direction(of: "a") == .up)
    _ = model.handle(.clock, at: .seconds(34))
    #expect(model.direction(of: "a") == nil)
    _ = model.handle(try update(("b", "1")), at: .seconds(60))
    #expect(model.direction(of: "b") == .down)
  }

  @Test func `While the source fails the last prices stay, stale`() throws {
    var model = model()
    _ = model.handle(try update(("a", "1")), at: .zero)
    let down = CoinFailure(coin: "a", error: .network(host: "h", reason: "down"))
    _ = model.handle(
      try update(failures: [down], failure: RefreshFailure(message: down.error.message, tries: 7)), at: .seconds(30))
    #expect(model.refreshFailure?.tries == 7)
    let shown = model.shown(at: Sample.instant.addingTimeInterval(90))
    #expect(shown.map(\.value.id) == ["a"])
    #expect(shown.first?.freshness == .stale(age: .seconds(90), because: .sourceFailed("cannot reach h: down")))
    _ = model.handle(try update(("a", "1")), at: .seconds(60))
    #expect(model.refreshFailure == nil && model.nextAsk == .seconds(30))
    #expect(model.shown(at: Sample.instant).first?.freshness == .fresh)
  }

  @Test func `A coin that cannot be answered stays among the failures, another only until it is`() throws {
    var model = model()
    let failures = [
      CoinFailure(coin: "nope", error: .notFound(coin: "nope", provider: "p")),
      CoinFailure(coin: "later", error: .noPrice(coin: "later", provider: "p")),
    ]
    _ = model.handle(try update(("bitcoin", "1"), failures: failures), at: .zero)
    #expect(model.refused.map(\.coin) == ["nope"])
    #expect(model.missing.map(\.coin) == ["later"])
    _ = model.handle(try update(("bitcoin", "1"), ("later", "2")), at: .seconds(30))
    #expect(model.refused.map(\.coin) == ["nope"])
    #expect(model.missing.isEmpty)
  }

  @Test func `It ends after as many updates as were wanted, and when nothing is left to ask for`() throws {
    var model = model(count: 2)
    #expect(!model.handle(try update(("a", "1")), at: .zero).contains(.quit))
    #expect(model.handle(try update(("a", "1")), at: .seconds(30)) == [.draw, .report, .quit])
    #expect(model.handle(.over, at: .seconds(30)) == .quit)
  }

  @Test func `Keys sort, refresh and quit`() throws {
    var model = model()
    _ = model.handle(.asking, at: .zero)
    #expect(model.handle(.key("r"), at: .zero) == [])
    _ = model.handle(try update(("b", "1"), ("c", "3"), ("a", "2")), at: .zero)
    func ids() -> [String] { model.shown(at: Sample.instant).map(\.value.id) }
    #expect(ids() == ["b", "c", "a"])
    #expect(model.handle(.key("n"), at: .zero) == .draw)
    #expect(ids() == ["a", "b", "c"])
    #expect(model.handle(.key("p"), at: .zero) == .draw)
    #expect(ids() == ["c", "a", "b"])
    #expect(model.handle(.key("c"), at: .zero) == .draw)
    #expect(model.order == .change)
    #expect(model.handle(.key("x"), at: .zero) == [])
    #expect(model.handle(.key("r"), at: .seconds(1)) == [.ask, .draw])
    #expect(model.handle(.key("q"), at: .seconds(1)) == .quit)
  }
}
