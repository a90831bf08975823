import BitpalModel
import BitpalRateLimit

/// What the script says of a change.
struct FleetVerdict: Hashable, Sendable {
  /// What became of it.
  let word: String

  /// The time of the change, in microseconds.
  let now: Int64

  /// Which start of the server, and which counting, this is.
  let epoch: String

  private let place: Int64
  private let cause: Int64
  private let used: Int64

  init(_ reply: RESPValue) throws(FleetFault) {
    let parts = reply.elements ?? []
    let numbers = parts.dropFirst().prefix(4).compactMap(\.integer)
    let mark = parts.last?.text?.split(separator: " ") ?? []
    guard parts.count == 6, let word = parts[0].text, numbers.count == 4, mark.count == 5,
      numbers.allSatisfy({ (-1...1 << 53).contains($0) })
    else { throw .foreign("does not answer as Redis does") }
    self.word = word
    (now, place, cause, used) = (numbers[0], numbers[1], numbers[2], numbers[3])
    epoch = mark[0...1].joined(separator: " ")
  }

  /// What a change has come to; nil when not all that counts has been counted.
  ///
  /// - Throws: ``FleetFault/foreign(_:)`` for what the script never says to such a change, which might be waited for without
  ///   an end.
  func result(of change: BudgetChange, _ limits: [RateLimit]) throws(FleetFault) -> BudgetReply.Result? {
    var why: RequestBudget.Cause {
      limits.indices.contains(Int(cause) - 1) ? .budget(limits[Int(cause) - 1], used: Int(used)) : .pause
    }
    switch (change, word) {
    case (_, "incomplete"): return nil
    case (.take(let patience), "booked")
    where place >= now && patience.map({ place - now <= max(0, $0.wholeMicroseconds) }) ?? true:
      let instant = Duration.microseconds(place)
      return .decision(place > now ? .bookedLater(instant, why) : .booked(instant))
    case (.take, "refused"): return .decision(.refused(wait: place < 0 ? nil : .microseconds(place), why))
    case (.confirm, "usable"): return .isUsable(true)
    case (.confirm, "void"): return .isUsable(false)
    case (.confirm(let place, let distance), "early") where .microseconds(now) < place - distance: return .isUsable(nil)
    case (.giveBack, "done"), (.count, "done"), (.block, "done"): return .done
    default: throw .foreign("does not answer as Redis does")
    }
  }
}

extension Duration {
  /// Whole microseconds, in which the script counts, as many as it can.
  var wholeMicroseconds: Int64 {
    let (seconds, rest) = components
    return max(-1 << 32, min(1 << 32, seconds)) * 1_000_000 + rest / 1_000_000_000_000
  }
}
