public import BitpalModel

/// A source of quotes, lists, details, lines and candles.
///
/// A provider answers what it is asked and nothing else: it does not cache, and it does not cut series to the window
/// (it may give more). It takes time only from what it was given.
public protocol PriceProvider: Sendable {
  /// The provider's names, capabilities and limits.
  var descriptor: ProviderDescriptor { get }

  /// The answer to one question, of the question's own kind.
  ///
  /// Of quotes every coin asked for is in the batch, as a quote or as a failure; no coins give an empty batch without a
  /// request. A series covers its window and is cleaned by ``/BitpalModel/SeriesRules``; candles are as near to the width
  /// asked for as the source has them, and stamped with their opening time.
  ///
  /// - Throws: ``/BitpalModel/BitpalError`` `.unsupported` for a question that it cannot be asked, another when there is
  ///   no answer, `CancellationError`.
  func answer(to query: ProviderQuery) async throws -> ProviderAnswer<ProviderReply>

  /// Whether the name is, for certain and without asking anybody, the id of something that it prices.
  ///
  /// No coin list then has a say in what it means. False unless a provider says otherwise.
  func knows(_ name: String) -> Bool
}

extension PriceProvider {
  /// The latest prices of coins, by id.
  ///
  /// - Throws: `BitpalError` when nothing at all could be asked, `CancellationError`.
  public func quotes(_ coins: [String], currency: String) async throws -> ProviderAnswer<QuoteBatch> {
    try await ask(.quotes(coins: coins, currency: currency)) { if case .quotes(let batch) = $0 { batch } else { nil } }
  }

  /// Every coin the source knows.
  public func coinList() async throws -> ProviderAnswer<[CoinListItem]> {
    try await ask(.coinList) { if case .coinList(let items) = $0 { items } else { nil } }
  }

  /// The market figures of one coin.
  public func detail(_ coin: String, currency: String) async throws -> ProviderAnswer<CoinDetail> {
    try await ask(.detail(coin: coin, currency: currency)) { if case .detail(let detail) = $0 { detail } else { nil } }
  }

  /// Prices that cover the window.
  public func line(_ coin: String, currency: String, window: TimeWindow) async throws -> ProviderAnswer<LineSeries> {
    try await ask(.line(coin: coin, currency: currency, window: window)) {
      if case .line(let series) = $0 { series } else { nil }
    }
  }

  /// Candles that cover the window.
  public func candles(
    _ coin: String, currency: String, window: TimeWindow, width: Duration
  ) async throws -> ProviderAnswer<CandleSeries> {
    try await ask(.candles(coin: coin, currency: currency, window: window, width: width)) {
      if case .candles(let series) = $0 { series } else { nil }
    }
  }

  /// No name is known without asking.
  public func knows(_ name: String) -> Bool { false }

  /// The failure of a question that the provider cannot be asked.
  public func unsupported(_ query: ProviderQuery) -> BitpalError {
    .unsupported(query.capability, provider: descriptor.id, others: [])
  }

  /// Asks, and takes the answer out of its envelope.
  ///
  /// - Throws: `.unreadable` when it is of another kind than the question: a fault of the provider, which must not
  ///   trap.
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
