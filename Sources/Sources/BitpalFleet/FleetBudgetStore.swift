package import BitpalModel
package import BitpalRateLimit
import FoundationEssentials

/// A store of budgets that the machines of a fleet share: one script in Redis makes each change, by the server's time.
///
/// The script follows the rule of ``/BitpalRateLimit/RequestBudget``. A count that the server has lost is restored from
/// the use that each machine remembers in its ``FleetShare``.
package struct FleetBudgetStore: BudgetStore {
  /// The most attempts of a change, each after a report, while the server keeps losing the budget.
  private static let mostReports = 3

  private let fleet: Fleet

  /// The file that the processes of this machine share.
  private let local: BudgetFile
  private let shares = Locked<[String: FleetShare]>([:])
  private let lastLatency = Locked(Duration.zero)

  package init(_ fleet: Fleet, local: BudgetFile) {
    self.fleet = fleet
    self.local = local
  }

  package var latency: Duration { lastLatency.withLock { $0 } }

  /// Returns the use of a budget by this machine, and its share.
  func share(of key: String, _ limits: [RateLimit]) -> FleetShare {
    shares.withLock { shares in
      let share = shares[key] ?? FleetShare(of: key, limits, among: fleet.settings.members, in: local)
      shares[key] = share
      return share
    }
  }

  package func apply(
    _ change: BudgetChange, to key: String, limits: [RateLimit]
  ) throws(BudgetStoreError) -> BudgetReply {
    let share = share(of: key, limits)
    do throws(FleetFault) {
      return try fleet.perform { connection throws(FleetFault) in
        for _ in 0..<Self.mostReports {
          let start = ContinuousClock.now
          let reply = try run(Self.words(change), key, share, connection)
          if reply.word == "report" {
            share.record(generation: try run(share.report(), key, share, connection).generation)
            continue
          }
          if share.generation == nil { share.record(generation: reply.generation) }
          switch change {
          case .take(let count, _, _, _) where reply.word == "taken": share.count(count)
          case .giveBack(let stamp, let count) where stamp > .zero: share.uncount(count)
          default: break
          }
          let age = ContinuousClock.now - start
          lastLatency.withLock { $0 = age }
          return try reply.reply(to: change, age: age)
        }
        throw .foreign("has lost a value that was stored a moment ago")
      }
    } catch {
      throw .unreachable
    }
  }

  /// Lets the server look at its count, and reports the use of this machine if the count was lost; only when there is
  /// use to report.
  func look(at key: String, _ limits: [RateLimit]) {
    guard fleet.isUp, share(of: key, limits).hasLongUse else { return }
    // No token has this stamp.
    _ = try? apply(.giveBack(.zero), to: key, limits: limits)
  }

  /// Reports to the server the tokens that this machine has used alone in an outage, once.
  func reportOutage(_ outage: FleetBreaker, of key: String, limits: [RateLimit]) {
    let share = share(of: key, limits)
    guard !share.hasReported(outage) else { return }
    let begin = outage.begin
    let reply = try? fleet.perform { connection throws(FleetFault) in
      try run(share.report((begin, fleet.now().since(begin))), key, share, connection)
    }
    if reply != nil { share.record(reported: outage) }
  }

  package func note(_ name: String) -> String? { local.note(name) }

  package func changeNote(_ name: String, _ change: (String?) -> String?) { local.changeNote(name, change) }

  private func run(
    _ words: [String], _ key: String, _ share: FleetShare, _ connection: FleetConnection
  ) throws(FleetFault) -> BudgetScriptReply {
    try BudgetScriptReply(
      try connection.run(
        FleetScripts.budget, keys: [fleet.keys.budget(key), fleet.keys.tokens(key)],
        [connection.run, Fleet.token(), share.generation ?? "", share.names.joined(separator: ";")] + words))
  }

  /// Returns the arguments of the script for a change.
  private static func words(_ change: BudgetChange) -> [String] {
    switch change {
    case .take(let count, let margin, let patience, let hasWaited):
      [
        "take", "\(count)", "\(margin.wholeMicroseconds)", "\(patience.map { max(0, $0.wholeMicroseconds) } ?? -1)",
        hasWaited ? "1" : "0",
      ]
    case .giveBack(let stamp, let count): ["give", "\(stamp.wholeMicroseconds)", "\(count)"]
    case .block(let pause): ["block", "\(pause.wholeMicroseconds)"]
    }
  }
}
