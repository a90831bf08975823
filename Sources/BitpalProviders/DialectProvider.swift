import BitpalJSON
public import BitpalModel
public import BitpalNetwork
public import BitpalReplay

/// A provider made of a dialect, which knows how to ask and how to read, and of what carries its questions: the network,
/// or a recording.
///
/// All that is the same for every source is here: joining batches and pages, keeping what came when another part failed,
/// the deadline, and telling how many rows were read.
public struct DialectProvider: PriceProvider {
  /// The provider's names, capabilities and limits.
  public package(set) var descriptor: ProviderDescriptor

  private let dialect: any Dialect
  private let carrier: any Carrier
  private let sentKeys = SentKeys()
  private let time: any TimeSource
  private let timeLimit: Duration?
  private let trace: Trace

  /// Creates a provider on the web.
  ///
  /// - Parameters:
  ///   - dialect: Plans the requests and reads the answers.
  ///   - transport: Carries the requests.
  ///   - time: The clock of the deadline.
  ///   - timeLimit: The longest one answer may take, where ``/BitpalModel/Deadline/current`` is not nearer.
  ///   - trace: Told how many rows were read and dropped.
  public init(
    dialect: any Dialect, transport: any Transport, time: any TimeSource, timeLimit: Duration? = nil,
    trace: Trace = .silent
  ) {
    descriptor = dialect.descriptor
    self.dialect = dialect
    carrier = NetworkCarrier(transport: transport, sentKeys: sentKeys)
    self.time = time
    self.timeLimit = timeLimit
    self.trace = trace
  }

  /// Creates a provider of a recording, which is opened when it is first asked.
  ///
  /// It matches at the level of answers, not of requests: a recording of 25 quotes answers for any subset in any order,
  /// and a line over a day answers for its last hour. A failure that was recorded is replayed as that failure. A
  /// question that was never asked is `.notRecorded`, which lists the recorded ones.
  ///
  /// - Parameters:
  ///   - id: The name by which the provider is chosen (`fixture`).
  ///   - name: The name people use.
  ///   - recording: The recording, and the time at which it was made.
  ///   - dialect: Reads the answers of the recording's own provider.
  ///   - otherDialect: The dialect of another provider, by its id: a command that fell back on it recorded both. Nil
  ///     when there is none of that id.
  ///   - trace: Told what was read.
  public init(
    id: String, name: String, recording: RecordingHead, dialect: any Dialect,
    otherDialect: @escaping @Sendable (String) throws -> (any Dialect)? = { _ in nil },
    trace: Trace = .silent
  ) {
    let source = dialect.descriptor
    var descriptor = ProviderDescriptor(
      id: id, name: name, kind: ProviderSpecification.Kind.Name.recorded.rawValue, capabilities: source.capabilities,
      candleWidths: source.candleWidths,
      coinsPerRequest: .max, attribution: source.attribution,
      note: "recorded \(recording.recordedAt.utcMinuteText)" + (recording.note.map { " · \($0)" } ?? ""),
      recordedAt: recording.recordedAt, maxAge: source.maxAge, hasCurrencies: true,
      listedIDs: source.listedIDs,
      cacheIdentity: CacheIdentity.of(
        recording: id, file: recording.file, fingerprint: recording.fingerprint, reader: source.cacheIdentity))
    descriptor.candlesFollowWindow = source.candlesFollowWindow
    self.descriptor = descriptor
    self.dialect = dialect
    carrier = RecordingCarrier(head: recording, otherDialect: otherDialect, trace: trace)
    time = SystemTime()
    timeLimit = nil
    self.trace = trace
  }

  /// The answer to one question.
  public func answer(to query: ProviderQuery) async throws -> ProviderAnswer<ProviderReply> {
    // A recording answers at once, whatever time it is.
    guard carrier.isLive else { return try await placedAnswer(to: query) }
    return try await Deadline.within(timeLimit, on: time) { try await placedAnswer(to: query) }
  }

  /// The answer, worked out where the dialect wants to be asked.
  private func placedAnswer(to query: ProviderQuery) async throws -> ProviderAnswer<ProviderReply> {
    guard let executor = dialect.executor else { return try await safeAnswer(to: query) }
    return try await withTaskExecutorPreference(executor) { try await safeAnswer(to: query) }
  }

  /// Returns the answer if it does not repeat the key that was sent, as one can that is put together from parts.
  private func safeAnswer(to query: ProviderQuery) async throws -> ProviderAnswer<ProviderReply> {
    let repeated = BitpalError.unreadable(provider: descriptor.id, reason: "it repeats the key")
    do {
      let answer = try await joinedAnswer(to: query)
      if sentKeys.areRepeated(in: answer) { throw repeated }
      return answer
    } catch let error as BitpalError where sentKeys.areRepeated(in: error) {
      throw repeated
    }
  }

  private func joinedAnswer(to query: ProviderQuery) async throws -> ProviderAnswer<ProviderReply> {
    let exchanges = try carrier.exchanges(for: query, of: dialect)
    let answer: ProviderAnswer<ProviderReply>
    switch query {
    case .quotes(let coins, _):
      answer = try await quotes(coins, from: exchanges)
    case .line, .candles:
      answer = try await series(query, from: exchanges)
    case .coinList, .detail:
      guard let only = exchanges.first else { throw unsupported(query) }
      answer = try await read(only)
    }
    // Of a recording it is only news how many of the coins it knows; the rest of it does not change.
    if carrier.isLive || query.capability == .quotes {
      trace(.decoded(rows: answer.value.count, dropped: answer.warnings.droppedRows))
    }
    return answer
  }

  /// Brings an exchange with all its pages and reads them.
  private func read(_ exchange: PendingExchange) async throws -> ProviderAnswer<ProviderReply> {
    var pages = AnswerPages()
    var current = exchange
    while true {
      do {
        let brought = try await current.fetch()
        switch brought.content {
        case .page(let response):
          try pages.add { try read(response, with: brought.reader ?? dialect, as: current.query) }
        case .answer(let answer): try pages.add { answer }
        case .part: break
        }
        guard let next = brought.next, !pages.answers(exchange.query) else { return try pages.joined() }
        current = next
      } catch let error as BitpalError {
        guard let kept = pages.quotes(of: exchange.query, failingOthersWith: error) else { throw error }
        return kept
      }
    }
  }

  private func read(
    _ response: HTTPResponse, with dialect: any Dialect, as query: ProviderQuery
  ) throws -> ProviderAnswer<ProviderReply> {
    guard carrier.isLive, let deadline = Deadline.current else {
      return try dialect.answer(to: query, from: response)
    }
    // A hostile answer could keep its reader busy for long; one that came in time is read, however late it came.
    let left = max(Self.shortestReading, deadline - time.monotonic)
    return try ReadingTime.$left.withValue(left) { try dialect.answer(to: query, from: response) }
  }

  /// More than any answer takes.
  private static let shortestReading = Duration.milliseconds(250)

  // MARK: Joining

  /// Quotes of several exchanges: what some brought is kept when others fail.
  ///
  /// - Throws: The failure of the only exchange, or of all, when the source was asked now.
  private func quotes(
    _ coins: [String], from exchanges: [PendingExchange]
  ) async throws -> ProviderAnswer<ProviderReply> {
    let asked = Set(coins)
    var found: [String: Coin] = [:]
    var failures: [String: BitpalError] = [:]
    var details: [String: CoinDetail] = [:]
    var weeks: [String: LineSeries] = [:]
    var warnings: [AnswerWarning] = []
    var origins: [String: AnswerOrigin] = [:]
    var last: BitpalError?
    for exchange in exchanges {
      let wanted = exchange.query.coins.filter { asked.contains($0) && found[$0] == nil }
      guard !wanted.isEmpty else { continue }
      do {
        // What has just refused everything will not answer the next request either.
        if carrier.isLive, let last, last.has(.abortsBatch) { throw last }
        let answer = try await read(exchange)
        guard case .quotes(let batch) = answer.value else { throw unreadable(answer.value) }
        for coin in wanted {
          found[coin] = batch.coins[coin]
          failures[coin] = failures[coin] ?? batch.failures[coin]
          // A recording answers for figures with what was recorded of them, whatever came with its quotes.
          details[coin] = carrier.isLive ? batch.details[coin] : nil
          weeks[coin] = batch.weeks[coin]
        }
        warnings += answer.warnings
        origins.merge(answer.origins) { first, _ in first }
      } catch let error as BitpalError {
        for coin in wanted { failures[coin] = failures[coin] ?? error.about(coin) }
        last = error
      }
    }
    failures = failures.filter { found[$0.key] == nil }
    if carrier.isLive, found.isEmpty, let error = failures.values.first, failures.values.allSatisfy({ $0 == error }),
      error.isOfSource
    {
      throw error
    }
    let batch = QuoteBatch(coins: found, failures: failures, details: details, weeks: weeks)
    return ProviderAnswer(.quotes(batch), warnings: warnings, origins: origins)
  }

  /// A line or candles of several exchanges, in order of time.
  ///
  /// - Throws: The failure of any; `BitpalError.noData` when all of them are empty.
  private func series(
    _ query: ProviderQuery, from exchanges: [PendingExchange]
  ) async throws -> ProviderAnswer<ProviderReply> {
    var pages = AnswerPages()
    for (index, exchange) in exchanges.enumerated() {
      do {
        // What has been begun is not given up for a moment of waiting for the budget.
        let answer = try await index == 0 ? read(exchange) : Deadline.waitingBriefly { try await read(exchange) }
        guard answer.value.capability == query.capability else { throw unreadable(answer.value) }
        try pages.add { answer }
      } catch let error as BitpalError {
        // A stretch of a time before the coin was traded is empty; the later ones are not.
        try pages.add { throw error }
      }
    }
    return try pages.joined()
  }

  private func unreadable(_ reply: ProviderReply) -> BitpalError {
    .unreadable(provider: descriptor.id, reason: "it is read as \(reply.capability.rawValue), which was not asked")
  }
}

extension [AnswerWarning] {
  /// The number of rows that were dropped in all.
  fileprivate var droppedRows: Int {
    reduce(0) { total, warning in
      if case .droppedRows(let count, _) = warning { total + count } else { total }
    }
  }
}

extension BitpalError {
  /// The failure of a batch as that of one of its coins.
  func about(_ coin: String) -> BitpalError {
    switch self {
    case .notFound(_, let provider, let suggestion): .notFound(coin: coin, provider: provider, suggestion: suggestion)
    case .noPrice(_, let provider, let reason): .noPrice(coin: coin, provider: provider, reason: reason)
    default: self
    }
  }
}
