/// The failure of one provider of a list.
public struct ProviderFailure: Hashable, Sendable {
  /// The provider's id.
  public let provider: String

  /// The error of the provider.
  public let error: BitpalError

  /// Creates a failure.
  public init(provider: String, error: BitpalError) {
    self.provider = provider
    self.error = error
  }
}

extension [ProviderFailure] {
  /// The error of a list of providers that have all failed; nil when none has.
  ///
  /// The reason of each provider is kept. A coin that none of them knows gives one sentence instead of one per
  /// provider.
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

  /// The failures that explain a missing answer to a user: a source that does not have the coin explains nothing where
  /// another one has it, and nothing but the failures of sources explains anything where a source has failed.
  package var decisiveOnes: [ProviderFailure] {
    let others = filter { $0.error.code != .notFound }
    let able = others.filter { $0.error.isOfSource || $0.error.code == .coolingDown }
    let causes = Set((able.isEmpty ? others : able).map(\.provider))
    return causes.isEmpty ? self : filter { causes.contains($0.provider) }
  }

  /// The failure that explains the missing answer best.
  ///
  /// The order of precedence: a limit, a cool-down or a failure of a source, because that source may have the answer; a
  /// coin without a price; a question that a source cannot answer; a coin or currency that a source does not have.
  package var decisive: BitpalError? {
    let cause =
      first { $0.error.isOfSource || $0.error.code == .coolingDown } ?? first { $0.error.has(.staleIfError) }
      ?? first { !$0.error.has(.isLasting) } ?? first
    return cause?.error
  }
}
