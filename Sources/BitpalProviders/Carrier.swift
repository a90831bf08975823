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
  let fetch: @Sendable () async throws -> FetchedExchange
}

/// The result of an exchange.
struct FetchedExchange: Sendable {
  /// The content that can be read.
  enum Content: Sendable {
    /// A page of the answer.
    case page(HTTPResponse)

    /// Nothing yet.
    case part

    /// All of the answer, read already.
    case answer(ProviderAnswer<ProviderReply>)
  }

  /// The content.
  let content: Content

  /// The dialect that reads it, where that is another than the provider's own.
  let reader: (any Dialect)?

  /// The exchange that has the rest of the answer; nil when this is all.
  let next: PendingExchange?

  /// Creates the state after a request has been answered.
  ///
  /// - Parameters:
  ///   - exchanges: The exchanges so far for the query.
  ///   - waiting: The requests that were planned with the last one and have not been sent.
  ///   - query: The query that they answer.
  ///   - round: The number of times that more requests were needed because of an answer.
  ///   - dialect: The dialect that planned them.
  ///   - reader: The dialect that reads the answers, where it is another than the provider's own.
  ///   - bring: Returns the answer to the first of some requests.
  init(
    after exchanges: [HTTPExchange], before waiting: ArraySlice<HTTPRequest>, asking query: ProviderQuery,
    round: Int, of dialect: any Dialect, reader: (any Dialect)? = nil,
    fetch: @escaping @Sendable (ArraySlice<HTTPRequest>, _ round: Int) async throws -> FetchedExchange
  ) throws {
    var following = waiting
    var round = round
    var content = Content.part
    if waiting.isEmpty {
      switch try dialect.step(after: exchanges, asking: query, round: round) {
      case .page(let next):
        content = exchanges.last.map { .page($0.response) } ?? .part
        following = next.map { [$0] } ?? []
      case .ask(let more): following = more[...]
      case .answer(let answer): content = .answer(answer)
      }
      round += 1
    }
    self.content = content
    self.reader = reader
    next =
      following.isEmpty
      ? nil : PendingExchange(query: query) { [following, round] in try await fetch(following, round) }
  }
}

/// Asks the source itself: the requests for each page of the query.
struct NetworkCarrier: Carrier {
  let transport: any Transport

  /// Receives the keys of each request.
  let sentKeys: SentKeys

  var isLive: Bool { true }

  func exchanges(for query: ProviderQuery, of dialect: any Dialect) throws -> [PendingExchange] {
    guard dialect.descriptor.capabilities.contains(query.capability) else {
      throw BitpalError.unsupported(query.capability, provider: dialect.descriptor.id, others: [])
    }
    return dialect.pages(of: query).map { page in
      PendingExchange(query: page) {
        try await exchange(page, try dialect.requests(for: page)[...], after: [], round: 0, of: dialect)
      }
    }
  }

  /// Sends the first of some requests, and says what to send then.
  private func exchange(
    _ query: ProviderQuery, _ requests: ArraySlice<HTTPRequest>, after earlier: [HTTPExchange], round: Int,
    of dialect: any Dialect
  ) async throws -> FetchedExchange {
    try Task.checkCancellation()
    guard var request = requests.first else {
      throw BitpalError.unreadable(provider: dialect.descriptor.id, reason: "nothing is to be asked")
    }
    request.query = query
    request.page = earlier.count + 1
    sentKeys.add(request.keys)
    let sent = earlier + [HTTPExchange(request: request, response: try await transport.send(request))]
    return try FetchedExchange(after: sent, before: requests.dropFirst(), asking: query, round: round, of: dialect) {
      try await exchange(query, $0, after: sent, round: $1, of: dialect)
    }
  }
}
