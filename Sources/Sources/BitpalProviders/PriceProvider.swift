public import BitpalModel

/// A source of quotes, lists, details, lines and candles.
///
/// A provider does not cache, and it does not cut series to the window (it may return more). It reads the time only
/// from the clock that it was given. A whole provider is a type with a descriptor and one function:
///
/// ```swift
/// struct Peg: PriceProvider {
///   let descriptor = ProviderDescriptor(
///     id: "peg", name: "Peg", kind: "peg", capabilities: [.quotes], currencies: ["usd"], cacheIdentity: "peg")
///
///   func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
///     guard case .quotes(let ids, _) = query else { throw unsupported(query) }
///     let coins = try ids.map { try Coin(validating: $0, symbol: $0, name: $0, currentPrice: 1) }
///     return ProviderAnswer(quotes: Dictionary(uniqueKeysWithValues: coins.map { ($0.id, $0) }))
///   }
/// }
/// ```
public protocol PriceProvider: Sendable {
  /// The provider's names, capabilities and limits.
  var descriptor: ProviderDescriptor { get }

  /// Returns the answer to one query, of the query's own kind.
  ///
  /// Each coin of a query for quotes has a quote or a failure; a query without coins gives an empty answer without a
  /// request. A series covers its window and is cleaned by `SeriesRules`. Candles have the source's
  /// width nearest to the requested one, and the time of their opening.
  ///
  /// - Throws: ``/BitpalModel/BitpalError`` `.unsupported` for a query outside its capabilities, another when there is
  ///   no answer; `CancellationError`.
  func answer(to query: ProviderQuery) async throws -> ProviderAnswer

  /// Returns whether the name is certainly the id of something that it prices, known without a request.
  ///
  /// Such a name is not looked up in a coin list. The default is false.
  func knows(_ name: String) -> Bool

  /// Returns the failure of a query about a coin that the provider certainly does not have, known without a request.
  ///
  /// The default is nil.
  func denial(of query: ProviderQuery) -> BitpalError?
}

extension PriceProvider {
  /// Returns whether the name is certainly an id: false, because no name is known without a request.
  public func knows(_ name: String) -> Bool { false }

  /// Returns nil, because no coin is known to be missing without a request.
  public func denial(of query: ProviderQuery) -> BitpalError? { nil }

  /// Returns the failure of a query outside the provider's capabilities.
  public func unsupported(_ query: ProviderQuery) -> BitpalError {
    .unsupported(query.capability, provider: descriptor.id, others: [])
  }

  /// Returns the value of the answer to a query about one coin, or for the coin list.
  ///
  /// - Throws: The errors of ``answer(to:)``; the coin's failure; `.unreadable` for an answer of another kind than the
  ///   query, a fault of the provider that must not trap.
  public func value<Value: AnswerValue>(_ query: ProviderQuery, as type: Value.Type = Value.self) async throws -> Value
  {
    let answer = try await answer(to: query)
    let coin = query.coins.first ?? ""
    if let failure = answer.failures[coin] { throw failure }
    guard let value = answer.answers[coin].flatMap({ Value.value(of: $0) }) else {
      throw BitpalError.unreadable(
        provider: descriptor.id, reason: "it does not answer a question about \(query.capability.rawValue)")
    }
    return value
  }
}
