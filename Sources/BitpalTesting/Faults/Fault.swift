import BitpalModel

/// What a ``FaultyTransport`` does to one request.
public enum Fault: Hashable, Sendable {
  /// Lets it through.
  case pass

  /// Answers with that status, and `Retry-After` where a wait is given.
  case status(Int, retryAfter: Duration? = nil)

  /// Has no connection.
  case unreachable

  /// Lets the time run out.
  case timeout

  /// Lets it through, but the answer is something that is not JSON.
  case garbage

  /// Lets it through, but of the answer only the first half arrives.
  case half

  /// Waits on the test's clock, then lets it through.
  case delay(Duration)
}

extension Fault: CustomStringConvertible {
  /// The word that ``init(_:)`` reads: `ok`, `503`, `429@2s`, `unreachable`, `timeout`, `garbage`, `half`, `wait@2s`.
  public var description: String {
    switch self {
    case .pass: "ok"
    case .status(let status, let wait): "\(status)" + (wait.map { "@\($0.unitText)" } ?? "")
    case .unreachable: "unreachable"
    case .timeout: "timeout"
    case .garbage: "garbage"
    case .half: "half"
    case .delay(let wait): "wait@\(wait.unitText)"
    }
  }

  /// Reads a word of a script; nil when it is none.
  public init?(_ word: some StringProtocol) {
    let parts = String(word).split(separator: Character("@"), maxSplits: 1).map(String.init)
    let wait = parts.count > 1 ? Duration(unitText: parts[1]) : nil
    guard let name = parts.first, parts.count == 1 || wait != nil else { return nil }
    switch (name, wait) {
    case ("ok", nil): self = .pass
    case ("unreachable", nil): self = .unreachable
    case ("timeout", nil): self = .timeout
    case ("garbage", nil): self = .garbage
    case ("half", nil): self = .half
    case ("wait", let wait?): self = .delay(wait)
    default:
      guard let status = Int(name), (100...599).contains(status) else { return nil }
      self = .status(status, retryAfter: wait)
    }
  }
}
