package import BitpalModel
package import BitpalRateLimit
import FoundationEssentials

/// Budgets that the machines of a fleet share: each is one text in Redis, changed there by one script, by the server's time.
///
/// The script keeps to the rules of ``/BitpalRateLimit/RequestBudget``. They could be kept here, by replacing the text if
/// nobody else has in the meantime; but with all of sixty processes asking at once that is too late nearly always.
package struct FleetBudgetStore: BudgetStore {
  /// For how long others may not yet know that the server is there again, what they had begun included.
  private static let grace: Duration = FleetBreaker.pause + .seconds(1)

  package var distance: Duration { .milliseconds(100) }

  private let fleet: Fleet

  /// What the processes of this machine share.
  private let local: BudgetFile
  private let shares = Locked<[String: FleetShare]>([:])

  package init(_ fleet: Fleet, local: BudgetFile) {
    self.fleet = fleet
    self.local = local
  }

  /// What this machine may use of a budget on its own.
  func share(of key: String, _ limits: [RateLimit]) -> FleetShare {
    shares.withLock { shares in
      let share = shares[key] ?? FleetShare(of: key, limits, among: fleet.settings.members, in: local)
      shares[key] = share
      return share
    }
  }

  package func apply(
    _ change: BudgetChange, to key: String, limits: [RateLimit]
  ) throws(BudgetTrouble) -> BudgetReply {
    try apply(change, to: key, limits: limits, onlyWhenWhole: true)
  }

  /// Makes a change though not all that counts may have been counted; what cannot be made is left.
  func tally(_ change: BudgetChange, to key: String, limits: [RateLimit]) {
    _ = try? apply(change, to: key, limits: limits, onlyWhenWhole: false)
  }

  package func failures(of source: String) -> SourceFailures? { local.failures(of: source) }

  package func changeFailures(of source: String, _ change: (SourceFailures?) -> SourceFailures?) {
    local.changeFailures(of: source, change)
  }

  private func apply(
    _ change: BudgetChange, to key: String, limits: [RateLimit], onlyWhenWhole: Bool
  ) throws(BudgetTrouble) -> BudgetReply {
    let share = share(of: key, limits)
    let longest = limits.map(\.window).filter { $0 <= FleetShare.longestKnown }.max() ?? .zero
    let texts = limits.map { "\($0.limit)/\($0.window.wholeMicroseconds)" }
    var likely = ""
    let reply: BudgetReply?
    do throws(FleetFault) {
      reply = try fleet.perform { connection throws(FleetFault) in
        while true {
          let (word, number) = Self.words(change)
          let reply = try connection.run(
            FleetScripts.budget, keys: [fleet.keys.mark, fleet.keys.budget(key)],
            [
              connection.run, Fleet.token(), share.epoch ?? "", texts.joined(separator: ";"), likely,
              "\((Self.grace + longest).wholeMicroseconds)", onlyWhenWhole ? "0" : "1", word, "\(number)",
            ])
          let verdict = try FleetVerdict(reply)
          guard verdict.word == "unknown", likely.isEmpty else {
            let result = try verdict.result(of: change, limits)
            share.learn(epoch: verdict.epoch)
            return result.map { BudgetReply($0, at: .microseconds(verdict.now)) }
          }
          likely = share.likelyUse(of: texts, at: verdict.now)
        }
      }
    } catch {
      throw .away
    }
    guard let reply else { throw .incomplete }
    return reply
  }

  /// What the script calls a change, and its number.
  private static func words(_ change: BudgetChange) -> (word: String, number: Int64) {
    switch change {
    case .take(let patience): ("take", patience.map { max(0, $0.wholeMicroseconds) } ?? -1)
    case .confirm(let place, within: _): ("confirm", place.wholeMicroseconds)
    case .giveBack(let place): ("give", place.wholeMicroseconds)
    case .count: ("count", 0)
    case .block(let pause): ("block", pause.wholeMicroseconds)
    }
  }
}
