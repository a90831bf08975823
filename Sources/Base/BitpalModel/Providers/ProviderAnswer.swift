package import FoundationEssentials

/// The answer of a provider to one ``ProviderQuery``.
///
/// Every coin of the query has an answer or a failure. A missing price is a failure, never zero.
public struct ProviderAnswer: Equatable, Sendable {
  /// The answers by the ids of their coins; that of the coin list has an empty id.
  public var answers: [String: Answer]

  /// The reasons why the other coins of the query have no answer, by id.
  public var failures: [String: BitpalError]

  /// The values that were dropped or looked wrong; never a reason to reject the answer.
  public var warnings: [AnswerWarning]

  /// The provenance of what the provider passes on from another source, by coin; an empty text for the coin list.
  ///
  /// An answer without an origin is the provider's own, fetched now.
  package var origins: [String: AnswerOrigin]

  /// The answers to other questions that came along with quotes, by coin: its market figures, and the line of its last
  /// seven days, without points where the source has none.
  package var extras: [String: [Answer]] = [:]

  /// Creates an answer about several coins.
  ///
  /// - Parameters:
  ///   - answers: The answers by coin id.
  ///   - failures: The failures of the other coins.
  ///   - warnings: The values that were dropped or looked wrong.
  public init(
    _ answers: [String: Answer], failures: [String: BitpalError] = [:], warnings: [AnswerWarning] = []
  ) {
    self.answers = answers
    self.failures = failures
    self.warnings = warnings
    origins = [:]
  }

  /// Creates an answer to a query for quotes.
  ///
  /// - Parameters:
  ///   - quotes: The quotes by coin id.
  ///   - failures: The failures of the other coins.
  ///   - warnings: The values that were dropped or looked wrong.
  public init(
    quotes: [String: Coin], failures: [String: BitpalError] = [:], warnings: [AnswerWarning] = []
  ) {
    self.init(quotes.mapValues { .quote($0) }, failures: failures, warnings: warnings)
  }

  /// Creates an answer about one coin.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - coin: The id of the coin; empty for the coin list.
  ///   - warnings: The values that were dropped or looked wrong.
  public init(_ answer: Answer, about coin: String = "", warnings: [AnswerWarning] = []) {
    self.init([coin: answer], warnings: warnings)
  }

  /// Returns the values of one kind, by coin.
  public func values<Value: AnswerValue>(_ type: Value.Type = Value.self) -> [String: Value] {
    answers.compactMapValues { Value.value(of: $0) }
  }

  /// Returns the answer as one of an earlier time; what another source gave keeps its own.
  package func fetched(at time: Date, from source: String) -> ProviderAnswer {
    var answer = self
    for coin in answers.keys where origins[coin] == nil {
      answer.origins[coin] = AnswerOrigin(source: source, fetchedAt: time)
    }
    return answer
  }

  /// Returns the answer with the provenance of its only coin.
  package func from(_ origin: AnswerOrigin, of coin: String = "") -> ProviderAnswer {
    var answer = self
    answer.origins[coin] = origin
    return answer
  }
}
