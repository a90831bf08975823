package import BitpalModel
package import BitpalProviders

/// The providers of exchange rates, created at the first use because most answers need none.
package final class ConvertingProviders: Sendable {
  private let make: @Sendable () -> Result<[any PriceProvider], BitpalError>
  private let state = Locked(State())

  private struct State {
    var made: Result<[any PriceProvider], BitpalError>?
  }

  /// Creates a list that is made at the first use.
  ///
  /// - Parameter make: Makes the providers in order of fallback; it runs once.
  package init(_ make: @escaping @Sendable () -> Result<[any PriceProvider], BitpalError>) {
    self.make = make
  }

  /// Returns all providers, in order of fallback.
  ///
  /// - Throws: `BitpalError` when the file of one is bad.
  func all() throws(BitpalError) -> [any PriceProvider] {
    try state.withLock { state in
      let result = state.made ?? make()
      state.made = result
      return result
    }.get()
  }

  /// Whether the list is empty; false when the list has a failure, so that the failure is reported.
  var isNone: Bool {
    do throws(BitpalError) { return try all().isEmpty } catch { return false }
  }

  /// The providers that have been made so far; empty before the first use and after a failure.
  var cached: [any PriceProvider] { state.withLock { (try? $0.made?.get()) ?? [] } }
}
