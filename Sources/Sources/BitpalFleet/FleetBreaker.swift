import BitpalModel
import FoundationEssentials

/// The state of the circuit breaker of a server: the beginning of an outage, its last failure and its end.
struct FleetBreaker: Hashable {
  /// The time after a failure in which no process tries again.
  static let pause: Duration = .seconds(3)

  /// The time of the first failed attempt; the server has not answered between it and ``end``.
  let begin: Date

  /// The time of the last failed attempt.
  let last: Date

  /// The failure of that attempt.
  let message: String

  /// The time at which the server answered again; nil while it is away.
  var end: Date?

  /// Returns whether it is too early to try again.
  func isOpen(at now: Date) -> Bool {
    let since = now.since(last)
    // A failure in the future means that the clock was set back.
    return end == nil && since >= .zero && since < Self.pause
  }

  /// The state in the form in which it is stored for the other processes of the machine.
  var text: String { "\(begin.milliseconds) \(last.milliseconds) \(end?.milliseconds ?? 0) \(message)" }

  init(begin: Date, last: Date, message: String) {
    self.begin = begin
    self.last = last
    self.message = message
  }

  /// Reads a state from its ``text``; nil for any other text.
  init?(text: String) {
    let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    let instants = parts.prefix(3).compactMap { Int64($0) }.filter { (0...253_402_300_799_999).contains($0) }
    guard parts.count == 4, instants.count == 3 else { return nil }
    self.init(begin: Date(milliseconds: instants[0]), last: Date(milliseconds: instants[1]), message: String(parts[3]))
    if instants[2] > 0 { end = Date(milliseconds: instants[2]) }
  }
}
