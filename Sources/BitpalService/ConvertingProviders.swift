package import BitpalModel
package import BitpalProviders

/// Those who are asked what currencies cost, made when one is first needed: most answers need none.
package final class ConvertingProviders: Sendable {
  private let make: @Sendable () -> Result<[any PriceProvider], BitpalError>
  private let made = Locked<Result<[any PriceProvider], BitpalError>?>(nil)

  /// - Parameter make: In order of fallback.
  package init(_ make: @escaping @Sendable () -> Result<[any PriceProvider], BitpalError>) {
    self.make = make
  }

  /// All of them, in order of fallback.
  ///
  /// - Throws: What is wrong with the file of one.
  func all() throws(BitpalError) -> [any PriceProvider] {
    try made.withLock { made in
      let result = made ?? make()
      made = result
      return result
    }.get()
  }

  /// Whether nobody is asked; false where somebody should be and cannot.
  var isNone: Bool {
    do throws(BitpalError) { return try all().isEmpty } catch { return false }
  }

  /// Those that have been made.
  var atHand: [any PriceProvider] { made.withLock { (try? $0?.get()) ?? [] } }
}
