public import BitpalModel
public import BitpalNetwork

/// The pure half of a web provider: a question becomes a request, a response becomes an answer.
///
/// A dialect never touches the network, a clock or a file, so a recorded response decodes the same for ever. One query is
/// one request; ``HTTPProvider`` splits quotes of many coins into queries of at most `coinsPerRequest`. Whatever a
/// reading method throws is a `BitpalError`: the source's own failure, or `.unreadable` saying what is wrong where.
public protocol Dialect: Sendable {
  /// What the provider is and can do.
  var descriptor: ProviderDescriptor { get }

  /// The request that asks the question.
  ///
  /// - Throws: `BitpalError` when the source cannot be asked that (`.unsupported`, `.planLimit`).
  func request(for query: ProviderQuery) throws(BitpalError) -> HTTPRequest

  /// The queries that together answer one of candles whose source gives only so many at a time, oldest first.
  func pages(of query: ProviderQuery) -> [ProviderQuery]

  /// Reads quotes. `coins` and `currency` are those of the request; each coin ends up as a quote or a failure.
  func quotes(
    _ coins: [String], currency: String, from response: HTTPResponse
  ) throws -> ProviderAnswer<QuoteBatch>

  /// Reads the coin list.
  func coinList(from response: HTTPResponse) throws -> ProviderAnswer<[CoinListItem]>

  /// Reads a coin's detail.
  func detail(
    _ coin: String, currency: String, from response: HTTPResponse
  ) throws -> ProviderAnswer<CoinDetail>

  /// Reads a line; the window is that of the request.
  func line(
    _ coin: String, currency: String, window: TimeWindow, from response: HTTPResponse
  ) throws -> ProviderAnswer<LineSeries>

  /// Reads candles; window and width are those of the request.
  func candles(
    _ coin: String, currency: String, window: TimeWindow, width: Duration, from response: HTTPResponse
  ) throws -> ProviderAnswer<CandleSeries>
}

extension Dialect {
  /// The query as it is.
  public func pages(of query: ProviderQuery) -> [ProviderQuery] { [query] }
}
