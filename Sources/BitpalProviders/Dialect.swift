public import BitpalModel
public import BitpalNetwork

/// The pure half of a web provider: a question becomes a request, a response becomes an answer.
///
/// A dialect never touches the network, a clock or a file, so a recorded response decodes the same for ever. A query out of
/// ``pages(of:)`` is one request, and as many more as its answers say with ``next(after:asking:said:)``; one whose answers
/// are read together plans several and says itself when it has read all it needs, with ``requests(for:)`` and
/// ``step(after:asking:round:)``. ``DialectProvider`` makes a provider of it.
public protocol Dialect: Sendable {
  /// The provider's names, capabilities and limits.
  var descriptor: ProviderDescriptor { get }

  /// The questions that together answer one, each a request of its own: batches of coins, stretches of a window that are
  /// as long as the source answers in one go, oldest first.
  func pages(of query: ProviderQuery) -> [ProviderQuery]

  /// The request that asks a page.
  ///
  /// - Throws: `BitpalError` when the source cannot be asked that (`.unsupported`, `.planLimit`).
  func request(for query: ProviderQuery) throws(BitpalError) -> HTTPRequest

  /// The requests by which earlier versions asked a page, whose recorded responses are still read; none by default.
  func formerRequests(for query: ProviderQuery) -> [HTTPRequest]

  /// Whether the responses to a question are read together, after all of ``requests(for:)`` have been sent; else each is
  /// read by itself.
  var readsTogether: Bool { get }

  /// The requests that ask a page, one after the other.
  ///
  /// - Throws: As ``request(for:)``.
  func requests(for query: ProviderQuery) throws(BitpalError) -> [HTTPRequest]

  /// Returns the next step after some requests have been answered.
  ///
  /// - Parameters:
  ///   - exchanges: The exchanges so far for this query, in order; at least one.
  ///   - query: The query.
  ///   - round: The number of times that more requests were needed because of an answer; 0 after ``requests(for:)``.
  /// - Throws: `BitpalError`: the source's own failure, or `.unreadable` with the problem and its place.
  func step(after exchanges: [HTTPExchange], asking query: ProviderQuery, round: Int) throws -> DialectStep

  /// The executor for a dialect that makes its caller wait; nil for any other.
  var executor: (any TaskExecutor)? { get }

  /// Returns the request for the page after a response; nil when that was all.
  ///
  /// - Parameters:
  ///   - requests: The requests that have been sent for this query, in order; at least one.
  ///   - query: The query.
  ///   - response: The response to the last.
  /// - Throws: `BitpalError.unreadable` for a next page that must not be asked: one elsewhere, one that was asked
  ///   before.
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
  /// The last response is a page of the answer, to be read by itself; the request asks for the next, if there is one.
  case page(next: HTTPRequest?)

  /// Nothing can be read before these are answered too; at least one.
  case ask([HTTPRequest])

  /// This is what all responses together say.
  case answer(ProviderAnswer<ProviderReply>)
}

extension Dialect {
  /// None: the request is what it always was.
  public func formerRequests(for query: ProviderQuery) -> [HTTPRequest] { [] }

  /// False: each response is read by itself.
  public var readsTogether: Bool { false }

  /// Anywhere: it answers at once.
  public var executor: (any TaskExecutor)? { nil }

  /// The one request.
  public func requests(for query: ProviderQuery) throws(BitpalError) -> [HTTPRequest] { [try request(for: query)] }

  /// Reading the last response, and asking for the page after it.
  public func step(after exchanges: [HTTPExchange], asking query: ProviderQuery, round: Int) throws -> DialectStep {
    guard let last = exchanges.last else { return .page(next: nil) }
    return .page(next: try next(after: exchanges.map(\.request), asking: query, said: last.response))
  }

  /// Nothing: one answer is all.
  public func next(
    after requests: [HTTPRequest], asking query: ProviderQuery, said response: HTTPResponse
  ) throws(BitpalError) -> HTTPRequest? { nil }

  /// Quotes in ``batches(of:)``; any other query as it is.
  public func pages(of query: ProviderQuery) -> [ProviderQuery] { batches(of: query) }

  /// A query of quotes as queries of at most ``ProviderDescriptor/coinsPerRequest`` coins each, whose URLs are of a length
  /// that every server takes; any other query as it is.
  public func batches(of query: ProviderQuery) -> [ProviderQuery] {
    guard case .quotes(let coins, let currency) = query else { return [query] }
    var batches: [ProviderQuery] = []
    var rest = coins[...]
    while !rest.isEmpty {
      var count = min(rest.count, max(1, descriptor.coinsPerRequest))
      var batch = ProviderQuery.quotes(coins: Array(rest.prefix(count)), currency: currency)
      while count > 1 {
        // What cannot be asked for fails when it is sent, alone and not with all the others.
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
