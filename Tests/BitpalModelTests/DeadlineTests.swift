import BitpalModel
import BitpalTesting
import Testing

@Suite struct `A deadline` {
  private let time = ManualTime()

  private func deadline(_ limit: Duration?) async -> Duration? {
    await Deadline.within(limit, on: time) { Deadline.current }
  }

  @Test func `Without a deadline, the standard one or the limit applies`() async {
    time.advance(by: .seconds(100))
    #expect(await deadline(nil) == .seconds(115))
    #expect(await deadline(.seconds(60)) == .seconds(160))
    #expect(Deadline.current == nil)
  }

  @Test func `One in force is only ever made nearer`() async {
    time.advance(by: .seconds(100))
    await Deadline.independent(.seconds(5), on: time) {
      #expect(await deadline(nil) == .seconds(105))
      #expect(await deadline(.seconds(60)) == .seconds(105))
      #expect(await deadline(.seconds(2)) == .seconds(102))
    }
  }

  @Test func `One of its own is in force whatever was before`() async {
    await Deadline.independent(.seconds(5), on: time) {
      await Deadline.independent(.seconds(60), on: time) { #expect(Deadline.current == .seconds(60)) }
      #expect(Deadline.current == .seconds(5))
    }
  }

  @Test func `Waiting for a budget moves it on, and waits at the same time count once`() async {
    await Deadline.independent(.seconds(15), patience: .seconds(65), on: time) {
      await Deadline.whileWaiting { until in
        #expect(until == .seconds(65))
        time.advance(by: .seconds(10))
        await Deadline.whileWaiting { until in
          #expect(until == .seconds(65))
          time.advance(by: .seconds(20))
        }
        #expect(Deadline.current == .seconds(45))
      }
      #expect(Deadline.current == .seconds(45))
      await Deadline.within(.seconds(2), on: time) { #expect(Deadline.current == .seconds(32)) }
      #expect(Deadline.allowsWaiting(.seconds(35)) && !Deadline.allowsWaiting(.seconds(36)))
      await Deadline.whileWaiting { until in #expect(until == .seconds(65)) }
    }
  }

  @Test func `Without a patience, budgets are waited for until the deadline, which is not extended`() async {
    await Deadline.independent(.seconds(15), on: time) {
      await Deadline.whileWaiting { until in
        #expect(until == .seconds(15))
        time.advance(by: .seconds(10))
      }
      #expect(Deadline.current == .seconds(15) && !Deadline.allowsWaiting(.seconds(6)))
      await Deadline.withoutWaiting {
        #expect(!Deadline.allowsWaiting(.milliseconds(1)))
        await Deadline.whileWaiting { until in #expect(until == .milliseconds(10_050)) }
      }
    }
    #expect(Deadline.allowsWaiting(.seconds(3600)))
  }
}
