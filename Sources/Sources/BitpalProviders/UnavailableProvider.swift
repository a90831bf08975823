package import BitpalModel

/// A provider that cannot be prepared, which answers every query with that failure, so that the next provider is asked.
package struct UnavailableProvider: PriceProvider {
  /// The descriptor that its file gives, with all capabilities.
  package let descriptor: ProviderDescriptor

  private let failure: BitpalError

  /// Creates an unavailable provider.
  ///
  /// - Parameters:
  ///   - specification: The provider's file.
  ///   - failure: The reason why it cannot be prepared.
  package init(_ specification: ProviderSpecification, failure: BitpalError) {
    descriptor = .unknown(specification, capabilities: Set(Capability.allCases))
    self.failure = failure
  }

  /// Throws the failure, for every query.
  ///
  /// - Throws: The reason why the provider cannot be prepared.
  package func answer(to query: ProviderQuery) async throws -> ProviderAnswer { throw failure }
}
