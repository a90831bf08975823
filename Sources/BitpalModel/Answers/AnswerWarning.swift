/// Something odd about an answer that is good enough to use.
public enum AnswerWarning: Hashable, Sendable {
  /// Rows that broke a rule were left out.
  case droppedRows(count: Int, reason: String)

  /// The source's time stamp is this far ahead of our clock.
  case sourceClockAhead(coin: String, by: Duration)
}

extension AnswerWarning: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .droppedRows(let count, let reason):
      "left out \(count) \(count == 1 ? "row" : "rows") of the source: \(reason)"
    case .sourceClockAhead(let coin, let duration):
      "the source's time stamp of \(coin.printable(limit: 80)) is \(duration.shortText) ahead of this machine's clock"
    }
  }
}
