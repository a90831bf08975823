import BitpalModel
import BitpalNetwork

/// Brings what answers a query, in the form in which a dialect reads it.
///
/// There are two kinds: ``NetworkCarrier`` asks the source now, ``RecordingCarrier`` looks for what it was asked once. What
/// is made of the responses is no business of theirs; ``DialectProvider`` joins them.
protocol Carrier: Sendable {
  /// Whether the source is asked now: it has a deadline then, and one that refuses everything is not asked for the rest.
  var isLive: Bool { get }

  /// The exchanges that together answer a query, in the order in which they count.
  ///
  /// Of series and lists they are joined; of quotes the first that has a coin answers for it.
  ///
  /// - Parameter dialect: The dialect of the provider that is asked.
  /// - Throws: `BitpalError` when nothing answers the query.
  func exchanges(for query: ProviderQuery, of dialect: any Dialect) throws -> [PendingExchange]
}

/// An exchange that answers a query, or a part of it, and that is only brought when it is wanted.
struct PendingExchange: Sendable {
  /// The query as it was asked, which may be more than was wanted now: the response is read as an answer to that.
  let query: ProviderQuery

  /// Brings it.
  let bring: @Sendable () async throws -> BroughtExchange
}

/// What an exchange brought.
struct BroughtExchange: Sendable {
  /// The response.
  let response: HTTPResponse

  /// The dialect that reads it, where that is another than the provider's own.
  var reader: (any Dialect)?

  /// The exchange that has the rest of the answer; nil when this is all.
  var next: PendingExchange?
}

/// Asks the source itself: a request for each page of the query.
struct NetworkCarrier: Carrier {
  let transport: any Transport

  var isLive: Bool { true }

  func exchanges(for query: ProviderQuery, of dialect: any Dialect) throws -> [PendingExchange] {
    guard dialect.descriptor.capabilities.contains(query.capability) else {
      throw BitpalError.unsupported(query.capability, provider: dialect.descriptor.id, others: [])
    }
    return dialect.pages(of: query).map { page in
      PendingExchange(query: page) { try await exchange(page, try dialect.request(for: page), after: [], of: dialect) }
    }
  }

  /// Sends a request, and says what to send for the next page of its answer.
  private func exchange(
    _ query: ProviderQuery, _ request: HTTPRequest, after earlier: [HTTPRequest], of dialect: any Dialect
  ) async throws -> BroughtExchange {
    try Task.checkCancellation()
    var request = request
    request.query = query
    request.page = earlier.count + 1
    let response = try await transport.send(request)
    let asked = earlier + [request]
    let next = try dialect.next(after: asked, asking: query, said: response)
    return BroughtExchange(
      response: response,
      next: next.map { next in
        PendingExchange(query: query) { try await exchange(query, next, after: asked, of: dialect) }
      })
  }
}
