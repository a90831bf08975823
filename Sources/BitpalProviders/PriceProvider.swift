public import BitpalModel

/// A source of quotes, lists, details, lines and candles.
///
/// A provider does not cache, and it does not cut series to the window (it may return more). It reads the time only
/// from the clock that it was given.
public protocol PriceProvider: Sendable {
  /// The provider's names, capabilities and limits.
  var descriptor: ProviderDescriptor { get }

  /// Returns the answer to one query, of the query's own kind.
  ///
  /// A batch of quotes has a quote or a failure for every coin; a query without coins gives an empty batch without a
  /// request. A series covers its window and is cleaned by ``/BitpalModel/SeriesRules``. Candles have the source's
  /// width nearest to the requested one, and the time of their opening.
  ///
  /// - Throws: ``/BitpalModel/BitpalError`` `.unsupported` for a query outside its capabilities, another when there is
  ///   no answer; `CancellationError`.
  func answer(to query: ProviderQuery) async throws -> ProviderAnswer<ProviderReply>

  /// Whether the name is certainly the id of something that it prices, known without a request.
  ///
  /// Such a name is not looked up in a coin list. The default is false.
  func knows(_ name: String) -> Bool
}

extension PriceProvider {
  /// Returns the latest prices of coins, by id.
  ///
  /// - Throws: `BitpalError` when all coins fail because of the source, `CancellationError`.
  public func quotes(_ coins: [String], currency: String) async throws -> ProviderAnswer<QuoteBatch> {
    try await ask(.quotes(coins: coins, currency: currency)) { if case .quotes(let batch) = $0 { batch } else { nil } }
  }

  /// Returns every coin that the source knows.
  ///
  /// - Throws: The errors of ``answer(to:)``.
  public func coinList() async throws -> ProviderAnswer<[CoinListItem]> {
    try await ask(.coinList) { if case .coinList(let items) = $0 { items } else { nil } }
  }

  /// Returns the market figures of one coin.
  ///
  /// - Throws: The errors of ``answer(to:)``.
  public func detail(_ coin: String, currency: String) async throws -> ProviderAnswer<CoinDetail> {
    try await ask(.detail(coin: coin, currency: currency)) { if case .detail(let detail) = $0 { detail } else { nil } }
  }

  /// Returns prices that cover the window.
  ///
  /// - Throws: The errors of ``answer(to:)``.
  public func line(_ coin: String, currency: String, window: TimeWindow) async throws -> ProviderAnswer<LineSeries> {
    try await ask(.line(coin: coin, currency: currency, window: window)) {
      if case .line(let series) = $0 { series } else { nil }
    }
  }

  /// Returns candles that cover the window, of the source's width nearest to the requested one.
  ///
  /// - Throws: The errors of ``answer(to:)``.
  public func candles(
    _ coin: String, currency: String, window: TimeWindow, width: Duration
  ) async throws -> ProviderAnswer<CandleSeries> {
    try await ask(.candles(coin: coin, currency: currency, window: window, width: width)) {
      if case .candles(let series) = $0 { series } else { nil }
    }
  }

  /// Whether the name is certainly an id: false, because no name is known without a request.
  public func knows(_ name: String) -> Bool { false }

  /// Returns the failure of a query outside the provider's capabilities.
  public func unsupported(_ query: ProviderQuery) -> BitpalError {
    .unsupported(query.capability, provider: descriptor.id, others: [])
  }

  /// Sends a query, and returns the value of its answer.
  ///
  /// - Throws: The errors of ``answer(to:)``; `.unreadable` for an answer of another kind than the query, a fault of
  ///   the provider that must not trap.
  private func ask<Value>(
    _ query: ProviderQuery, _ value: (ProviderReply) -> Value?
  ) async throws -> ProviderAnswer<Value> {
    try await answer(to: query).map { reply in
      guard let value = value(reply) else {
        throw BitpalError.unreadable(
          provider: descriptor.id,
          reason: "it answers \(reply.capability.rawValue) to a question about \(query.capability.rawValue)")
      }
      return value
    }
  }
}
