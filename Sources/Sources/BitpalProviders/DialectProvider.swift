public import BitpalModel
public import BitpalNetwork
public import BitpalReplay

/// A provider made of a dialect and a carrier of its requests: the network, or a recording.
///
/// It does what is the same for every source: it joins batches and pages, keeps the parts that succeeded when another
/// fails, observes the deadline, and traces the number of rows.
public struct DialectProvider: PriceProvider {
  /// The provider's names, capabilities and limits.
  public package(set) var descriptor: ProviderDescriptor

  private var dialect: any Dialect
  private let carrier: any Carrier
  private let sentKeys = SentKeys()
  private let time: any TimeSource
  private let timeLimit: Duration?
  private let trace: Trace

  /// Creates a provider on the web.
  ///
  /// - Parameters:
  ///   - dialect: The dialect that plans the requests and reads the answers.
  ///   - transport: The transport that sends the requests.
  ///   - time: The clock of the deadline.
  ///   - timeLimit: The longest time for one answer, unless ``/BitpalModel/Deadline/current`` is earlier.
  ///   - trace: Receives the numbers of rows that were read and dropped.
  public init(
    dialect: any Dialect, transport: any Transport, time: any TimeSource, timeLimit: Duration? = nil,
    trace: Trace = .silent
  ) {
    descriptor = dialect.descriptor
    self.dialect = dialect
    carrier = NetworkCarrier(transport: transport, sentKeys: sentKeys, time: time)
    self.time = time
    self.timeLimit = timeLimit
    self.trace = trace
  }

  /// Creates a provider of a recording, which is opened at the first query.
  ///
  /// It matches queries, not requests: a recording of 25 quotes answers any subset in any order, and a line over a day
  /// answers its last hour. A recorded failure is replayed as that failure. A query that was not recorded is
  /// `.notRecorded`, which lists the recorded ones.
  ///
  /// - Parameters:
  ///   - id: The name by which the provider is chosen (`fixture`).
  ///   - name: The display name.
  ///   - recording: The recording, and the time at which it was made.
  ///   - dialect: The dialect that reads the answers of the recording's own provider.
  ///   - otherDialect: Returns the dialect of another provider by its id, for a command that fell back on it and
  ///     recorded both; nil when there is none with that id.
  ///   - trace: Receives the numbers of entries and rows that were read.
  public init(
    id: String, name: String, recording: RecordingHead, dialect: any Dialect,
    otherDialect: @escaping @Sendable (String) throws -> (any Dialect)? = { _ in nil },
    trace: Trace = .silent
  ) {
    let source = dialect.descriptor
    var descriptor = ProviderDescriptor(
      id: id, name: name, kind: RecordedKind.name, capabilities: source.capabilities,
      candleWidths: source.candleWidths,
      coinsPerRequest: .max, attribution: source.attribution,
      note: "recorded \(recording.recordedAt.utcMinuteText)" + (recording.note.map { " · \($0)" } ?? ""),
      recordedAt: recording.recordedAt, maxAge: source.maxAge, hasCurrencies: true,
      listedIDs: source.listedIDs,
      cacheIdentity: CacheIdentity.of(
        recording: id, file: recording.file, fingerprint: recording.fingerprint, reader: source.cacheIdentity))
    descriptor.candlesFollowWindow = source.candlesFollowWindow
    descriptor.ranksCoins = source.ranksCoins
    descriptor.quotesLine = source.quotesLine
    descriptor.standIns = source.standIns
    descriptor.alwaysOpen = source.alwaysOpen
    descriptor.hasRatesOfOthers = source.hasCurrencies != true
    descriptor.hasOwnDays = source.hasOwnDays
    self.descriptor = descriptor
    self.dialect = dialect
    carrier = RecordingCarrier(head: recording, otherDialect: otherDialect, trace: trace)
    time = FrozenTime(at: recording.recordedAt)
    timeLimit = nil
    self.trace = trace
  }

  /// Returns the answer to one query.
  ///
  /// - Throws: `BitpalError` when nothing answers it, `.timedOut` after the deadline, `.unreadable` for an answer that
  ///   repeats the key; `CancellationError`.
  public func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
    func joined() async throws -> ProviderAnswer {
      guard let executor = dialect.executor else { return try await joinedAnswer(to: query) }
      return try await withTaskExecutorPreference(executor) { try await joinedAnswer(to: query) }
    }
    do {
      // A recording answers at once, so it needs no deadline.
      let answer =
        carrier.isLive ? try await Deadline.within(timeLimit, on: time) { try await joined() } : try await joined()
      // Redaction does not find a key in the bytes of a response if the dialect puts it together from several parts.
      guard !sentKeys.areRepeated(in: answer) else { throw repeatedKey }
      return answer
    } catch let error as BitpalError where sentKeys.areRepeated(in: error) {
      throw repeatedKey
    }
  }

  /// Returns the list of the coins of a page, largest first; their prices and figures come along.
  ///
  /// - Throws: `.noData` where the source does not list coins so; otherwise the errors of ``answer(to:)``.
  package func ranked(_ page: RankedPage, currency: String) async throws -> ProviderAnswer {
    guard carrier.isLive, var dialect = dialect as? CoinGeckoDialect else {
      throw BitpalError.noData(
        question: "the coins by \(page.isByVolume ? "volume" : "market value")", provider: descriptor.id)
    }
    dialect.rankedPage = page
    var provider = self
    provider.dialect = dialect
    return try await provider.answer(to: .top(currency: currency))
  }

  /// The number of coins of a page.
  package static var rankedPageSize: Int { CoinGeckoDialect.coinsPerPage }

  /// Returns `.notFound` for a query that the dialect plans no request for, because the source has no name for the coin.
  public func denial(of query: ProviderQuery) -> BitpalError? {
    // A plugin plans in a process of its own, and a recording plans nothing.
    guard carrier.isLive, dialect.executor == nil else { return nil }
    let queries = lines(of: query).map(\.query)
    return (queries.isEmpty ? dialect.pages(of: query) : queries).lazy.compactMap { page -> BitpalError? in
      do throws(BitpalError) {
        _ = try dialect.plan(page)
        return nil
      } catch {
        return error.code == .notFound ? error : nil
      }
    }.first
  }

  private var repeatedKey: BitpalError { .unreadable(provider: descriptor.id, reason: "it repeats the key") }

  /// Returns the answer of all exchanges, with batches and pages joined.
  private func joinedAnswer(to query: ProviderQuery) async throws -> ProviderAnswer {
    if case .top = query, !descriptor.ranksCoins {
      throw BitpalError.noData(question: "the largest coins by market value", provider: descriptor.id)
    }
    let lines = lines(of: query)
    let exchanges = try lines.isEmpty ? carrier.exchanges(for: query, of: dialect) : []
    let answer: ProviderAnswer
    switch query {
    case .quotes(let coins, _) where !lines.isEmpty:
      answer = try await quotes(
        coins,
        from: lines.map { line in
          PendingExchange(query: line.quote) {
            FetchedExchange(answer: try await quote(asOf: line.query), next: nil)
          }
        })
    case .quotes(let coins, let currency):
      answer = try await inForce(try await quotes(coins, from: exchanges), in: currency)
    case .line, .candles:
      answer = try await series(query, from: exchanges)
    case .coinList, .top, .detail:
      guard let only = exchanges.first else { throw unsupported(query) }
      answer = try await read(only)
    }
    // A recording does not change, so only the number of known coins is worth a trace.
    if carrier.isLive || query.capability == .quotes {
      let rows = answer.answers.values.reduce(0) { $0 + $1.count }
      trace(.decoded(rows: rows, dropped: answer.warnings.droppedRows))
    }
    return answer
  }

  /// Fetches an exchange with all its pages, and reads them.
  private func read(_ exchange: PendingExchange) async throws -> ProviderAnswer {
    var pages = AnswerPages()
    var current = exchange
    while true {
      do {
        var next: PendingExchange?
        do {
          let brought = try await current.fetch()
          if let answer = brought.answer { try pages.add { answer } }
          next = brought.next
        } catch let error as BitpalError where error.isEmptyPage {
          try pages.add { throw error }
        }
        guard let next, !pages.answers(exchange.query) else { return try pages.joined() }
        current = next
      } catch let error as BitpalError {
        guard let kept = pages.quotes(of: exchange.query, failingOthersWith: error) else { throw error }
        return kept
      }
    }
  }

  // MARK: Quotes of lines

  /// Returns the lines whose last points are the quotes of a query; none for a source with quotes of its own, and for
  /// other queries.
  private func lines(of query: ProviderQuery) -> [(query: ProviderQuery, quote: ProviderQuery)] {
    guard case .quotes(let coins, let currency) = query, let length = descriptor.quotesLine else { return [] }
    let window = TimeWindow(ending: time.now.startOfSecond, length: length)
    return coins.map {
      (.line(coin: $0, currency: currency, window: window), .quotes(coins: [$0], currency: currency))
    }
  }

  /// Returns the quote at the last point of a line that is not after now.
  ///
  /// - Throws: The failure of the line; `.noPrice` for one without such a point.
  private func quote(asOf line: ProviderQuery) async throws -> ProviderAnswer {
    let found = try await series(line, from: try carrier.exchanges(for: line, of: dialect))
    guard let coin = line.coins.first, let window = line.window, case .line(let series)? = found.answers[coin],
      let point = series.points.last(where: { $0.timestamp <= window.end })
    else {
      throw BitpalError.noPrice(
        coin: line.coins.first ?? "?", provider: descriptor.id, reason: "its line has no price in these days")
    }
    var answer = ProviderAnswer(.quote(try dialect.quote(of: coin, at: point)), about: coin, warnings: found.warnings)
    answer.origins = found.origins
    return answer
  }

  /// Returns quotes with the prices of lines in the place of those of a day that has not begun, as banks set the rate of tomorrow
  /// in the afternoon; one of which the source has no price for today stays as it is.
  ///
  /// When the line cannot be fetched, the quote fails with the same error: the rate of tomorrow does not hold now.
  private func inForce(_ answer: ProviderAnswer, in currency: String) async throws -> ProviderAnswer {
    guard descriptor.capabilities.contains(.line) else { return answer }
    let now = time.now
    let window = TimeWindow(ending: now.startOfSecond, length: descriptor.reachOfQuotes)
    var result = answer
    for (coin, quote) in answer.values(Coin.self).sorted(by: { $0.key < $1.key }) {
      guard let day = quote.lastUpdated, day > now, day == day.startOfDay else { continue }
      do {
        let line = try await Deadline.waitingBriefly {
          try await self.quote(asOf: .line(coin: coin, currency: currency, window: window))
        }
        guard let last = line.values(Coin.self)[coin] else { continue }
        result.answers[coin] = .quote(
          try Coin(
            validating: coin, symbol: quote.symbol, name: quote.name, currentPrice: last.currentPrice,
            lastUpdated: last.lastUpdated))
      } catch let error as BitpalError {
        // The rate of tomorrow says that it is ahead.
        guard error.has(.staleIfError), !error.has(.provesSourceHealthy) else { continue }
        result.answers[coin] = nil
        result.failures[coin] = error.about(coin)
      }
    }
    return result
  }

  // MARK: Joining

  /// Returns the quotes of several exchanges, also if some of them fail.
  ///
  /// - Throws: The failure of all coins, when it is the same for all, concerns the source, and the source is live.
  private func quotes(_ coins: [String], from exchanges: [PendingExchange]) async throws -> ProviderAnswer {
    let asked = Set(coins)
    var found = ProviderAnswer([:])
    var last: BitpalError?
    for exchange in exchanges {
      let wanted = exchange.query.coins.filter { asked.contains($0) && found.answers[$0] == nil }
      guard !wanted.isEmpty else { continue }
      do {
        // After a total refusal the source would refuse the next request too.
        if carrier.isLive, let last, last.has(.abortsBatch) { throw last }
        let answer = try await read(exchange)
        for coin in wanted {
          if let reply = answer.answers[coin] {
            guard case .quote = reply else { throw unreadable(reply) }
            found.answers[coin] = reply
          }
          found.failures[coin] = found.failures[coin] ?? answer.failures[coin]
          // A recording answers queries for details with recorded details, so those that come with quotes are ignored.
          found.extras[coin] = answer.extras[coin]?.filter { carrier.isLive || $0.kind != .detail }
        }
        // The quotes of coins that were not asked for, which some sources send along.
        for (coin, others) in answer.extras where carrier.isLive && !asked.contains(coin) {
          found.extras[coin] = others
        }
        found.warnings += answer.warnings
        found.origins.merge(answer.origins) { first, _ in first }
      } catch let error as BitpalError {
        for coin in wanted { found.failures[coin] = found.failures[coin] ?? error.about(coin) }
        last = error
      }
    }
    found.failures = found.failures.filter { found.answers[$0.key] == nil }
    if carrier.isLive, found.answers.isEmpty, let error = found.failures.values.first,
      found.failures.values.allSatisfy({ $0 == error }), error.isOfSource
    {
      throw error
    }
    return found
  }

  /// Returns a line or candles of several exchanges, in order of time.
  ///
  /// - Throws: The first failure of an exchange that is not merely empty; `BitpalError.noData` when all are empty.
  private func series(_ query: ProviderQuery, from exchanges: [PendingExchange]) async throws -> ProviderAnswer {
    var answers: [ProviderAnswer] = []
    var emptiness: BitpalError?
    // The newest stretch is asked for first, and older ones as long as there may be something in them.
    for (index, exchange) in (carrier.isLive ? exchanges.reversed() : exchanges).enumerated() {
      do {
        // After the first page, a short wait for the request budget does not fail the whole answer.
        let answer = try await index == 0 ? read(exchange) : Deadline.waitingBriefly { try await read(exchange) }
        if let reply = answer.answers.values.first(where: { $0.kind != query.kind }) {
          throw unreadable(reply)
        }
        answers.append(answer)
      } catch let error as BitpalError {
        let mayGoOn = answers.isEmpty || !carrier.isLive
        if error.isEmptyPage {
          emptiness = emptiness ?? error
          // A stretch of days may be one without a trade; one of a year is from before the first.
          if mayGoOn || exchange.query.window?.length ?? .zero < Self.longestSilence { continue }
          break
        }
        // Where a plan ends, or before 1970, of which many sources know nothing, ends what there is.
        let isTooOld = exchange.query.window?.start.milliseconds ?? 0 < 0
        guard !mayGoOn, error.code == .planLimit || error.code == .refused && isTooOld else { throw error }
        break
      }
    }
    var pages = AnswerPages()
    for answer in carrier.isLive ? answers.reversed() : answers { try pages.add { answer } }
    if answers.isEmpty, let emptiness { throw emptiness }
    return try pages.joined()
  }

  /// The length from which a stretch without a price is one of before the first.
  private static let longestSilence = Duration.seconds(365 * 86_400)

  private func unreadable(_ reply: Answer) -> BitpalError {
    .unreadable(provider: descriptor.id, reason: "it is read as a \(reply.kind.rawValue), which was not asked for")
  }
}

extension [AnswerWarning] {
  /// The number of rows that were dropped, summed over all warnings.
  fileprivate var droppedRows: Int {
    reduce(0) { total, warning in
      if case .droppedRows(let count, _) = warning { total + count } else { total }
    }
  }
}

extension BitpalError {
  /// Returns the failure of a batch as the failure of one of its coins.
  func about(_ coin: String) -> BitpalError {
    switch self {
    case .notFound(_, let provider, let suggestion): .notFound(coin: coin, provider: provider, suggestion: suggestion)
    case .noPrice(_, let provider, let reason): .noPrice(coin: coin, provider: provider, reason: reason)
    default: self
    }
  }
}

/// A page of the coins of a source, which are in the order of a figure, largest first.
package struct RankedPage: Hashable, Sendable {
  /// Whether the figure is the volume of 24 hours, and not the market value.
  package let isByVolume: Bool

  /// The number of the page, from 1; each has ``DialectProvider/rankedPageSize`` coins.
  package let number: Int

  package init(_ number: Int, byVolume isByVolume: Bool) {
    self.number = number
    self.isByVolume = isByVolume
  }
}
