import BitpalModel
import FoundationEssentials

/// Whether a server that was away is tried again, and since when it has been away.
struct FleetBreaker: Hashable {
  /// For so long nobody tries again.
  static let pause: Duration = .seconds(5)

  /// When it was first tried in vain; it has not answered since.
  let begin: Date

  /// When it was last tried in vain.
  let last: Date

  /// What was wrong then.
  let words: String

  /// Whether it is too early to try again.
  func isOpen(at now: Date) -> Bool {
    let since = now.since(last)
    // A failure in the future means that the clock was set back.
    return since >= .zero && since < Self.pause
  }

  /// The state as it is kept for the other processes of the machine.
  var text: String { "\(begin.milliseconds) \(last.milliseconds) \(words)" }

  init(begin: Date, last: Date, words: String) {
    self.begin = begin
    self.last = last
    self.words = words
  }

  /// Reads what ``text`` has written; nil for anything else.
  init?(text: String) {
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    let instants = parts.prefix(2).compactMap { Int64($0) }.filter { (0...253_402_300_799_999).contains($0) }
    guard parts.count == 3, instants.count == 2 else { return nil }
    self.init(begin: Date(milliseconds: instants[0]), last: Date(milliseconds: instants[1]), words: String(parts[2]))
  }
}
