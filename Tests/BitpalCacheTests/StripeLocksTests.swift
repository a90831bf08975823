import BitpalCache
import BitpalModel
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Locks between processes` {
  private let folder: TemporaryFolder
  private let time = ManualTime()
  private let told = Notes<String>()

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Each has descriptors of its own, as each process would.
  private func locks() -> StripeLocks {
    let told = told
    return StripeLocks(cachePath: folder.path + "/below/cache.db", time: time) { told.add($0) }
  }

  private func keys(_ coins: String...) -> [AnswerKey] {
    coins.map { AnswerKey(provider: "p", kind: .quote, coin: $0, currency: "usd") }
  }

  @Test func `are made in a folder that is not there yet`() async throws {
    #expect(try await locks().lock(keys("a"), patience: .zero) != nil)
  }

  @Test func `are held by one, and free when that one lets go`() async throws {
    var hold = try await locks().lock(keys("a", "b"), patience: .zero)
    #expect(hold != nil)
    #expect(try await locks().lock(keys("b", "c"), patience: .zero) == nil)
    hold = nil
    #expect(try await locks().lock(keys("b", "c"), patience: .zero) != nil)
  }

  @Test func `are waited for up to the patience, and the process that holds them is named, once`() async throws {
    let hold = try await locks().lock(keys("a"), patience: .zero)
    time.autoAdvance()
    let other = locks()
    #expect(try await other.lock(keys("a"), patience: .seconds(7)) == nil)
    #expect(try await other.lock(keys("a"), patience: .seconds(7)) == nil)
    #expect(time.monotonic >= .seconds(14) && time.monotonic < .seconds(15))
    let process = ProcessInfo.processInfo.processIdentifier
    #expect(
      told.all == [
        "process \(process) has asked for the same for more than 7s without an answer and is not waited for any longer; "
          + "if it is stopped: kill -CONT \(process)"
      ])
    withExtendedLifetime(hold) {}
  }

  @Test func `take one descriptor for any number of keys`() async throws {
    let many = (0..<500).flatMap { keys("coin-\($0)") }
    let hold = try await locks().lock(many, patience: .zero)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }
    #expect(open.filter { $0 == folder.path + "/below/cache.db.lock" }.count == 1)
    withExtendedLifetime(hold) {}
  }
}
