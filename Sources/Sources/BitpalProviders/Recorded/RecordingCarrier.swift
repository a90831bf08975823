import BitpalModel
import BitpalNetwork
import BitpalReplay

/// A carrier that finds the answers to a query in a recording, which is opened at the first query.
struct RecordingCarrier: Carrier {
  /// An exchange with the query that is recorded for it.
  typealias Labelled = (query: ProviderQuery, exchange: RecordedExchange)

  /// The head of the recording.
  let head: RecordingHead

  /// Returns the dialect of a provider by its id; nil when there is none.
  let otherDialect: @Sendable (String) throws -> (any Dialect)?
  let trace: Trace
  private let opened = Locked<Recording?>(nil)

  init(head: RecordingHead, otherDialect: @escaping @Sendable (String) throws -> (any Dialect)?, trace: Trace) {
    self.head = head
    self.otherDialect = otherDialect
    self.trace = trace
  }

  var isLive: Bool { false }

  func exchanges(for query: ProviderQuery, of dialect: any Dialect) throws -> [PendingExchange] {
    let recording = try recording()
    var found = labelled(recording, for: query, of: dialect).map {
      pending($0.exchange, as: $0.query, in: recording, of: dialect)
    }
    guard case .quotes(let coins, let currency) = query else {
      if found.isEmpty, let exchange = unlabelled(query, of: dialect, in: recording) {
        found = [pending(exchange, as: query, in: recording, of: dialect)]
      }
      guard !found.isEmpty else { throw notRecorded(query, in: recording) }
      return found
    }
    // A HAR file without queries may have one request for all coins, or one for each.
    for asked in coins.count == 1 ? [coins] : [coins] + coins.map({ [$0] }) where !asked.isEmpty {
      let query = ProviderQuery.quotes(coins: asked, currency: currency)
      guard let exchange = unlabelled(query, of: dialect, in: recording) else { continue }
      found.append(pending(exchange, as: query, in: recording, of: dialect))
    }
    // A coin that was not recorded fails alone.
    let known = Set(found.flatMap(\.query.coins))
    for coin in coins where !known.contains(coin) {
      let query = ProviderQuery.quotes(coins: [coin], currency: currency)
      let failure = notRecorded(query, in: recording)
      found.append(PendingExchange(query: query) { throw failure })
    }
    return found
  }

  // MARK: Matching

  private func recording() throws -> Recording {
    try opened.withLock { opened in
      if let opened { return opened }
      let recording = try HARReader.open(head.file, checking: head.trustedFiles)
      trace(.recordingOpened(path: head.file, entries: recording.exchanges.count))
      opened = recording
      return recording
    }
  }

  /// Returns the exchanges with a recorded query that answer this one.
  private func labelled(_ recording: Recording, for query: ProviderQuery, of dialect: any Dialect) -> [Labelled] {
    let all = recording.latestFirst
    switch query {
    case .quotes(let coins, let currency):
      let asked = Set(coins)
      return all.filter { other, _ in
        guard case .quotes(let names, currency) = other else { return false }
        return names.contains { asked.contains($0) }
      }
    case .coinList, .top:
      return all.first { $0.query == query }.map { [$0] } ?? []
    case .detail(let coin, let currency):
      let market = all.first { other, exchange in
        // Quotes that carry figures answer for the details of their coins.
        guard dialect.descriptor.quotesCarryFigures, exchange.provider == nil, case .quotes(let coins, currency) = other
        else { return false }
        return coins.contains(coin)
      }
      return (all.first { $0.query == query } ?? market).map { [(query, $0.exchange)] } ?? []
    case .line(_, _, let window), .candles(_, _, let window, _):
      let fitting = RecordedPages.all(in: all, like: query).filter { $0.window.answers(window) }
      return window.choice(fitting, by: \.window.length)?.pages ?? []
    }
  }

  /// Returns the latest exchange with the query's request in a HAR file without queries, as browsers and proxies write.
  private func unlabelled(
    _ query: ProviderQuery, of dialect: any Dialect, in recording: Recording
  ) -> RecordedExchange? {
    let candidates = recording.exchanges.filter { $0.query == nil }
    guard !candidates.isEmpty, let request = try? dialect.plan(query).first else { return nil }
    return recording.answer(to: request, in: candidates)
  }

  private func pending(
    _ exchange: RecordedExchange, as query: ProviderQuery, in recording: Recording, of dialect: any Dialect
  ) -> PendingExchange {
    PendingExchange(query: query) {
      let dialect = try self.dialect(of: exchange) ?? dialect
      // A dialect that would refuse the query today reads its recorded answer all the same.
      let planned = (try? dialect.plan(query))?[...] ?? []
      let fetched = try found(
        exchange, planned.dropFirst(), charset: planned.first?.charset, after: [], round: 0, first: exchange, as: query,
        in: recording, dialect)
      guard let answer = fetched.answer, let asked = exchange.startedAt,
        head.recordedAt.since(asked) >= Self.oneCommand
      else { return fetched }
      return FetchedExchange(answer: answer.fetched(at: asked, from: dialect.descriptor.id), next: fetched.next)
    }
  }

  /// The time from which an exchange is not of the command at whose instant the clock stands.
  private static let oneCommand = Duration.seconds(60)

  /// Returns the result of a recorded exchange, with the exchange that follows.
  private func found(
    _ exchange: RecordedExchange, _ waiting: ArraySlice<HTTPRequest>, charset: String?,
    after earlier: [HTTPExchange], round: Int, first: RecordedExchange, as query: ProviderQuery,
    in recording: Recording, _ dialect: any Dialect
  ) throws -> FetchedExchange {
    let response = try recording.response(of: exchange).inUTF8(from: head.file, assuming: charset)
    let asked = earlier + [HTTPExchange(request: exchange.request.asked, response: response)]
    return try FetchedExchange(after: asked, before: waiting, asking: query, round: round, of: dialect) {
      requests, round in
      guard let request = requests.first,
        let page = recording.page(asked.count + 1, asking: request, after: first)
      else { throw notRecorded(query, in: recording) }
      return try found(
        page, requests.dropFirst(), charset: charset, after: asked, round: round, first: first, as: query,
        in: recording, dialect)
    }
  }

  /// Returns the dialect of the provider that sent the answer; nil for the recording's own.
  private func dialect(of exchange: RecordedExchange) throws -> (any Dialect)? {
    guard let provider = exchange.provider else { return nil }
    guard let other = try otherDialect(provider) else {
      throw BitpalError.recordingDamaged(
        file: head.file, entry: exchange.number,
        reason: "was answered by \(provider.printable(limit: 40)), which has no provider file")
    }
    return other
  }

  private func notRecorded(_ query: ProviderQuery, in recording: Recording) -> BitpalError {
    var available: [String] = []
    for text in recording.nearest(to: query).flatMap(\.summaries) where !available.contains(text) {
      available.append(text)
    }
    let most = 8
    if available.count > most {
      available = available.prefix(most) + ["and \(available.count - most) more"]
    }
    let subject = query.summaries.first ?? ""
    let question =
      switch query {
      case .quotes: "price of \(subject)"
      case .coinList, .top: subject
      case .detail: "detail of \(subject)"
      case .line: "line of \(subject)"
      case .candles: "candles of \(subject)"
      }
    return .notRecorded(
      question: question, recording: head.name, available: available, append: head.command(adding: query))
  }
}

extension Recording {
  /// The first pages with a recorded query, latest first, because the latest answer to a query counts.
  fileprivate var latestFirst: [(query: ProviderQuery, exchange: RecordedExchange)] {
    // Later pages are found from their first page.
    exchanges.reversed().compactMap { exchange in exchange.page > 1 ? nil : exchange.query.map { ($0, exchange) } }
  }

  /// Returns the page of an answer that follows an exchange, found by its number, or by its request without a query.
  ///
  /// Each attempt is an exchange of its own, and the last of them counts.
  fileprivate func page(
    _ number: Int, asking request: HTTPRequest, after exchange: RecordedExchange
  ) -> RecordedExchange? {
    let later = exchanges.drop { $0.number != exchange.number }.dropFirst()
    guard let query = exchange.query else { return answer(to: request, in: later.filter { $0.query == nil }) }
    let same = later.filter { $0.query == query && $0.provider == exchange.provider }
    return same.prefix { $0.page > 1 }.last { $0.page == number }
  }

  /// Returns the latest answer to a request among exchanges without a query, after the redirects that a browser has followed.
  fileprivate func answer(to request: HTTPRequest, in exchanges: [RecordedExchange]) -> RecordedExchange? {
    let shape = RequestShape(request)
    var answer = exchanges.filter { shape.differences(from: $0.request).isEmpty }.latestAnswer
    var seen: Set<Int> = []
    while let moved = answer, let place = place(of: moved) {
      seen.insert(moved.number)
      guard let next = exchanges.filter({ !seen.contains($0.number) && RequestURL($0.url) == place }).latestAnswer
      else { break }
      answer = next
    }
    return answer
  }

  /// Returns the URL at the same host to which an exchange was redirected; nil where it was not.
  private func place(of moved: RecordedExchange) -> RequestURL? {
    guard [301, 302, 303, 307, 308].contains(moved.status),
      let place = try? response(of: moved).headers.first(named: "location")
    else { return nil }
    let from = RequestURL(moved.url)
    let url = RequestURL(place.hasPrefix("/") ? "\(from.scheme)://\(from.host)\(place)" : place)
    return url.scheme == from.scheme && url.host == from.host ? url : nil
  }

  /// Returns the recorded queries of the same kind, first those about the same coins, in the order of the recording.
  fileprivate func nearest(to query: ProviderQuery) -> [ProviderQuery] {
    let coins = Set(query.coins)
    let same = exchanges.compactMap(\.query).filter { $0.capability == query.capability }
    let about = same.filter { !coins.isDisjoint(with: $0.coins) }.map { known -> ProviderQuery in
      guard case .quotes(let names, let currency) = known else { return known }
      // Only the coins of a batch that were asked for are near.
      return .quotes(coins: names.filter { coins.contains($0) }, currency: currency)
    }
    return about + same
  }
}

extension [RecordedExchange] {
  /// The last exchange with an answer of its own: 304 says that the one before it is still good, and 0 that the request was given up.
  fileprivate var latestAnswer: RecordedExchange? { last { ![0, 304].contains($0.status) } ?? last }
}

extension TimeWindow {
  /// The description of the window, by its length if that is below a day or in whole days, otherwise by its instants.
  fileprivate var description: String {
    if isPast { return "from \(start.iso8601) to \(end.iso8601)" }
    if isAll { return "from the first day on" }
    let isRound = length < .seconds(86_400) || length.milliseconds % 86_400_000 == 0
    return isRound ? "over \(length.unitText)" : "since \(start.iso8601)"
  }

  /// Returns whether a recording of this window answers another window.
  ///
  /// A past window is compared by its instants, and one that ends now only by its length.
  fileprivate func answers(_ other: TimeWindow) -> Bool {
    other.isPast ? covers(other) : !isPast && (length >= other.length || other.isAll)
  }

  /// Returns the shortest of the answers; the longest where the window has no beginning.
  fileprivate func choice<Answer>(_ answers: [Answer], by length: (Answer) -> Duration) -> Answer? {
    isAll ? answers.max { length($0) < length($1) } : answers.min { length($0) < length($1) }
  }
}

extension ProviderQuery {
  /// The descriptions of the query, one phrase per coin.
  fileprivate var summaries: [String] {
    switch self {
    case .quotes(let coins, let currency): coins.map { "\($0) in \(currency)" }
    case .coinList: ["coin list"]
    case .top(let currency): ["largest coins in \(currency)"]
    case .detail(let coin, let currency): ["\(coin) in \(currency)"]
    case .line(let coin, let currency, let window), .candles(let coin, let currency, let window, _):
      ["\(coin) in \(currency) \(window.description)"]
    }
  }
}

/// A run of recorded stretches of a line or of candles, which cover a window together without a gap.
private struct RecordedPages {
  /// The requested candle width; nil for a line.
  let width: Duration?

  /// The stretches, oldest first; at least one.
  private(set) var pages: [RecordingCarrier.Labelled]

  /// The window that the stretches cover.
  private(set) var window: TimeWindow

  /// Returns each recorded stretch, and each run of stretches of one width, of the query's kind, coin and currency.
  ///
  /// The order of `exchanges` is kept: for equal windows the later exchange comes first.
  static func all(in exchanges: [RecordingCarrier.Labelled], like query: ProviderQuery) -> [RecordedPages] {
    let single = exchanges.compactMap { labelled -> RecordedPages? in
      let other = labelled.query
      guard let window = other.window, other.capability == query.capability, other.coins == query.coins,
        other.currency == query.currency
      else { return nil }
      let width: Duration? = if case .candles(_, _, _, let width) = other { width } else { nil }
      return RecordedPages(width: width, pages: [labelled], window: window)
    }
    return single.flatMap { last in
      var runs = [last]
      // The loop ends, because each page begins before the following one.
      while let run = runs.last, let earlier = single.first(where: { $0.precedes(run) }) {
        var longer = run
        longer.pages.insert(contentsOf: earlier.pages, at: 0)
        longer.window = TimeWindow(start: earlier.window.start, end: run.window.end, isPast: run.window.isPast)
        runs.append(longer)
      }
      return runs
    }
  }

  private func precedes(_ other: RecordedPages) -> Bool {
    width == other.width && window.end == other.window.start && window.start < window.end
  }
}
