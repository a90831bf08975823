import BitpalModel
package import FoundationEssentials

/// A transfer out of a portfolio and a later one into it, probably between two accounts of the user.
///
/// The cost and the date of the coins are lost on the way: the second transfer has those that the file or the user states.
package struct OwnTransfer: Sendable {
  package let sent: Transaction
  package let received: Transaction

  /// The longest time on the way.
  private static let longest = Duration.seconds(3 * 86_400)

  /// The time by which the clocks of two exchanges may differ, and by which one of them may write the hour alone.
  private static let slack = Duration.seconds(3600)

  /// A movement of coins out of an account or into one.
  struct Move {
    let coin: String
    let date: Date
    let amount: Decimal
    let isIncoming: Bool
  }

  /// Returns the probable pairs of which one side is new; each transaction is in one pair at most.
  package static func pairs(in transactions: [Transaction], new: Set<UUID>) -> [OwnTransfer] {
    let all = transactions.filter { $0.label == .transfer }
    let moves = all.map {
      Move(coin: $0.coinId, date: $0.date, amount: $0.amount, isIncoming: $0.type == .receive)
    }
    return places(of: moves) { new.contains(all[$0].id) || new.contains(all[$1].id) }
      .map { OwnTransfer(sent: all[$0.sent], received: all[$0.received]) }
  }

  /// Returns the places of the probable pairs; each move is in one pair at most.
  ///
  /// The received amount is the amount that was sent, or at most two percent less, because some exchanges count the fee of
  /// the network among what they sent.
  ///
  /// - Parameter mayPair: Returns whether two moves may be a pair, by the places of what was sent and received.
  static func places(
    of moves: [Move], where mayPair: (Int, Int) -> Bool = { _, _ in true }
  ) -> [(sent: Int, received: Int)] {
    let order = moves.enumerated().map { (at: $1.isIncoming ? $1.date.adding(slack) : $1.date, place: $0, move: $1) }
      .sorted { $0.at < $1.at }
    var sent: [String: [Int]] = [:]
    var pairs: [(sent: Int, received: Int)] = []
    for (time, place, move) in order {
      guard move.isIncoming else {
        sent[move.coin, default: []].append(place)
        continue
      }
      var open = (sent[move.coin] ?? []).filter { time.since(moves[$0].date) <= longest + slack }
      let other = open.firstIndex {
        move.amount <= moves[$0].amount && move.amount * 50 >= moves[$0].amount * 49 && mayPair($0, place)
      }
      if let other { pairs.append((open.remove(at: other), place)) }
      sent[move.coin] = open
    }
    return pairs
  }
}
