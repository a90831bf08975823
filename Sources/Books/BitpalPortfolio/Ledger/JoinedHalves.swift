import BitpalModel
import FoundationEssentials

/// The halves of renamings and splits, of which one alone means nothing.
package enum JoinedHalves {
  /// The longest time from the coins that went to those that replaced them in a renaming.
  private static let longest = Duration.seconds(86_400)

  /// Returns the halves that lack the other one: in a split that of the same coin and time, in a renaming coins that went out before
  /// others came in, within a day.
  package static func lone(among transactions: some Sequence<Transaction>) -> [Transaction] {
    let halves = transactions.filter { $0.label?.movesCost == true }
    if halves.isEmpty { return [] }
    return Dictionary(grouping: halves) { $0.group ?? $0.id.uuidString }.values.filter { !isWhole($0) }.joined()
      .sorted { ($0.instant, $0.id.uuidString) < ($1.instant, $1.id.uuidString) }
  }

  /// Returns the errors of halves that lack the other one, as data files of older versions may have.
  package static func faults(among transactions: some Sequence<Transaction>) -> [PortfolioError] {
    lone(among: transactions).map { .unpaired($0) }
  }

  /// Checks a change.
  ///
  /// - Throws: ``PortfolioError/unpairedRename(_:date:)``, ``PortfolioError/unpairedSplit(_:date:)`` for a half that lacks the other
  ///   one after the change and did not before.
  static func check(
    _ changed: some Sequence<Transaction>, before: some Sequence<Transaction>
  ) throws(PortfolioError) {
    let lone = lone(among: changed)
    if lone.isEmpty { return }
    let known = Set(Self.lone(among: before).map(\.id))
    if let half = lone.first(where: { !known.contains($0.id) }) { throw .unpaired(half) }
  }

  /// Returns the other halves of a transaction, which change and go together with it.
  static func others(of half: Transaction, among transactions: [Transaction]) -> [Transaction] {
    guard let label = half.label, label.movesCost, let group = half.group else { return [] }
    return transactions.filter { $0.label == label && $0.group == group && $0.id != half.id }
  }

  private static func isWhole(_ halves: [Transaction]) -> Bool {
    let (came, went) = (halves.filter(\.type.isIncoming), halves.filter { !$0.type.isIncoming })
    guard let new = came.first, came.count == 1, !went.isEmpty else { return false }
    if new.label == .split {
      return went.count == 1 && went[0].label == .split && went[0].coinId == new.coinId && went[0].date == new.date
    }
    return went.allSatisfy { $0.date <= new.date && new.date.since($0.date) <= longest }
  }
}
