import BitpalJSON
import BitpalModel
import BitpalNetwork

/// A source of the exchanges that answer a query.
///
/// ``NetworkCarrier`` sends requests now; ``RecordingCarrier`` finds recorded ones. ``DialectProvider`` reads and joins
/// the responses.
protocol Carrier: Sendable {
  /// Whether requests are sent now; a live source has a deadline, and gets no more requests after a total refusal.
  var isLive: Bool { get }

  /// Returns the exchanges that together answer a query, in order of precedence.
  ///
  /// The pages of a series are joined; the quote of a coin is that of the first exchange that has one.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - dialect: The dialect of the provider.
  /// - Throws: `BitpalError` when nothing answers the query.
  func exchanges(for query: ProviderQuery, of dialect: any Dialect) throws -> [PendingExchange]
}

/// An exchange that answers a query, or a part of it, and that is fetched only on demand.
struct PendingExchange: Sendable {
  /// The query as it was asked, which may be wider than the present one; the response is read as its answer.
  let query: ProviderQuery

  /// Fetches the response, and returns its result.
  let fetch: @Sendable () async throws -> FetchedExchange
}

/// The result of an exchange.
struct FetchedExchange: Sendable {
  /// The answer, or a page of it; nil where the following exchanges are needed to read one.
  let answer: ProviderAnswer?

  /// The exchange that has the rest of the answer; nil at its end.
  let next: PendingExchange?

  /// Creates the result of an exchange.
  init(answer: ProviderAnswer?, next: PendingExchange?) {
    self.answer = answer
    self.next = next
  }

  /// Creates the state after a request has been answered.
  ///
  /// - Parameters:
  ///   - exchanges: The exchanges so far for the query.
  ///   - waiting: The requests that were planned with the last one and have not been sent.
  ///   - query: The query that they answer.
  ///   - round: The number of times that more requests were needed because of an answer.
  ///   - dialect: The dialect that planned them.
  ///   - fetch: Fetches the answer to the first of some requests.
  /// - Throws: The errors of ``Dialect/step(after:asking:round:)``.
  init(
    after exchanges: [HTTPExchange], before waiting: ArraySlice<HTTPRequest>, asking query: ProviderQuery,
    round: Int, of dialect: any Dialect,
    fetch: @escaping @Sendable (ArraySlice<HTTPRequest>, _ round: Int) async throws -> FetchedExchange
  ) throws {
    var following = waiting
    var round = round
    var answer: ProviderAnswer?
    if waiting.isEmpty {
      switch try dialect.step(after: exchanges, asking: query, round: round) {
      case .answer(let whole): answer = whole
      case .page(let page, let next): (answer, following) = (page, [next])
      case .ask(let more): following = more[...]
      }
      round += 1
    }
    self.answer = answer
    next =
      following.isEmpty
      ? nil : PendingExchange(query: query) { [following, round] in try await fetch(following, round) }
  }
}

/// A carrier that sends the requests of each page of the query over the network.
struct NetworkCarrier: Carrier {
  let transport: any Transport

  /// The keys that have been sent, to which those of each request are added.
  let sentKeys: SentKeys

  /// The clock of the deadline.
  let time: any TimeSource

  /// The least time for reading an answer (250 ms), more than any answer needs.
  private static let shortestReading = Duration.milliseconds(250)

  var isLive: Bool { true }

  func exchanges(for query: ProviderQuery, of dialect: any Dialect) throws -> [PendingExchange] {
    guard dialect.descriptor.capabilities.contains(query.capability) else {
      throw BitpalError.unsupported(query.capability, provider: dialect.descriptor.id, others: [])
    }
    return dialect.pages(of: query).map { page in
      PendingExchange(query: page) {
        try await exchange(page, try dialect.plan(page)[...], after: [], round: 0, of: dialect)
      }
    }
  }

  /// Sends the first of some requests, and returns its result with the exchange that follows.
  private func exchange(
    _ query: ProviderQuery, _ requests: ArraySlice<HTTPRequest>, after earlier: [HTTPExchange], round: Int,
    of dialect: any Dialect
  ) async throws -> FetchedExchange {
    try Task.checkCancellation()
    guard var request = requests.first else {
      throw BitpalError.unreadable(provider: dialect.descriptor.id, reason: "the plan has no request")
    }
    // A recording has no question for another order of coins, and must not take its answer for the largest ones.
    request.query = (dialect as? CoinGeckoDialect)?.rankedPage == nil ? query : nil
    request.page = earlier.count + 1
    sentKeys.add(request.keys)
    let response = try await transport.send(request).inUTF8(from: dialect.descriptor.id, assuming: request.charset)
    let sent = earlier + [HTTPExchange(request: request, response: response)]
    func fetched() throws -> FetchedExchange {
      try FetchedExchange(after: sent, before: requests.dropFirst(), asking: query, round: round, of: dialect) {
        try await exchange(query, $0, after: sent, round: $1, of: dialect)
      }
    }
    do {
      guard let deadline = Deadline.current else { return try fetched() }
      // A hostile answer could keep its reader busy for long. One that came just before the deadline is still read.
      return try ReadingTime.$left.withValue(max(Self.shortestReading, deadline - time.monotonic)) { try fetched() }
    } catch BitpalError.rateLimited(let provider, let wait, let reason) {
      let asked = transport.pause(after: response, for: wait)
      throw BitpalError.rateLimited(provider: provider, wait: asked, reason: reason)
    }
  }
}

extension HTTPResponse {
  /// Returns the response with its body in UTF-8, as dialects read it.
  ///
  /// The body of a failure stays as it is when it cannot be converted: its status counts.
  ///
  /// - Parameter charset: The character set where the response declares none; nil for UTF-8.
  /// - Throws: `BitpalError.unreadable` for a character set that is not read, and for a part of an answer.
  func inUTF8(from provider: String, assuming charset: String?) throws(BitpalError) -> HTTPResponse {
    if let part = partOfBytes {
      throw .unreadable(
        provider: provider,
        reason: "it is a part of the answer (HTTP 206, \(part.printable(limit: 60))), and all was asked for")
    }
    do throws(BodyFault) {
      return with(try BodyText.utf8(body, contentType: headers.first(named: "content-type"), assumed: charset))
    } catch {
      guard isSuccess else { return self }
      throw .unreadable(provider: provider, reason: error.message)
    }
  }

  /// The range of bytes of an answer that does not have all of them, as misled caches send it (RFC 9110, section 15.3.7); nil
  /// for a whole one, and for ranges of rows.
  private var partOfBytes: String? {
    guard status == 206, let range = headers.first(named: "content-range"), range.lowercased().hasPrefix("bytes") else {
      return nil
    }
    let numbers = range.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    return numbers.count == 3 && numbers[0] == 0 && numbers[1] == numbers[2] - 1 ? nil : range
  }
}
