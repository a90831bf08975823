import BitpalModel
import BitpalRateLimit
import FoundationEssentials

/// What a machine may use of a budget while its fleet cannot count together: its share, in the file of this machine.
///
/// What goes by the count of all is counted here too, so that it is known when the server goes. Others may have used
/// everything until then, so in an outage a share begins used up.
struct FleetShare: Sendable {
  /// What this machine remembers of a budget.
  private struct Memory: Hashable {
    /// Which begin of the counting together it knows; nil when it has never counted with others.
    var epoch: String?

    /// The outage that it has taken account of: when that began.
    var outage: String?

    var text: String { "\(epoch ?? "")\n\(outage ?? "")" }

    init(text: String) {
      let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? nil : String($0) }
      (epoch, outage) = (parts.first ?? nil, parts.dropFirst().first ?? nil)
    }
  }

  /// Windows longer than this are not waited for: of those, what is likely used is counted where it is not known.
  static let longestKnown: Duration = .seconds(300)

  /// So long afterwards what others were told before may still go: see ``FleetBudgetStore/distance``.
  private static let underway: Duration = .milliseconds(150)

  /// The name of the budget in the file.
  let key: String

  /// The budgets of this machine.
  let limits: [RateLimit]

  private let members: Int
  private let file: BudgetFile
  private let known = Locked<Memory?>(nil)

  /// - Parameters:
  ///   - key: What all call the budget.
  ///   - limits: The budgets of all.
  ///   - members: How many machines they are for.
  ///   - file: What the processes of this machine share.
  init(of key: String, _ limits: [RateLimit], among members: Int, in file: BudgetFile) {
    self.key = key + " share"
    self.limits = RequestBudget.share(of: limits, among: members)
    self.members = members
    self.file = file
  }

  /// Counts what goes by the count of all.
  func count() {
    _ = try? file.apply(.count, to: key, limits: limits)
  }

  /// What all have likely used of some budgets, by what this machine has: as the script reads it.
  ///
  /// - Parameters:
  ///   - texts: The budgets of all.
  ///   - now: The time of the server, in microseconds.
  func likelyUse(of texts: [String], at now: Int64) -> String {
    let use = try? file.update(key, limits: limits) { budget, time in
      budget.likelyUse(byEachOf: members, at: time, windowsLongerThan: Self.longestKnown)
        .map { slots in
          slots.map { slot in
            let (first, last) = (now - slot.first.wholeMicroseconds, now - slot.last.wholeMicroseconds)
            return "\(max(0, first)) \(max(0, last)) \(slot.count)"
          }.joined(separator: ",")
        }
    }
    return texts.indices.map { index in
      texts[index] + ":" + (use.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? "")
    }.joined(separator: ";")
  }

  // MARK: What others may have used

  /// Which counting together this machine knows; nil when it has never counted with others.
  var epoch: String? {
    known.withLock { known in
      let memory = known ?? Memory(text: file.memo(memo) ?? "")
      known = memory
      return memory.epoch
    }
  }

  private var memo: String { "fleet \(key)" }

  /// Learns which begin of the counting together this is; if it is another one, what was counted until then is forgotten.
  func learn(epoch: String) { learn(epoch, as: \.epoch) }

  /// Learns that the server is away, and since when.
  func learn(outage begin: Date) { learn("\(begin.milliseconds)", as: \.outage) }

  private func learn(_ news: String, as fact: any WritableKeyPath<Memory, String?> & Sendable) {
    known.withLock { known in
      guard known?[keyPath: fact] != news else { return }
      // Another process may have learnt it.
      var memory = Memory(text: file.memo(memo) ?? "")
      if memory[keyPath: fact] != news {
        // Who has never counted with others has nothing to forget, and need not wait.
        if memory.epoch != nil {
          _ = try? file.update(key, limits: limits) {
            $0.useUp(windowsUpTo: Self.longestKnown, at: $1 + Self.underway)
          }
        }
        memory[keyPath: fact] = news
        file.setMemo(memo, memory.text)
      }
      known = memory
    }
  }
}
