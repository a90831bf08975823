import Foundation
import Testing

/// Every question, of every source and pair, through every door, in every condition, against a table of true prices.
@Suite struct TruthTests {
  /// So many groups are twenty thousand combinations with their cases and doors.
  private static let count = 1750

  /// A tenth of the cases where nothing else is asked for; `make truth-test` asks for all.
  private static var share: Double {
    ProcessInfo.processInfo.environment["BITPAL_TRUTH"].flatMap { Double($0) } ?? 0.1
  }

  @Test func `Every answer in process is true, or says why there is none`() async throws {
    let run = try await TruthRun()
    // BITPAL_TRUTH_ONLY asks the cases of that line alone, of all.
    let only = ProcessInfo.processInfo.environment["BITPAL_TRUTH_ONLY"]
    let groups = Cases.chosen(Int(Double(Self.count) * (only == nil ? Self.share : 1)), seed: run.seed)
    let doors = ProcessInfo.processInfo.environment["BITPAL_TRUTH_DOOR"].flatMap(Door.init(rawValue:)).map { [$0] }
    try await run.run(
      groups.map { $0.filter { one in only.map { "\(one)".contains($0) } ?? true } }, doors: Set(doors ?? Door.allCases)
    )
    let report = run.report(examples: 100)
    if let file = ProcessInfo.processInfo.environment["BITPAL_TRUTH_REPORT"] {
      try report.write(toFile: file, atomically: true, encoding: .utf8)
    }
    print(report.prefix { $0 != "\n" })
    #expect(run.outcome.violations.isEmpty, "\(report)")
  }

  @Test func `Every answer of the program and of its server is true, or says why there is none`() async throws {
    let run = try await TruthRun()
    // The time of the machine cannot be moved, and a plugin asks for more trust than a test has.
    let cases = Cases.chosen(Int(600 * Self.share), seed: run.seed &+ 1).flatMap(\.self).filter {
      $0.condition != .stale && !$0.sources.contains(.plugin) && ($0.condition != .hangs || $0.sources.count == 1)
    }
    try await run.runProgram(Array(cases.prefix(Int(380 * Self.share))))
    let report = run.report(examples: 100)
    if let file = ProcessInfo.processInfo.environment["BITPAL_TRUTH_REPORT"] {
      try report.write(toFile: file + ".program", atomically: true, encoding: .utf8)
    }
    print(report.prefix { $0 != "\n" })
    #expect(run.outcome.violations.isEmpty, "\(report)")
  }
}
