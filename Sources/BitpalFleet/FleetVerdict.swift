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

  /// What the change has come to; nil when not all that counts has been counted.
  func result(_ limits: [RateLimit]) -> BudgetReply.Result? {
    var why: RequestBudget.Cause {
      limits.indices.contains(Int(cause) - 1) ? .budget(limits[Int(cause) - 1], used: Int(used)) : .pause
    }
    switch word {
    case "booked" where place > now: return .decision(.bookedLater(.microseconds(place), why))
    case "booked": return .decision(.booked(.microseconds(place)))
    case "refused": return .decision(.refused(wait: place < 0 ? nil : .microseconds(place), why))
    case "usable": return .isUsable(true)
    case "void": return .isUsable(false)
    case "early": return .isUsable(nil)
    case "done": return .done
    default: return nil
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
