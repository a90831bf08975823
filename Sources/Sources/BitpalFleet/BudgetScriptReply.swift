import BitpalModel
import BitpalRateLimit

/// A reply of `budget.lua`.
struct BudgetScriptReply: Hashable, Sendable {
  /// The outcome: `taken`, `refused`, `done`, or `report` when the machine has to report its use first.
  let word: String

  /// The generation of the budget: a start of the server and a token.
  let generation: String

  private let now: Int64
  private let instant: Int64
  private let turn: Int64
  private let cause: RateLimit?
  private let used: Int

  /// Reads a reply.
  ///
  /// - Throws: ``FleetFault/foreign(_:)`` for anything that the script never returns.
  init(_ reply: RESPValue) throws(FleetFault) {
    let parts = reply.elements ?? []
    let numbers = parts.indices.filter { [1, 2, 3, 5].contains($0) }.compactMap { parts[$0].integer }
    guard parts.count == 7, numbers.count == 4, numbers.allSatisfy({ (-1...1 << 53).contains($0) }),
      let word = parts[0].text, let cause = parts[4].text, let generation = parts[6].text
    else { throw Self.foreign }
    (self.word, self.generation) = (word, generation)
    (now, instant, turn, used) = (numbers[0], numbers[1], numbers[2], Int(numbers[3]))
    self.cause = RateLimit(scriptName: cause)
  }

  /// Returns the reply to a change.
  ///
  /// - Parameter age: The longest time since the server made the change.
  /// - Throws: ``FleetFault/foreign(_:)`` for an outcome that such a change never has.
  func reply(to change: BudgetChange, age: Duration) throws(FleetFault) -> BudgetReply {
    let time = Duration.microseconds(now)
    switch (change, word) {
    case (.take, "taken") where instant >= now:
      return BudgetReply(.taken(.microseconds(instant)), at: time, age: age)
    case (.take, "refused") where instant > now && turn >= instant:
      let isPossible = instant - now < Self.never
      let refusal = RequestBudget.Refusal(
        earliest: isPossible ? .microseconds(instant) : nil, turn: .microseconds(isPossible ? turn : now),
        cause: cause.map { .limit($0, used: used) } ?? .pause)
      return BudgetReply(.refused(refusal), at: time, age: age)
    case (.giveBack, "done"), (.block, "done"): return BudgetReply(nil, at: time, age: age)
    default: throw Self.foreign
    }
  }

  /// The distance in microseconds of an instant that the script gives for more tokens than a limit has.
  private static let never: Int64 = 1_000_000_000_000_000

  private static let foreign = FleetFault.foreign("does not answer as Redis does")
}

extension RateLimit {
  /// Reads the name of a limit in `budget.lua`, such as `100/60000000`; nil for any other text.
  init?(scriptName text: some StringProtocol) {
    let numbers = text.split(separator: "/").compactMap { Int64($0) }
    guard numbers.count == 2 else { return nil }
    self.init(limit: Int(numbers[0]), window: .microseconds(numbers[1]))
  }
}
