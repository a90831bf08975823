package import BitpalModel

/// A source that cannot even be prepared: whatever it is asked, it fails with that, and the next of the list is asked.
package struct UnavailableProvider: PriceProvider {
  /// The description in its file.
  package let descriptor: ProviderDescriptor

  private let failure: BitpalError

  /// - Parameters:
  ///   - specification: The provider's file.
  ///   - failure: The reason why it cannot be prepared.
  package init(_ specification: ProviderSpecification, failure: BitpalError) {
    descriptor = .unknown(specification, capabilities: Set(Capability.allCases))
    self.failure = failure
  }

  /// The failure.
  package func answer(to query: ProviderQuery) async throws -> ProviderAnswer<ProviderReply> { throw failure }
}
