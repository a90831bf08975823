package import BitpalModel

/// A provider that could not be prepared, which answers with that failure, so that the next provider is asked.
///
/// A query tries to prepare it again, at most every 5 s, so that a server need not be started again.
package struct UnavailableProvider: PriceProvider {
  /// The descriptor that its file gives, with all capabilities.
  package let descriptor: ProviderDescriptor

  private let make: @Sendable () throws -> any PriceProvider
  private let state: Locked<(outcome: Result<any PriceProvider, any Error>, tried: Duration)>
  private let time: any TimeSource

  /// The shortest time between two attempts.
  private static let pause: Duration = .seconds(5)

  /// Creates an unavailable provider.
  ///
  /// - Parameters:
  ///   - specification: The provider's file.
  ///   - failure: The reason why it could not be prepared.
  ///   - time: The clock of further attempts.
  ///   - make: Prepares the provider.
  package init(
    _ specification: ProviderSpecification, failure: BitpalError, time: any TimeSource,
    make: @escaping @Sendable () throws -> any PriceProvider
  ) {
    state = Locked((.failure(failure), time.monotonic))
    self.time = time
    descriptor = .unknown(specification, capabilities: Set(Capability.allCases))
    self.make = make
  }

  /// Returns the answer of the provider, which is prepared first.
  ///
  /// - Throws: The reason why the provider cannot be prepared; otherwise the failure of the provider.
  package func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
    let outcome = state.withLock { state in
      if case .failure = state.outcome, time.monotonic - state.tried >= Self.pause {
        let outcome = Result { try make() }
        state = (outcome, time.monotonic)
      }
      return state.outcome
    }
    return try await outcome.get().answer(to: query)
  }
}
