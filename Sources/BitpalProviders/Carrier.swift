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

  /// The response, and the dialect that reads it where that is another than the provider's own.
  let bring: @Sendable () async throws -> (response: HTTPResponse, reader: (any Dialect)?)
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
      PendingExchange(query: page) {
        try Task.checkCancellation()
        var request = try dialect.request(for: page)
        request.query = page
        return (try await transport.send(request), nil)
      }
    }
  }
}
