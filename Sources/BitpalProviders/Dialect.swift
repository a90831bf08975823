public import BitpalModel
public import BitpalNetwork

/// The pure half of a web provider, which makes requests of queries and answers of responses.
///
/// A dialect never uses the network, a clock or a file, so a recorded response always decodes to the same answer. Each
/// query of ``pages(of:)`` is one request, followed by those of ``next(after:asking:said:)``. A dialect that reads
/// responses together plans several with ``requests(for:)``, and ends with ``step(after:asking:round:)``.
/// ``DialectProvider`` makes a provider of it.
public protocol Dialect: Sendable {
  /// The provider's names, capabilities and limits.
  var descriptor: ProviderDescriptor { get }

  /// Returns the queries that together answer one, each of which is a request.
  ///
  /// They are batches of coins, or stretches of a window, oldest first, as long as one answer of the source.
  func pages(of query: ProviderQuery) -> [ProviderQuery]

  /// Returns the request for a page.
  ///
  /// - Throws: `BitpalError` when the source cannot be asked that (`.unsupported`, `.planLimit`).
  func request(for query: ProviderQuery) throws(BitpalError) -> HTTPRequest

  /// Whether the responses to a query are read together, after all of ``requests(for:)`` have been sent; otherwise
  /// each is read by itself.
  var readsTogether: Bool { get }

  /// Returns the requests for a page, in the order in which they are sent.
  ///
  /// - Throws: The errors of ``request(for:)``.
  func requests(for query: ProviderQuery) throws(BitpalError) -> [HTTPRequest]

  /// Returns the next step after some requests have been answered.
  ///
  /// - Parameters:
  ///   - exchanges: The exchanges so far for this query, in order; at least one.
  ///   - query: The query.
  ///   - round: The number of times that more requests were needed because of an answer; 0 after ``requests(for:)``.
  /// - Throws: `BitpalError`: the source's own failure, or `.unreadable` with the problem and its place.
  func step(after exchanges: [HTTPExchange], asking query: ProviderQuery, round: Int) throws -> DialectStep

  /// The executor on which a blocking dialect is called; nil for any other dialect.
  var executor: (any TaskExecutor)? { get }

  /// Returns the request for the page after a response; nil after the last page.
  ///
  /// - Parameters:
  ///   - requests: The requests that have been sent for this query, in order; at least one.
  ///   - query: The query.
  ///   - response: The response to the last.
  /// - Throws: `BitpalError.unreadable` for a next page of another origin, or one that has been requested before.
  func next(
    after requests: [HTTPRequest], asking query: ProviderQuery, said response: HTTPResponse
  ) throws(BitpalError) -> HTTPRequest?

  /// Returns the answer of a response to a page of a query.
  ///
  /// - Throws: `BitpalError`: the source's own failure, or `.unreadable` with the problem and its place.
  func answer(to query: ProviderQuery, from response: HTTPResponse) throws -> ProviderAnswer<ProviderReply>
}

/// The next step after the responses to a question.
public enum DialectStep: Sendable {
  /// The last response is a page of the answer, to be read by itself; `next` is the request for the next page, if any.
  case page(next: HTTPRequest?)

  /// More requests, at least one, that must be answered before anything can be read.
  case ask([HTTPRequest])

  /// The answer, read from all responses together.
  case answer(ProviderAnswer<ProviderReply>)
}

extension Dialect {
  /// Whether responses are read together: false, because each is read by itself.
  public var readsTogether: Bool { false }

  /// The executor: nil, because the dialect does not block.
  public var executor: (any TaskExecutor)? { nil }

  /// Returns the only request, that of ``request(for:)``.
  ///
  /// - Throws: The errors of ``request(for:)``.
  public func requests(for query: ProviderQuery) throws(BitpalError) -> [HTTPRequest] { [try request(for: query)] }

  /// Returns the step of reading the last response as a page, and of requesting the page after it.
  ///
  /// - Throws: The errors of ``next(after:asking:said:)``.
  public func step(after exchanges: [HTTPExchange], asking query: ProviderQuery, round: Int) throws -> DialectStep {
    guard let last = exchanges.last else { return .page(next: nil) }
    return .page(next: try next(after: exchanges.map(\.request), asking: query, said: last.response))
  }

  /// Returns nil, because an answer has only one page.
  public func next(
    after requests: [HTTPRequest], asking query: ProviderQuery, said response: HTTPResponse
  ) throws(BitpalError) -> HTTPRequest? { nil }

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
        guard let request = try? request(for: batch), request.url.utf8.count > descriptor.longestURL else { break }
        count -= max(1, count / 8)
        batch = .quotes(coins: Array(rest.prefix(count)), currency: currency)
      }
      batches.append(batch)
      rest = rest.dropFirst(count)
    }
    return batches
  }
}
