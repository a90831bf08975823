public import BitpalModel

/// A source of quotes, lists, details, lines and candles.
///
/// A provider answers what it is asked and nothing else: it does not cache, and it does not cut series to the window
/// (it may give more). It takes time only from what it was given. Whatever it cannot do throws
/// ``/BitpalModel/BitpalError`` `.unsupported`, which the default implementations do.
public protocol PriceProvider: Sendable {
  /// What the provider is and can do.
  var descriptor: ProviderDescriptor { get }

  /// The latest prices of coins, by id.
  ///
  /// Every coin asked for is in the batch, as a quote or as a failure. No coins give an empty batch without a request.
  ///
  /// - Throws: `BitpalError` when nothing at all could be asked, `CancellationError`.
  func quotes(_ coins: [String], currency: String) async throws -> ProviderAnswer<QuoteBatch>

  /// Every coin the source knows.
  func coinList() async throws -> ProviderAnswer<[CoinListItem]>

  /// The market figures of one coin.
  func detail(_ coin: String, currency: String) async throws -> ProviderAnswer<CoinDetail>

  /// Prices that cover the window, cleaned by ``/BitpalModel/SeriesRules``.
  func line(_ coin: String, currency: String, window: TimeWindow) async throws -> ProviderAnswer<LineSeries>

  /// Candles that cover the window, as near to `width` as the source has them, stamped with their opening time.
  func candles(
    _ coin: String, currency: String, window: TimeWindow, width: Duration
  ) async throws -> ProviderAnswer<CandleSeries>
}

extension PriceProvider {
  /// Throws `.unsupported`.
  public func quotes(_ coins: [String], currency: String) async throws -> ProviderAnswer<QuoteBatch> {
    throw unsupported(.quotes)
  }

  /// Throws `.unsupported`.
  public func coinList() async throws -> ProviderAnswer<[CoinListItem]> {
    throw unsupported(.coinList)
  }

  /// Throws `.unsupported`.
  public func detail(_ coin: String, currency: String) async throws -> ProviderAnswer<CoinDetail> {
    throw unsupported(.detail)
  }

  /// Throws `.unsupported`.
  public func line(_ coin: String, currency: String, window: TimeWindow) async throws -> ProviderAnswer<LineSeries> {
    throw unsupported(.line)
  }

  /// Throws `.unsupported`.
  public func candles(
    _ coin: String, currency: String, window: TimeWindow, width: Duration
  ) async throws -> ProviderAnswer<CandleSeries> {
    throw unsupported(.candles)
  }

  private func unsupported(_ capability: Capability) -> BitpalError {
    .unsupported(capability, provider: descriptor.id, others: [])
  }
}
