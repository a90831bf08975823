import BitpalModel
import BitpalService
import Foundation
import Testing

@testable import bitpal

@Suite struct `Decisions of watch` {
  private let down = BitpalError.network(host: "h", reason: "down")

  private func model(_ coins: [String] = ["a", "b"], live: Bool = true, count: Int? = nil) -> WatchModel {
    WatchModel(coins: coins, every: .seconds(30), order: nil, isLive: live, count: count)
  }

  private func quotes(_ prices: (String, String)..., failures: [CoinFailure] = []) throws -> QuotesAnswer {
    QuotesAnswer(
      quotes: try prices.map { Sample.sourced(try Sample.coin($0.0, $0.0, $0.0, $0.1)) }, failures: failures)
  }

  @Test func `It asks at once, and then at a fixed pace however long an answer takes`() throws {
    var model = model()
    #expect(model.handle(.start, at: .seconds(5)) == [.ask, .draw])
    #expect(model.handle(.clock, at: .seconds(6)) == .draw)
    #expect(model.handle(.answer(try quotes(("a", "1"), ("b", "2"))), at: .seconds(8)) == [.draw, .report])
    #expect(model.wake(after: .seconds(8)) == .seconds(9))
    #expect(model.handle(.clock, at: .seconds(34)) == .draw)
    #expect(model.handle(.clock, at: .seconds(35)) == [.ask, .draw])
    #expect(model.handle(.answer(try quotes(("a", "1"))), at: .seconds(75)) == [.draw, .report])
    #expect(model.handle(.clock, at: .seconds(75)) == [.ask, .draw])
  }

  @Test func `Without a screen only the next refresh wakes it`() throws {
    var model = model(live: false)
    _ = model.handle(.start, at: .zero)
    #expect(model.wake(after: .zero) == nil)
    _ = model.handle(.answer(try quotes(("a", "1"))), at: .seconds(1))
    #expect(model.wake(after: .seconds(1)) == .seconds(30))
  }

  @Test func `A changed price is marked for a moment`() throws {
    var model = model()
    _ = model.handle(.start, at: .zero)
    _ = model.handle(.answer(try quotes(("a", "1"), ("b", "2"))), at: .zero)
    #expect(model.direction(of: "a") == nil)
    _ = model.handle(.answer(try quotes(("a", "1.5"), ("b", "2"))), at: .seconds(30))
    #expect(model.direction(of: "a") == .up)
    #expect(model.direction(of: "b") == nil)
    _ = model.handle(.clock, at: .seconds(33))
    #expect(model.direction(of: "a") == .up)
    _ = model.handle(.clock, at: .seconds(34))
    #expect(model.direction(of: "a") == nil)
    _ = model.handle(.answer(try quotes(("b", "1"))), at: .seconds(60))
    #expect(model.direction(of: "b") == .down)
  }

  @Test func `While the source fails the last prices stay, stale, and the waits double`() throws {
    var model = model(["a"])
    _ = model.handle(.start, at: .zero)
    _ = model.handle(.answer(try quotes(("a", "1"))), at: .zero)
    var now = Duration.seconds(30)
    for wait in [30, 60, 120, 240, 480, 600, 600] {
      #expect(model.handle(.clock, at: now).contains(.ask))
      _ = model.handle(.failure(down), at: now)
      #expect(model.nextAsk == now + .seconds(wait))
      now = model.nextAsk
    }
    #expect(model.refreshFailure?.tries == 7)
    let shown = model.shown(at: Sample.instant.addingTimeInterval(90))
    #expect(shown.map(\.value.id) == ["a"])
    #expect(shown.first?.freshness == .stale(age: .seconds(90), because: .sourceFailed("cannot reach h: down")))
    _ = model.handle(.clock, at: now)
    _ = model.handle(.answer(try quotes(("a", "1"))), at: now)
    #expect(model.refreshFailure == nil)
    #expect(model.nextAsk == now + .seconds(30))
    #expect(model.shown(at: Sample.instant).first?.freshness == .fresh)
  }

  @Test func `A wait that the source asks for is respected`() {
    var model = model(["a"])
    _ = model.handle(.start, at: .zero)
    _ = model.handle(.failure(.rateLimited(provider: "p", wait: .seconds(77), reason: "r")), at: .zero)
    #expect(model.nextAsk == .seconds(77))
  }

  @Test func `From the first answer on coins are asked for by id, and those that cannot be answered no more`() throws {
    var model = model(["btc", "nope", "later"])
    _ = model.handle(.start, at: .zero)
    let failures = [
      CoinFailure(coin: "nope", error: .notFound(coin: "nope", provider: "p")),
      CoinFailure(coin: "later", error: .noPrice(coin: "later", provider: "p")),
    ]
    _ = model.handle(.answer(try quotes(("bitcoin", "1"), failures: failures)), at: .zero)
    #expect(model.asked == ["bitcoin", "later"])
    #expect(model.refused.map(\.coin) == ["nope"])
    #expect(model.missing.map(\.coin) == ["later"])
    _ = model.handle(.failure(down), at: .seconds(30))
    #expect(model.asked == ["bitcoin", "later"])
    #expect(model.refused.map(\.coin) == ["nope"])
  }

  @Test func `With nothing left to ask for it ends`() {
    var model = model(["nope"])
    _ = model.handle(.start, at: .zero)
    let failure = CoinFailure(coin: "nope", error: .notFound(coin: "nope", provider: "p"))
    #expect(
      model.handle(.answer(QuotesAnswer(quotes: [], failures: [failure])), at: .zero) == [.draw, .report, .quit])
  }

  @Test func `It ends after as many updates as were wanted`() throws {
    var model = model(["a"], count: 2)
    _ = model.handle(.start, at: .zero)
    #expect(!model.handle(.answer(try quotes(("a", "1"))), at: .zero).contains(.quit))
    _ = model.handle(.clock, at: .seconds(30))
    #expect(model.handle(.failure(down), at: .seconds(30)) == [.draw, .report, .quit])
  }

  @Test func `Keys sort, refresh and quit`() throws {
    var model = model(["a", "b", "c"])
    _ = model.handle(.start, at: .zero)
    #expect(model.handle(.key("r"), at: .zero) == [])
    _ = model.handle(.answer(try quotes(("b", "1"), ("c", "3"), ("a", "2"))), at: .zero)
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
