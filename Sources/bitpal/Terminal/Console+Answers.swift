import BitpalModel
import BitpalService

extension Console {
  /// Warns of what is odd about answers, each thing once: stale ones with age and reason, rows left out.
  func warn<Value>(about answers: [Sourced<Value>], name: (Value) -> String) {
    var stale: [(state: String, names: [String])] = []
    var warnings: [String] = []
    for answer in answers {
      if case .stale(let age, let reason) = answer.freshness {
        let state = "stale, \(age.shortText) old (\(reason))"
        if let index = stale.firstIndex(where: { $0.state == state }) {
          stale[index].names.append(name(answer.value))
        } else {
          stale.append((state, [name(answer.value)]))
        }
      }
      for text in answer.warnings.map(\.description) where !warnings.contains(text) { warnings.append(text) }
    }
    for (state, names) in stale { warning("\(Self.short(names)): \(state)") }
    for text in warnings { warning(text) }
  }

  /// Says why coins have no answer, each cause once.
  func tell(_ failures: [CoinFailure]) {
    var causes: [(error: BitpalError, coins: [String])] = []
    for failure in failures {
      if let index = causes.firstIndex(where: { $0.error == failure.error }) {
        causes[index].coins.append(failure.coin)
      } else {
        causes.append((failure.error, [failure.coin]))
      }
    }
    for (error, coins) in causes { self.failure(error, subject: Self.short(coins)) }
  }

  private static func short(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }
}
