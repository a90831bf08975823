import BitpalModel
import BitpalTesting
import Testing

@Suite struct `A deadline` {
  private let time = ManualTime()

  private func deadline(_ limit: Duration?) async -> Duration? {
    await Deadline.within(limit, on: time) { Deadline.current }
  }

  @Test func `Where nobody has set one it is the standard one, or the limit`() async {
    time.advance(by: .seconds(100))
    #expect(await deadline(nil) == .seconds(115))
    #expect(await deadline(.seconds(60)) == .seconds(160))
    #expect(Deadline.current == nil)
  }

  @Test func `One in force is only ever made nearer`() async {
    time.advance(by: .seconds(100))
    await Deadline.$current.withValue(.seconds(105)) {
      #expect(await deadline(nil) == .seconds(105))
      #expect(await deadline(.seconds(60)) == .seconds(105))
      #expect(await deadline(.seconds(2)) == .seconds(102))
    }
  }
}
