package import BitpalModel

/// A source that cannot even be prepared: whatever it is asked, it fails with that, and the next of the list is asked.
package struct UnavailableProvider: PriceProvider {
  /// What its file says of it.
  package let descriptor: ProviderDescriptor

  private let failure: BitpalError

  /// - Parameters:
  ///   - specification: What its file says.
  ///   - failure: Why it cannot be prepared.
  package init(_ specification: ProviderSpecification, failure: BitpalError) {
    descriptor = .unknown(specification, capabilities: Set(Capability.allCases))
    self.failure = failure
  }

  /// The failure.
  package func answer(to query: ProviderQuery) async throws -> ProviderAnswer<ProviderReply> { throw failure }
}
