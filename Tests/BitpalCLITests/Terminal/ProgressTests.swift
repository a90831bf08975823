import BitpalModel
import Testing

@testable import bitpal

@Suite struct `Text of a progress line` {
  private func line(_ events: [(second: Double, event: TraceEvent)], at second: Double) -> String? {
    var model = ProgressModel()
    for (second, event) in events { model.note(event, at: .seconds(second)) }
    return model.line(at: .seconds(second))
  }

  @Test func `Nothing within half a second, then what is asked for`() {
    let asked: [(Double, TraceEvent)] = [
      (1, .cacheMiss(key: "coin list", reason: "not cached")), (1, .request("curl https://x")),
    ]
    #expect(line(asked, at: 1.49) == nil)
    #expect(line(asked, at: 1.5) == "asking for coin list …")
    #expect(line(asked + [(2, .request("curl https://x?page=2"))], at: 2) == "asking for coin list (request 2) …")
  }

  @Test func `A wait for a budget counts down in whole seconds, and ends with the request`() {
    let waits: [(Double, TraceEvent)] = [
      (0, .cacheMiss(key: "quote bitcoin usd", reason: "not cached")),
      (0, .limiterWaited(provider: "coingecko", wait: .seconds(43), reason: "5 of 5 are used")),
    ]
    let words = "5 of 5 are used (Ctrl-C to stop)"
    #expect(line(waits, at: 0.6) == "43 s · \(words)")
    #expect(line(waits, at: 1) == "42 s · \(words)")
    #expect(line(waits, at: 42.9) == "1 s · \(words)")
    #expect(line(waits, at: 43) == "asking for quote bitcoin usd …")
    #expect(line(waits + [(20, .request("curl"))], at: 20) == "asking for quote bitcoin usd …")
  }

  @Test func `Questions that wait at once have one countdown, to the last of them`() {
    var model = ProgressModel()
    func note(_ event: TraceEvent, at second: Double) -> String? {
      model.note(event, at: .seconds(second))
      return model.line(at: .seconds(second))
    }
    func wait(_ seconds: Double) -> TraceEvent {
      .limiterWaited(provider: "coingecko", wait: .seconds(seconds), reason: "5 of 5 are used")
    }
    let words = "5 of 5 are used (Ctrl-C to stop)"
    model.begin(1, of: 5, "asking for charts", at: .zero)
    _ = note(wait(10), at: 0)
    _ = note(wait(20), at: 0)
    #expect(note(wait(10), at: 1) == "19 s · 1 of 5 · \(words)")
    #expect(note(.request("curl"), at: 10) == "10 s · 1 of 5 · \(words)")
    model.begin(2, of: 5, "asking for charts", at: .seconds(10))
    #expect(note(.request("curl"), at: 11) == "9 s · 2 of 5 · \(words)")
    #expect(note(.request("curl"), at: 20) == "2 of 5 · asking for charts (request 2) …")
  }

  @Test func `Another attempt is waited for with its reason, another provider named`() {
    #expect(
      line([(0, .retrying(attempt: 1, wait: .seconds(2), reason: "HTTP 503"))], at: 1)
        == "1 s · HTTP 503 (Ctrl-C to stop)")
    #expect(
      line([(0, .fellBack(provider: "kraken", reason: "cannot reach api.kraken.com"))], at: 1)
        == "kraken is ignored: cannot reach api.kraken.com …")
  }

  @Test func `Instant steps and finished steps are not shown`() {
    #expect(line([(0, .cacheHit(tier: "sqlite", key: "k", age: .zero, timeToLive: .zero))], at: 9) == nil)
    var model = ProgressModel()
    model.begin("reading trades.csv", at: .zero)
    #expect(model.line(at: .seconds(1)) == "reading trades.csv …")
    model.end()
    #expect(model.line(at: .seconds(9)) == nil && !model.isWorking)
  }
}
