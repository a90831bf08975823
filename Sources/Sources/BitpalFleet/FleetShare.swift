import BitpalModel
import BitpalRateLimit
import FoundationEssentials

/// A machine's own use of a budget, in the file of the machine, and its share while the fleet cannot count together.
///
/// Tokens taken from the server are counted here too, so that the machine can report them when the server has lost them.
struct FleetShare: Sendable {
  /// The facts that a machine remembers of a budget.
  private struct Memory: Hashable {
    /// The name under which the machine reports.
    var name = Fleet.token()

    /// The generation of the server's count; nil when the machine has never counted with others.
    var generation: String?

    /// The begin of the last outage that the share takes account of.
    var outage: String?

    /// The begin of the last outage whose tokens were reported.
    var reported: String?

    var text: String { [name, generation, outage, reported].map { $0 ?? "" }.joined(separator: "\n") }

    init(text: String?) {
      let parts = text?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
      guard parts.count == 4, !parts[0].isEmpty else { return }
      name = parts[0]
      (generation, outage, reported) = (Self.fact(parts[1]), Self.fact(parts[2]), Self.fact(parts[3]))
    }

    private static func fact(_ text: String) -> String? {
      text.isEmpty ? nil : text
    }
  }

  /// The longest window that is waited out after a loss; for longer windows each machine reports its use.
  static let longestWaited: Duration = .seconds(60)

  /// The longest time for which the share of a longer window begins used up, because the server may be back soon.
  private static let patience: Duration = .seconds(10)

  /// The key of the share in the file.
  let key: String

  /// The limits of this machine.
  let limits: [RateLimit]

  /// The limits of all machines as the script names them.
  let names: [String]

  private let members: Int
  private let file: BudgetFile
  private let known = Locked<Memory?>(nil)

  /// Creates a fleet share.
  ///
  /// - Parameters:
  ///   - key: The key of the budget.
  ///   - limits: The limits of all machines together.
  ///   - members: The most machines that keep to them.
  ///   - file: The file that the processes of this machine share.
  init(of key: String, _ limits: [RateLimit], among members: Int, in file: BudgetFile) {
    self.key = key + " share"
    self.limits = RequestBudget.share(of: limits, among: members)
    names = limits.map { "\($0.limit)/\($0.window.wholeMicroseconds)" }
    self.members = members
    self.file = file
  }

  /// Counts tokens that were taken from the server.
  func count(_ tokens: Int) {
    _ = try? file.update(key, limits: limits) { $0.count(tokens, at: $1) }
  }

  /// Removes tokens that were counted and whose request never left.
  func uncount(_ tokens: Int) {
    _ = try? file.update(key, limits: limits) { budget, _ in budget.uncount(tokens) }
  }

  /// Returns the arguments of the script for the tokens that this machine has used under long windows.
  ///
  /// - Parameter outage: The outage in which they were used, and the time since it began; nil for all of them.
  func report(_ outage: (begin: Date, age: Duration)? = nil) -> [String] {
    let longest = outage?.age.wholeMicroseconds ?? .max
    let texts = zip(names, longUse).map { name, tokens in
      ";\(name):" + tokens.filter { $0.age <= longest }.map { "\($0.age) \($0.count)" }.joined(separator: ",")
    }
    let name = memory.name + (outage.map { "@\($0.begin.milliseconds)" } ?? "")
    return ["report", name, "\(members)", outage == nil ? "1" : "0", texts.joined()]
  }

  /// Whether this machine has used tokens of a long window that are not back.
  var hasLongUse: Bool { longUse.contains { !$0.isEmpty } }

  /// The tokens that this machine has used under each window longer than ``longestWaited``.
  private var longUse: [[(age: Int64, count: Int)]] {
    let use = try? file.update(key, limits: limits) { budget, now in
      budget.tokens(windowsLongerThan: Self.longestWaited, at: now)
    }
    return use ?? []
  }

  // MARK: Memory

  /// The generation of the server's count that this machine knows; nil when it has never counted with others.
  var generation: String? { memory.generation }

  private var memory: Memory {
    known.withLock { known in
      if let known { return known }
      // Two processes that start at once must agree on one name for the machine.
      var memory = Memory(text: nil)
      file.changeNote(noteName) { text in
        memory = text.map { Memory(text: $0) } ?? memory
        return memory.text
      }
      known = memory
      return memory
    }
  }

  private var noteName: String { "fleet \(key)" }

  /// Records the generation by which the server counts now.
  func record(generation: String) { record(generation, as: \.generation) }

  /// Records an outage.
  ///
  /// Other machines may have used all tokens before it began, so the share begins used up.
  func record(outage: FleetBreaker) { record("\(outage.begin.milliseconds)", as: \.outage) }

  /// Records that the tokens used in an outage were reported.
  func record(reported outage: FleetBreaker) { record("\(outage.begin.milliseconds)", as: \.reported) }

  /// Returns whether the tokens used in an outage were reported.
  func hasReported(_ outage: FleetBreaker) -> Bool { memory.reported == "\(outage.begin.milliseconds)" }

  private func record(_ news: String, as fact: any WritableKeyPath<Memory, String?> & Sendable) {
    known.withLock { known in
      guard known?[keyPath: fact] != news else { return }
      // Another process may have recorded it.
      var memory = file.note(noteName).map { Memory(text: $0) } ?? known ?? Memory(text: nil)
      if memory[keyPath: fact] != news {
        // A machine that has never counted with others starts with an unused share: they have no common past.
        if fact == \Memory.outage, memory.generation != nil {
          _ = try? file.update(key, limits: limits) { budget, now in
            budget.exhaust { now + min($0, $0 > Self.longestWaited ? Self.patience : Self.longestWaited) }
          }
        }
        memory[keyPath: fact] = news
        file.changeNote(noteName) { _ in memory.text }
      }
      known = memory
    }
  }
}
