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

  /// Returns the probable pairs of which one side is new; each transaction is in one pair at most.
  ///
  /// The received amount is the amount that was sent, or at most two percent less, because some exchanges count the fee of
  /// the network among what they sent.
  package static func pairs(in transactions: [Transaction], new: Set<UUID>) -> [OwnTransfer] {
    let moves = transactions.filter { $0.label == .transfer }
      .map { (at: $0.type == .receive ? $0.date.adding(slack) : $0.date, move: $0) }.sorted { $0.at < $1.at }
    var sent: [String: [Transaction]] = [:]
    var pairs: [OwnTransfer] = []
    for (time, move) in moves {
      guard move.type == .receive else {
        sent[move.coinId, default: []].append(move)
        continue
      }
      var open = (sent[move.coinId] ?? []).filter { time.since($0.date) <= longest + slack }
      let place = open.firstIndex {
        move.amount <= $0.amount && move.amount * 50 >= $0.amount * 49 && (new.contains($0.id) || new.contains(move.id))
      }
      if let place { pairs.append(OwnTransfer(sent: open.remove(at: place), received: move)) }
      sent[move.coinId] = open
    }
    return pairs
  }
}
