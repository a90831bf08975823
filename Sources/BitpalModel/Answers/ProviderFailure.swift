/// Why one provider of a list has no answer.
public struct ProviderFailure: Hashable, Sendable {
  /// The provider's id.
  public let provider: String

  /// What went wrong there.
  public let error: BitpalError

  /// Creates a failure.
  public init(provider: String, error: BitpalError) {
    self.provider = provider
    self.error = error
  }
}

extension [ProviderFailure] {
  /// What a list of providers comes to when each of them has failed; nil when none has.
  ///
  /// Of several each one's reason is kept. That none of them knows a coin is one sentence, not one for each.
  package var combined: BitpalError? {
    guard count > 1 else { return first?.error }
    var ids: [String] = []
    for failure in self {
      guard case .notFound = failure.error else { return .allFailed(self) }
      ids.append(failure.provider)
    }
    guard case .notFound(let coin, _, let suggestion)? = first?.error else { return nil }
    return .notFound(coin: coin, provider: ids.joined(separator: " or "), suggestion: suggestion)
  }

  /// The failure that says most about why there is no answer: one to get an answer, rather than that a provider has none.
  package var decisive: BitpalError? { (first { $0.error.has(.oldAnswerStandsIn) } ?? first)?.error }
}
