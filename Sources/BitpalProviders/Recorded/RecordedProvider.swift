public import BitpalModel
public import BitpalReplay
public import FoundationEssentials

/// A recording as a provider: every exchange decoded through the dialect that asked for it.
///
/// It matches at the level of answers, not of requests: a recording of 25 quotes answers for any subset in any order, and
/// a line over a day answers for its last hour. A failure that was recorded is replayed as that failure. What was never
/// asked is `.notRecorded`, which lists what was.
public struct RecordedProvider: PriceProvider {
  /// What the provider is and can do.
  public let descriptor: ProviderDescriptor

  /// The instant at which time stands.
  public var recordedAt: Date { head.recordedAt }

  typealias Exchanges = [(query: ProviderQuery, exchange: RecordedExchange)]

  private let head: RecordingHead
  private let dialect: any Dialect
  private let otherDialect: @Sendable (String) throws -> (any Dialect)?
  private let opened = Locked<Recording?>(nil)
  private let trace: Trace

  /// A provider that opens its recording when it is first asked.
  ///
  /// - Parameters:
  ///   - id: The name by which the provider is chosen (`fixture`).
  ///   - name: The name people use.
  ///   - recording: Which recording, and when it was made.
  ///   - dialect: Reads what the recording's own provider sent.
  ///   - otherDialect: The dialect of another provider, by its id: a command that fell back on it recorded both. Nil
  ///     when there is none of that id.
  ///   - trace: Told what was read.
  public init(
    id: String, name: String, recording: RecordingHead, dialect: any Dialect,
    otherDialect: @escaping @Sendable (String) throws -> (any Dialect)? = { _ in nil },
    trace: Trace = .silent
  ) {
    head = recording
    self.dialect = dialect
    self.otherDialect = otherDialect
    self.trace = trace
    let note = "recorded \(head.recordedAt.utcMinuteText)" + (head.note.map { " · \($0)" } ?? "")
    descriptor = ProviderDescriptor(
      id: id, name: name, kind: ProviderSpecification.Kind.recorded.rawValue,
      capabilities: dialect.descriptor.capabilities, candleWidths: dialect.descriptor.candleWidths,
      coinsPerRequest: .max, attribution: dialect.descriptor.attribution, note: note,
      cacheIdentity: CacheIdentity.of(
        recording: id, file: head.file, fingerprint: head.fingerprint, reader: dialect.descriptor.cacheIdentity))
  }

  /// The descriptor with what the recording really holds; opens it.
  ///
  /// - Throws: `BitpalError.recordingDamaged`.
  public func fullDescriptor() throws -> ProviderDescriptor {
    let queries = exchanges(of: try recording()).map(\.query)
    return ProviderDescriptor(
      id: descriptor.id, name: descriptor.name, kind: descriptor.kind, capabilities: Set(queries.map(\.capability)),
      currencies: Set(queries.compactMap(\.currency)).sorted(), candleWidths: descriptor.candleWidths,
      coinsPerRequest: descriptor.coinsPerRequest, attribution: descriptor.attribution, note: descriptor.note,
      cacheIdentity: descriptor.cacheIdentity)
  }

  func recording() throws -> Recording {
    try opened.withLock { opened in
      if let opened { return opened }
      let recording = try HARReader.open(head.file)
      trace(.recordingOpened(path: head.file, entries: recording.exchanges.count))
      opened = recording
      return recording
    }
  }

  /// The exchanges whose question is known, the latest first: the latest answer to a question counts.
  private func exchanges(of recording: Recording) -> Exchanges {
    recording.exchanges.reversed().compactMap { exchange in exchange.query.map { ($0, exchange) } }
  }

  /// The latest prices of coins, by id.
  public func quotes(_ coins: [String], currency: String) async throws -> ProviderAnswer<QuoteBatch> {
    let recording = try recording()
    var found: [String: Coin] = [:]
    var failures: [String: BitpalError] = [:]
    var warnings: [AnswerWarning] = []
    for (query, exchange) in exchanges(of: recording) {
      let wanted = coins.filter { found[$0] == nil && query.coins.contains($0) }
      guard case .quotes(_, currency) = query, !wanted.isEmpty else { continue }
      do {
        // Decoded as it was asked, so that a coin which the source left out counts as left out.
        let answer = try dialect(of: exchange).quotes(
          query.coins, currency: currency, from: try recording.response(of: exchange))
        for coin in wanted {
          found[coin] = answer.value.coins[coin]
          failures[coin] = failures[coin] ?? answer.value.failures[coin]
        }
        warnings += answer.warnings
      } catch let error as BitpalError {
        for coin in wanted { failures[coin] = failures[coin] ?? error }
      }
    }
    for asked in [coins] + coins.map({ [$0] }) {
      let open = asked.filter { found[$0] == nil && failures[$0] == nil }
      guard open.count == asked.count, !asked.isEmpty,
        let exchange = unlabelled(.quotes(coins: asked, currency: currency), in: recording)
      else { continue }
      let answer = try dialect.quotes(asked, currency: currency, from: try recording.response(of: exchange))
      found.merge(answer.value.coins) { $1 }
      failures.merge(answer.value.failures) { $1 }
      warnings += answer.warnings
    }
    for coin in coins where found[coin] == nil && failures[coin] == nil {
      failures[coin] = notRecorded(in: recording, "price of \(coin) in \(currency)", like: .quotes)
    }
    trace(.decoded(rows: found.count, dropped: 0))
    return ProviderAnswer(
      QuoteBatch(coins: found, failures: failures.filter { found[$0.key] == nil }), warnings: warnings)
  }

  /// Every coin the source knows.
  public func coinList() async throws -> ProviderAnswer<[CoinListItem]> {
    let recording = try recording()
    for (query, exchange) in exchanges(of: recording) where query == .coinList {
      return try dialect(of: exchange).coinList(from: try recording.response(of: exchange))
    }
    if let exchange = unlabelled(.coinList, in: recording) {
      return try dialect.coinList(from: try recording.response(of: exchange))
    }
    throw notRecorded(in: recording, "coin list", like: .coinList)
  }

  /// The market figures of one coin.
  public func detail(_ coin: String, currency: String) async throws -> ProviderAnswer<CoinDetail> {
    let recording = try recording()
    for (query, exchange) in exchanges(of: recording) where query == .detail(coin: coin, currency: currency) {
      return try dialect(of: exchange).detail(coin, currency: currency, from: try recording.response(of: exchange))
    }
    if let exchange = unlabelled(.detail(coin: coin, currency: currency), in: recording) {
      return try dialect.detail(coin, currency: currency, from: try recording.response(of: exchange))
    }
    throw notRecorded(in: recording, "detail of \(coin) in \(currency)", like: .detail)
  }

  /// Prices that cover the window.
  public func line(_ coin: String, currency: String, window: TimeWindow) async throws -> ProviderAnswer<LineSeries> {
    let recording = try recording()
    let fitting = exchanges(of: recording).compactMap { query, exchange -> (TimeWindow, RecordedExchange)? in
      guard case .line(coin, currency, let recorded) = query, recorded.length >= window.length else { return nil }
      return (recorded, exchange)
    }
    guard let (recorded, exchange) = fitting.min(by: { $0.0.length < $1.0.length }) else {
      if let exchange = unlabelled(.line(coin: coin, currency: currency, window: window), in: recording) {
        return try dialect.line(
          coin, currency: currency, window: window, from: try recording.response(of: exchange))
      }
      throw notRecorded(in: recording, "line of \(coin) in \(currency) over \(window.length.unitText)", like: .line)
    }
    return try dialect(of: exchange).line(
      coin, currency: currency, window: recorded, from: try recording.response(of: exchange))
  }

  /// Candles that cover the window.
  public func candles(
    _ coin: String, currency: String, window: TimeWindow, width: Duration
  ) async throws -> ProviderAnswer<CandleSeries> {
    let recording = try recording()
    let fitting = RecordedPages.all(in: exchanges(of: recording), coin: coin, currency: currency)
      .filter { $0.window.length >= window.length }
    guard let pages = fitting.min(by: { $0.window.length < $1.window.length }) else {
      let query = ProviderQuery.candles(coin: coin, currency: currency, window: window, width: width)
      if let exchange = unlabelled(query, in: recording) {
        return try dialect.candles(
          coin, currency: currency, window: window, width: width, from: try recording.response(of: exchange))
      }
      throw notRecorded(
        in: recording, "candles of \(coin) in \(currency) over \(window.length.unitText)", like: .candles)
    }
    var joined = JoinedCandles()
    for page in pages.pages {
      try joined.add {
        try dialect(of: page.exchange).candles(
          coin, currency: currency, window: page.window, width: pages.width,
          from: try recording.response(of: page.exchange))
      }
    }
    return try joined.answer(coin: coin, provider: descriptor.id)
  }

  /// The dialect of whoever sent the answer.
  private func dialect(of exchange: RecordedExchange) throws -> any Dialect {
    guard let provider = exchange.provider else { return dialect }
    guard let other = try otherDialect(provider) else {
      throw BitpalError.recordingDamaged(
        file: head.file, entry: exchange.number,
        reason: "was answered by \(provider.printable(limit: 40)), of which there is no provider file")
    }
    return other
  }

  /// The latest exchange with the very request that asks the question, in a HAR file that does not name questions
  /// (a browser's or a proxy's).
  private func unlabelled(_ query: ProviderQuery, in recording: Recording) -> RecordedExchange? {
    guard recording.exchanges.contains(where: { $0.query == nil }), let request = try? dialect.request(for: query)
    else { return nil }
    let asked = RequestShape(request)
    return recording.exchanges.last { $0.query == nil && asked.differences(from: $0.request).isEmpty }
  }

  private func notRecorded(in recording: Recording, _ question: String, like capability: Capability) -> BitpalError {
    var available: [String] = []
    for (query, _) in exchanges(of: recording).reversed() where query.capability == capability {
      for text in query.summaries where !available.contains(text) { available.append(text) }
    }
    let most = 12
    if available.count > most {
      available = available.prefix(most) + ["and \(available.count - most) more"]
    }
    return .notRecorded(question: question, recording: head.name, available: available)
  }
}

extension ProviderQuery {
  /// What the query asks, a phrase for each coin.
  fileprivate var summaries: [String] {
    switch self {
    case .quotes(let coins, let currency): coins.map { "\($0) in \(currency)" }
    case .coinList: ["coin list"]
    case .detail(let coin, let currency): ["\(coin) in \(currency)"]
    case .line(let coin, let currency, let window): ["\(coin) in \(currency) over \(window.length.unitText)"]
    case .candles(let coin, let currency, let window, _): ["\(coin) in \(currency) over \(window.length.unitText)"]
    }
  }
}
