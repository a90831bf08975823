/// What a provider says, and what was odd about it.
public struct ProviderAnswer<Value: Sendable>: Sendable {
  /// The answer itself.
  public let value: Value

  /// What was dropped or looked wrong; never a reason to reject the answer.
  public let warnings: [AnswerWarning]

  /// Creates an answer.
  public init(_ value: Value, warnings: [AnswerWarning] = []) {
    self.value = value
    self.warnings = warnings
  }
}

extension ProviderAnswer: Equatable where Value: Equatable {}
