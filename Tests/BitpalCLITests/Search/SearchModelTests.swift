import Bitpal
import BitpalModel
import BitpalQueries
import Testing

@testable import bitpal

@Suite struct `Searching while typing` {
  private static func answer(_ text: String, _ ids: [String]) throws -> SearchAnswer {
    let coins = try ids.map { try CoinListItem(validating: $0, symbol: $0, name: $0.uppercased()) }
    let key = AnswerKey(provider: "fixture", kind: .coinList)
    return SearchAnswer(
      text: text, coins: Sourced(coins, about: key, source: "fixture", fetchedAt: Sample.instant, freshness: .fresh))
  }

  /// A model in which a text was typed, one key every 50 ms, and its effects.
  private static func typed(_ text: String) -> (model: SearchModel, effects: [SearchModel.Effect]) {
    var model = SearchModel(text: "")
    var effects = model.begin(at: .zero)
    for (index, character) in text.enumerated() {
      effects += model.handle(.key(.text(character)), at: .milliseconds(50 * (index + 1)))
    }
    return (model, effects)
  }

  @Test func `Each key looks on this machine, and 300 ms after the last one a source is asked once`() {
    var (model, effects) = Self.typed("doge")
    #expect(effects.filter { $0 != .draw } == [.look("d"), .look("do"), .look("dog"), .look("doge")])
    #expect(model.due == .milliseconds(500))
    #expect(model.handle(.clock, at: .milliseconds(499)) == [])
    #expect(model.handle(.clock, at: .milliseconds(500)) == [.ask("doge")])
    #expect(model.due == nil)
    #expect(model.handle(.clock, at: .seconds(5)) == [])
  }

  @Test func `An answer to an earlier text is ignored`() throws {
    var (model, _) = Self.typed("do")
    #expect(model.handle(.found(.success(try Self.answer("d", ["dash"])), text: "d", isFinal: true), at: .zero) == [])
    #expect(model.answer == nil)
    _ = model.handle(.found(.success(try Self.answer("do", ["dogecoin"])), text: "do", isFinal: false), at: .zero)
    #expect(model.answer?.coins.value.map(\.id) == ["dogecoin"])
  }

  @Test func `Only the failure of a source is shown`() {
    var (model, _) = Self.typed("do")
    let error = BitpalError.timedOut(provider: "moon", limit: .seconds(10))
    _ = model.handle(.found(.failure(error), text: "do", isFinal: false), at: .zero)
    #expect(model.failure == nil)
    _ = model.handle(.found(.failure(error), text: "do", isFinal: true), at: .zero)
    #expect(model.failure == error)
    _ = model.handle(.key(.erase), at: .zero)
    #expect(model.failure == nil)
  }

  @Test func `Enter shows the chosen coin, a adds it, and escape leads back`() throws {
    var (model, _) = Self.typed("do")
    #expect(model.handle(.key(.enter), at: .zero) == [])
    let found = SearchModel.Event.found(
      .success(try Self.answer("do", ["dogecoin", "dodo"])), text: "do", isFinal: true)
    _ = model.handle(found, at: .zero)
    for key in [TerminalKey.down, .down, .down] { #expect(model.handle(.key(key), at: .zero) == [.draw]) }
    #expect(model.choice == 1)
    #expect(model.handle(.key(.enter), at: .zero) == [.draw, .show(id: "dodo")])
    #expect(model.handle(.shown(.success(["late"]), id: "dogecoin"), at: .zero) == [])
    #expect(model.handle(.shown(.success(["DODO"]), id: "dodo"), at: .zero) == [.draw])
    #expect(model.page?.lines == ["DODO"])
    #expect(model.handle(.key(.text("a")), at: .zero) == [.add(id: "dodo")])
    #expect(model.handle(.added("added dodo"), at: .zero) == [.draw])
    #expect(model.page?.note == "added dodo")
    #expect(model.handle(.key(.escape), at: .zero) == [.draw])
    #expect(model.page == nil)
    #expect(model.text == "do")
    #expect(model.handle(.key(.escape), at: .zero) == [.quit])
  }

  @Test func `Without a text nothing is looked for`() throws {
    var (model, _) = Self.typed("d")
    _ = model.handle(.found(.success(try Self.answer("d", ["dash"])), text: "d", isFinal: true), at: .zero)
    #expect(model.handle(.key(.erase), at: .zero) == [.draw])
    #expect(model.answer == nil)
    #expect(model.due == nil)
    #expect(model.handle(.key(.erase), at: .zero) == [])
  }
}
