import BitpalJSON
public import BitpalModel
public import BitpalNetwork
import BitpalReplay

/// A provider on the web: a dialect that says what to ask and how to read the answer, and a transport that carries it.
public struct HTTPProvider: PriceProvider {
  /// URLs longer than this are split: proxies and the source's own edge refuse long ones (HTTP 414).
  private static let urlLimit = 1800

  private let dialect: any Dialect
  private let transport: any Transport
  private let time: any TimeSource
  private let timeLimit: Duration?
  private let trace: Trace

  /// - Parameters:
  ///   - dialect: What to ask, and how to read the answer.
  ///   - transport: Carries the requests.
  ///   - time: The clock of the deadline.
  ///   - timeLimit: The longest one answer may take, unless ``/BitpalModel/Deadline/current`` is nearer; nil for that
  ///     alone, or 15 seconds without one.
  ///   - trace: Told how many rows were read and dropped.
  public init(
    dialect: any Dialect, transport: any Transport, time: any TimeSource, timeLimit: Duration? = nil,
    trace: Trace = .silent
  ) {
    self.dialect = dialect
    self.transport = transport
    self.time = time
    self.timeLimit = timeLimit
    self.trace = trace
  }

  /// What the provider is and can do.
  public var descriptor: ProviderDescriptor { dialect.descriptor }

  /// The latest prices of coins, by id.
  public func quotes(_ coins: [String], currency: String) async throws -> ProviderAnswer<QuoteBatch> {
    guard descriptor.capabilities.contains(.quotes) else {
      throw BitpalError.unsupported(.quotes, provider: descriptor.id, others: [])
    }
    let deadline = self.deadline
    var found: [String: Coin] = [:]
    var failures: [String: BitpalError] = [:]
    var warnings: [AnswerWarning] = []
    var last: BitpalError?
    for batch in batches(of: coins, currency: currency) {
      do {
        // What has just refused everything will not answer the next request either.
        if let last, last.endsTheAsking { throw last }
        let response = try await send(.quotes(coins: batch, currency: currency), by: deadline)
        let answer = try reading(by: deadline) { try dialect.quotes(batch, currency: currency, from: response) }
        found.merge(answer.value.coins) { $1 }
        failures.merge(answer.value.failures) { $1 }
        warnings += answer.warnings
      } catch let error as BitpalError {
        // What other batches brought is kept; a failure of the only batch, or of all, is the failure of the whole.
        for coin in batch { failures[coin] = error.about(coin) }
        last = error
      }
    }
    if found.isEmpty, let error = failures.values.first, failures.values.allSatisfy({ $0 == error }), error.isOfSource {
      throw error
    }
    trace(.decoded(rows: found.count, dropped: warnings.droppedRows))
    return ProviderAnswer(QuoteBatch(coins: found, failures: failures), warnings: warnings)
  }

  /// Every coin the source knows.
  public func coinList() async throws -> ProviderAnswer<[CoinListItem]> {
    let deadline = self.deadline
    let response = try await send(.coinList, by: deadline)
    let answer = try reading(by: deadline) { try dialect.coinList(from: response) }
    trace(.decoded(rows: answer.value.count, dropped: answer.warnings.droppedRows))
    return answer
  }

  /// The market figures of one coin.
  public func detail(_ coin: String, currency: String) async throws -> ProviderAnswer<CoinDetail> {
    let deadline = self.deadline
    let response = try await send(.detail(coin: coin, currency: currency), by: deadline)
    let answer = try reading(by: deadline) { try dialect.detail(coin, currency: currency, from: response) }
    trace(.decoded(rows: 1, dropped: 0))
    return answer
  }

  /// Prices that cover the window.
  public func line(_ coin: String, currency: String, window: TimeWindow) async throws -> ProviderAnswer<LineSeries> {
    let deadline = self.deadline
    let response = try await send(.line(coin: coin, currency: currency, window: window), by: deadline)
    let answer = try reading(by: deadline) {
      try dialect.line(coin, currency: currency, window: window, from: response)
    }
    trace(.decoded(rows: answer.value.points.count, dropped: answer.warnings.droppedRows))
    return answer
  }

  /// Candles that cover the window.
  public func candles(
    _ coin: String, currency: String, window: TimeWindow, width: Duration
  ) async throws -> ProviderAnswer<CandleSeries> {
    let deadline = self.deadline
    let pages = dialect.pages(of: .candles(coin: coin, currency: currency, window: window, width: width))
    var joined = JoinedCandles()
    for page in pages {
      guard case .candles(_, _, let window, let width) = page else { continue }
      let response = try await send(page, by: deadline)
      try joined.add {
        try reading(by: deadline) {
          try dialect.candles(coin, currency: currency, window: window, width: width, from: response)
        }
      }
    }
    let answer = try joined.answer(coin: coin, provider: descriptor.id)
    trace(.decoded(rows: answer.value.candles.count, dropped: answer.warnings.droppedRows))
    return answer
  }

  private var deadline: Duration {
    let now = time.monotonic
    let own = timeLimit.map { now + $0 }
    return [own, Deadline.current].compactMap { $0 }.min() ?? now + .seconds(15)
  }

  private func send(_ query: ProviderQuery, by deadline: Duration) async throws -> HTTPResponse {
    try Task.checkCancellation()
    var request = try dialect.request(for: query)
    request.deadline = deadline
    return try await RecordingQuery.$current.withValue(query) { [request] in
      try await transport.send(request)
    }
  }

  /// What `read` makes of an answer, before the deadline: a hostile one could keep it busy for long.
  private func reading<Answer>(by deadline: Duration, _ read: () throws -> Answer) rethrows -> Answer {
    // An answer that came in time is read, however late it came.
    let left = max(Self.shortestReading, deadline - time.monotonic)
    return try ReadingTime.$left.withValue(left, operation: read)
  }

  /// More than any answer takes.
  private static let shortestReading = Duration.milliseconds(250)

  private func batches(of coins: [String], currency: String) -> [[String]] {
    var batches: [[String]] = []
    var rest = coins[...]
    while !rest.isEmpty {
      var count = min(rest.count, max(1, descriptor.coinsPerRequest))
      while count > 1 {
        // What cannot be asked for fails when it is sent, alone and not with all the others.
        let request = try? dialect.request(for: .quotes(coins: Array(rest.prefix(count)), currency: currency))
        guard let request, request.url.utf8.count > Self.urlLimit else { break }
        count -= max(1, count / 8)
      }
      batches.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return batches
  }
}

extension [AnswerWarning] {
  /// How many rows were dropped in all.
  fileprivate var droppedRows: Int {
    reduce(0) { total, warning in
      if case .droppedRows(let count, _) = warning { total + count } else { total }
    }
  }
}

extension BitpalError {
  /// The failure of a batch as that of one of its coins.
  fileprivate func about(_ coin: String) -> BitpalError {
    switch self {
    case .notFound(_, let provider, let suggestion): .notFound(coin: coin, provider: provider, suggestion: suggestion)
    case .noPrice(_, let provider, let reason): .noPrice(coin: coin, provider: provider, reason: reason)
    default: self
    }
  }

  /// Whether another request to the same source, within the same time, is bound to fail alike.
  fileprivate var endsTheAsking: Bool {
    switch self {
    case .timedOut, .rateLimited, .budgetLocked, .unauthorized: true
    default: false
    }
  }
}
