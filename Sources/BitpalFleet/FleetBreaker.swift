import BitpalModel
import FoundationEssentials

/// Whether a server that was away is tried again, and since when it has been away.
struct FleetBreaker: Hashable {
  /// For so long nobody tries again.
  static let pause: Duration = .seconds(3)

  /// When it was first tried in vain; it has not answered since.
  let begin: Date

  /// When it was last tried in vain.
  let last: Date

  /// What was wrong then.
  let words: String

  /// The instant at which it answered again; nil while it is away.
  var end: Date?

  /// Whether it is too early to try again.
  func isOpen(at now: Date) -> Bool {
    let since = now.since(last)
    // A failure in the future means that the clock was set back.
    return end == nil && since >= .zero && since < Self.pause
  }

  /// The state as it is kept for the other processes of the machine.
  var text: String { "\(begin.milliseconds) \(last.milliseconds) \(end?.milliseconds ?? 0) \(words)" }

  init(begin: Date, last: Date, words: String) {
    self.begin = begin
    self.last = last
    self.words = words
  }

  /// Reads what ``text`` has written; nil for anything else.
  init?(text: String) {
    let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    let instants = parts.prefix(3).compactMap { Int64($0) }.filter { (0...253_402_300_799_999).contains($0) }
    guard parts.count == 4, instants.count == 3 else { return nil }
    self.init(begin: Date(milliseconds: instants[0]), last: Date(milliseconds: instants[1]), words: String(parts[3]))
    if instants[2] > 0 { end = Date(milliseconds: instants[2]) }
  }
}
