import BitpalModel
import Foundation

/// A run over many cases, and what broke in it.
final class TruthRun: Sendable {
  struct Result: Sendable {
    var combinations = 0
    var byDoor: [Door: Int] = [:]
    var violations: [Violation] = []
  }

  let seed: UInt64
  let files: WorldFiles
  private let result = Locked(Result())

  init() async throws {
    seed = Self.seed
    files = try await WorldFiles.shared.value
  }

  /// The seed of the run: `BITPAL_TRUTH_SEED`, otherwise one that does not change.
  static let seed = ProcessInfo.processInfo.environment["BITPAL_TRUTH_SEED"].flatMap { UInt64($0) } ?? 20_261_118

  /// Whether single cases are asked, whose answers are printed.
  private static let isTold = ProcessInfo.processInfo.environment["BITPAL_TRUTH_ONLY"] != nil

  /// Asks groups of cases through their doors, twice as many at once as there are processors.
  func run(_ groups: [[Case]], doors: Set<Door> = Set(Door.allCases)) async throws {
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      // An answer changes threads several times, and waits each time.
      let width = 2 * ProcessInfo.processInfo.activeProcessorCount
      for lane in 0..<width {
        tasks.addTask {
          for index in stride(from: lane, to: groups.count, by: width) {
            // A command reads its settings and opens its files again each time; a third of the groups is asked by it.
            let isCommanded = index % 3 == 0 || groups[index].contains { $0.ask.isOfBooks }
            // A page draws its chart, which takes longer than all else.
            try await self.ask(groups[index], doors: doors.subtracting(isCommanded ? [.page] : [.command]))
          }
        }
      }
      try await tasks.waitForAll()
    }
  }

  /// Asks cases of the built program and of a running server, each with processes of its own.
  func runProgram(_ cases: [Case]) async throws {
    let server = try TruthServer(files.truth)
    defer { server.stop() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<4 {
        group.addTask {
          for index in stride(from: lane, to: cases.count, by: 4) {
            let one = cases[index]
            let oracle = Oracle(truth: self.files.truth, now: WorldFiles.start)
            let isServed = index % 3 != 0 && !one.ask.isOfBooks
            let world = try BinaryWorld(self.files, server, one, number: index)
            let served = one.doors.filter { [.native, .coingecko, .page].contains($0) && one.isFor($0) }
            let replies =
              isServed && !served.isEmpty
              ? try await world.answersOfServe(served) : [(.command, try await world.answerOfCommand())]
            for (door, reply) in replies {
              self.note(one, door, reply, Check(case: one, door: door, reply: reply, oracle: oracle).broken())
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Asks the cases of a group through all their doors, and holds the answers against the oracle and each other.
  private func ask(_ group: [Case], doors: Set<Door>) async throws {
    var replies: [[(door: Door, reply: Reply)]] = group.map { _ in [] }
    for door in Door.allCases where doors.contains(door) {
      let asked = group.indices.filter { group[$0].doors.contains(door) && group[$0].isFor(door) }
      guard let first = asked.first else { continue }
      let world = try TruthWorld(files, group[first])
      let oracle = { Oracle(truth: self.files.truth, now: world.clock.seconds) }
      for (index, reply) in zip(asked, try await world.answers(to: asked.map { group[$0] }, through: door)) {
        replies[index].append((door, reply))
        var broken = Check(case: group[index], door: door, reply: reply, oracle: oracle()).broken()
        // A line of a report is to show what it says by itself.
        if !broken.isEmpty, index != first {
          let alone = try TruthWorld(files, group[index])
          let again = try await alone.answer(through: door)
          let check = Check(case: group[index], door: door, reply: again, oracle: oracle())
          if check.broken().isEmpty {
            broken = broken.map { ($0.0, "after \(group[..<index].map { "\($0.ask) \($0.name)" }): \($0.1)") }
          }
        }
        note(group[index], door, reply, broken)
      }
    }
    for (one, replies) in zip(group, replies) {
      let whole = replies.filter { [.service, .command, .native].contains($0.door) && !$0.reply.figures.isEmpty }
      guard let first = whole.first else { continue }
      for other in whole.dropFirst() where other.reply.differs(from: first.reply) {
        add(
          .doors, one, other.door,
          "\(first.door.rawValue): \(first.reply.summary)\n      \(other.door.rawValue): \(other.reply.summary)")
      }
    }
  }

  private func note(_ one: Case, _ door: Door, _ reply: Reply, _ broken: [(Invariant, String)]) {
    result.withLock { result in
      result.combinations += 1
      result.byDoor[door, default: 0] += 1
    }
    if Self.isTold { print("\(one) by \(door.rawValue): \(reply.summary)\n\(reply.notices)") }
    for (invariant, text) in broken { add(invariant, one, door, text) }
  }

  func add(_ invariant: Invariant, _ one: Case, _ door: Door, _ text: String) {
    let violation = Violation(
      invariant: invariant, finding: Finding.of(invariant, one, door, text),
      line: "\(one) by \(door.rawValue), seed \(seed): \(text)")
    result.withLock { $0.violations.append(violation) }
  }

  /// What came of it.
  var outcome: Result { result.withLock { $0 } }

  /// Counts, and one line for each kind of violation: that of the shortest case.
  func report(examples: Int = 1) -> String {
    let outcome = outcome
    var lines = [
      "seed \(seed): \(outcome.combinations) combinations ("
        + Door.allCases.map { "\($0.rawValue) \(outcome.byDoor[$0] ?? 0)" }.joined(separator: ", ")
        + "), \(outcome.violations.count) broken"
    ]
    for invariant in Invariant.allCases {
      let broken = outcome.violations.filter { $0.invariant == invariant }
      guard !broken.isEmpty else { continue }
      lines.append("\n\(invariant.rawValue): \(broken.count)")
      let findings = Dictionary(grouping: broken, by: \.finding).sorted { $0.value.count > $1.value.count }
      for (finding, violations) in findings {
        lines.append("  \(finding): \(violations.count)")
        for violation in violations.sorted(by: { ($0.line.count, $0.line) < ($1.line.count, $1.line) }).prefix(examples)
        {
          lines.append("    \(violation.line)")
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Case {
  /// Whether a door has the condition.
  func isFor(_ door: Door) -> Bool {
    let isServed = ![.service, .command].contains(door)
    if isServed, condition == .offline || condition == .refresh { return false }
    if condition == .stale {
      if case .history = ask { return false }
      if case .convert(_?) = ask { return false }
      if ask.isOfBooks { return false }
    }
    // In CoinGecko's form a coin's page is in the currency of the settings, and a past close too.
    return true
  }
}

extension Reply {
  /// Whether two doors state different numbers, or one of them says that they are old.
  func differs(from other: Reply) -> Bool {
    let (mine, others) = (
      Dictionary(figures.map { ($0.at(), $0) }) { $1 }, Dictionary(other.figures.map { ($0.at(), $0) }) { $1 }
    )
    let shared = Set(mine.keys).intersection(others.keys)
    guard !shared.isEmpty else { return true }
    return isServedStale != other.isServedStale
      || shared.contains { key in
        guard let left = mine[key], let right = others[key] else { return false }
        return left.value != right.value || left.source != right.source
      }
  }
}

extension Figure {
  /// What it is stated of, without the value.
  func at() -> String { "\(thing) \(currency) \(kind)" }
}

/// The row of the findings that a broken invariant looks like.
enum Finding {
  static func of(_ invariant: Invariant, _ one: Case, _ door: Door, _ text: String) -> String {
    let isServed = [.native, .coingecko, .page].contains(door)
    if isServed, invariant == .source, one.sources.contains(where: { !$0.isOnWeb }) { return "A1" }
    if door == .coingecko, invariant == .answered, text.contains("status 200") { return "A13" }
    if one.name.hasPrefix("fx:"), [.answered, .reason].contains(invariant), !text.contains("is stopped") {
      return "A10"
    }
    if text.contains("[\"refused\"]"), one.sources.contains(.coinbase) { return "A3" }
    if one.ask.isOfBooks, text.hasPrefix("status 2") { return "buy without a close is exit 2, whatever the cause" }
    switch (invariant, one.ask) {
    case (.truth, _) where text.contains("is asked for, and"): return "A2"
    case (_, .between): return "A24"
    case (.answered, .history), (.range, .history), (.source, .history):
      if one.sources.contains(.alphavantage), text.contains("alphavantage has") { return "A23" }
      if case .history(_, _, true) = one.ask, text.contains("yahoo has") { return "A24" }
      return "A4"
    case (.truth, .convert(3327?)): return "A21"
    case (.range, .line): return "A3"
    case (.answered, .line): return "A3"
    case (.requests, _) where text.contains("lacks"): return "A10"
    case (.reason, _) where text.contains("is stopped") || one.condition.stopsFirst: return "A5"
    case (.truth, .history), (.truth, .buy), (.truth, .convert), (.truth, .historyFor), (.truth, .portfolioChart),
      (.truth, .gains),
      (.answered, .buy), (.answered, .convert):
      return "A4"
    case (.truth, .coin), (.doors, .coin): return "A15"
    default: return "?"
    }
  }
}
