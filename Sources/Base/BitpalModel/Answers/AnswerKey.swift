/// An identifier of one answer: the question and the source that was asked.
public struct AnswerKey: Hashable, Sendable {
  /// The kinds of answers.
  public enum Kind: String, CaseIterable, Sendable {
    /// A coin's quote.
    case quote

    /// A coin's detail.
    case detail

    /// A line.
    case line

    /// Candles.
    case candles

    /// Every coin the source knows.
    case coinList = "coin list"

    /// The knowledge that the source does not have the coin.
    case missing
  }

  /// The provider's cache identity, which differs for another host or another recording.
  public let provider: String

  /// The kind of answer.
  public let kind: Kind

  /// The coin's id; empty for the coin list.
  public let coin: String

  /// The currency, lower case; empty for the coin list.
  public let currency: String

  /// The window and width of a series (`7d`, `7d/4h`), or of a missing series; empty for the other kinds.
  public let range: String

  /// Creates a key.
  public init(provider: String, kind: Kind, coin: String = "", currency: String = "", range: String = "") {
    self.provider = provider
    self.kind = kind
    self.coin = coin
    self.currency = currency
    self.range = range
  }

  /// The key under which the absence of this answer is kept.
  package var ofAbsence: AnswerKey {
    AnswerKey(provider: provider, kind: .missing, coin: coin, currency: currency, range: "\(kind.rawValue) \(range)")
  }
}

extension AnswerKey: CustomStringConvertible {
  /// The key in a form for messages: `quote bitcoin usd`.
  public var description: String {
    ([kind.rawValue] + [coin, currency, range].filter { !$0.isEmpty }).joined(separator: " ")
  }
}
