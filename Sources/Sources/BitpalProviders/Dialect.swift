public import BitpalModel
public import BitpalNetwork

/// The pure half of a web provider, which makes requests of queries and answers of responses.
///
/// A dialect never uses the network, a clock or a file, so a recorded response always decodes to the same answer.
/// ``DialectProvider`` makes a provider of it: each query of ``pages(of:)`` is planned, its requests are sent in order,
/// and their responses are given to ``step(after:asking:round:)`` until that has no further request.
///
/// ```swift
/// func plan(_ query: ProviderQuery) throws(BitpalError) -> [HTTPRequest] {
///   query.coins.map { HTTPRequest(url: "https://spot.example/\($0)") }
/// }
///
/// func step(after exchanges: [HTTPExchange], asking query: ProviderQuery, round: Int) throws -> DialectStep {
///   let prices = try exchanges.map { try Decimal(strict: String(decoding: $0.response.body, as: UTF8.self)) }
///   let coins = try zip(query.coins, prices).map { try Coin(validating: $0, symbol: $0, name: $0, currentPrice: $1) }
///   return .answer(ProviderAnswer(quotes: Dictionary(uniqueKeysWithValues: coins.map { ($0.id, $0) })))
/// }
/// ```
public protocol Dialect: Sendable {
  /// The provider's names, capabilities and limits.
  var descriptor: ProviderDescriptor { get }

  /// Returns the queries that together answer one, each of which is planned by itself.
  ///
  /// They are batches of coins, or stretches of a window, oldest first, as long as one answer of the source. The
  /// default is ``batches(of:)``.
  func pages(of query: ProviderQuery) -> [ProviderQuery]

  /// Returns the requests for a page, at least one, in the order in which they are sent.
  ///
  /// - Throws: `BitpalError` when the source cannot be asked that (`.unsupported`, `.planLimit`).
  func plan(_ query: ProviderQuery) throws(BitpalError) -> [HTTPRequest]

  /// Returns the answer, a part of it, or further requests, after all requests so far have been answered.
  ///
  /// - Parameters:
  ///   - exchanges: The exchanges so far for this query, in order; at least one.
  ///   - query: The query.
  ///   - round: The number of times that this function has asked for more; 0 after ``plan(_:)``.
  /// - Throws: `BitpalError`: the source's own failure, or `.unreadable` with the problem and its place.
  func step(after exchanges: [HTTPExchange], asking query: ProviderQuery, round: Int) throws -> DialectStep

  /// Returns the quote of a coin at a point of its line, for a source that has lines and no quotes.
  ///
  /// The default has the coin's id for its names.
  ///
  /// - Throws: `ValidationError` for a point that is not a price.
  func quote(of coin: String, at point: ChartDataPoint) throws -> Coin

  /// The executor on which a blocking dialect is called; nil, the default, for any other dialect.
  var executor: (any TaskExecutor)? { get }
}

/// The next step after the responses to a question.
public enum DialectStep: Sendable {
  /// The answer, or its last page.
  case answer(ProviderAnswer)

  /// A page of the answer, and the request for the next one.
  case page(ProviderAnswer, next: HTTPRequest)

  /// More requests, at least one, that must be answered before anything can be read.
  case ask([HTTPRequest])
}

extension Dialect {
  /// The executor: nil, because the dialect does not block.
  public var executor: (any TaskExecutor)? { nil }

  /// Returns the quote with the coin's id for its names.
  ///
  /// - Throws: `ValidationError` for a point that is not a price.
  public func quote(of coin: String, at point: ChartDataPoint) throws -> Coin {
    try Coin(
      validating: coin, symbol: coin, name: coin, currentPrice: point.price, lastUpdated: point.timestamp)
  }

  /// Returns quotes in ``batches(of:)``, and any other query unchanged.
  public func pages(of query: ProviderQuery) -> [ProviderQuery] { batches(of: query) }

  /// Returns a query of quotes in batches, and any other query unchanged.
  ///
  /// A batch has at most ``ProviderDescriptor/coinsPerRequest`` coins, and a URL of at most
  /// `longestURL` bytes unless it has only one coin.
  public func batches(of query: ProviderQuery) -> [ProviderQuery] {
    guard case .quotes(let coins, let currency) = query else { return [query] }
    var batches: [ProviderQuery] = []
    var rest = coins[...]
    while !rest.isEmpty {
      var count = min(rest.count, max(1, descriptor.coinsPerRequest))
      var batch = ProviderQuery.quotes(coins: Array(rest.prefix(count)), currency: currency)
      while count > 1 {
        // A batch without a possible request is not shortened; it fails alone when it is sent.
        guard let request = try? plan(batch).first, request.url.utf8.count > descriptor.longestURL else { break }
        count -= max(1, count / 8)
        batch = .quotes(coins: Array(rest.prefix(count)), currency: currency)
      }
      batches.append(batch)
      rest = rest.dropFirst(count)
    }
    return batches
  }
}
