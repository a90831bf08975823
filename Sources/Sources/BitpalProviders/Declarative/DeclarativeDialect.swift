import BitpalJSON
package import BitpalModel
package import BitpalNetwork
import FoundationEssentials

/// A dialect that a provider file declares, with URLs with placeholders and a SELECT for each kind of answer.
package struct DeclarativeDialect: Dialect {
  /// The provider's names, capabilities and limits.
  package let descriptor: ProviderDescriptor

  /// The declarations of the provider file.
  package let api: DeclaredAPI
  let operations: [Capability: CompiledOperation]

  /// The source's names of coins and currencies.
  package let names: SourceNames
  let sandboxes: SandboxPool
  private let base: String
  private let key: Secret?

  /// Creates a declarative dialect.
  ///
  /// - Parameters:
  ///   - specification: The provider's file.
  ///   - key: The key, sent in the header or the query with `{key}`. The caller checks that the host may get it.
  ///   - symbol: Returns a coin's ticker that the file's `symbols` do not have, from aliases or a coin list; nil when
  ///     it is unknown.
  /// - Throws: `BitpalError.configuration` with every fault of the SELECTs, with line and column.
  package init(
    _ specification: ProviderSpecification, key: Secret? = nil,
    symbol: @escaping @Sendable (String) -> String? = { _ in nil }
  ) throws(BitpalError) {
    let file = specification.file ?? "provider \(specification.id)"
    guard let api = specification.declared, let base = specification.baseURL else {
      throw .configuration([ConfigurationIssue(file: file, message: "base_url and an operation are missing")])
    }
    self.api = api
    self.base = base
    self.key = key
    names = SourceNames(specification, ticker: symbol)
    (operations, sandboxes) = try Self.compile(api, file: file)
    let intervals = api.operations[.candles]?.intervals.map(\.width) ?? []
    let hasQuotesOfLine = api.operations[.quotes] == nil && api.operations[.line] != nil
    let capabilities = Set(api.operations.keys).union(hasQuotesOfLine ? [.quotes] : [])
    var descriptor = ProviderDescriptor(
      id: specification.id, name: specification.name, kind: specification.kindName,
      capabilities: capabilities, coins: names.scope, currencies: specification.currencies ?? [],
      candleWidths: intervals,
      reach: operations.compactMapValues(\.reach),
      coinsPerRequest: api.operations[.quotes]?.batch ?? 1, attribution: specification.attribution,
      maxAge: specification.maxAge ?? ProviderDescriptor.usualMaxAge, hasCurrencies: names.haveCurrencies ? true : nil,
      hasOwnCurrencies: api.answeredCurrency != nil,
      listedIDs: (operations[.quotes] ?? operations[.line])?.needsSymbol == true ? .tickers : .own,
      cacheIdentity: CacheIdentity.of(specification))
    descriptor.standIns = names.standIns
    descriptor.alwaysOpen = specification.alwaysOpen
    descriptor.hasOwnDays = api.operations.values.contains { $0.days != nil }
    if hasQuotesOfLine { descriptor.quotesLine = descriptor.reachOfQuotes }
    self.descriptor = descriptor
  }

  private static func compile(
    _ api: DeclaredAPI, file: String
  ) throws(BitpalError) -> ([Capability: CompiledOperation], SandboxPool) {
    var compiled: [Capability: CompiledOperation] = [:]
    var compiler: OperationCompiler
    do throws(Sandbox.Failure) {
      compiler = try OperationCompiler(contentType: api.headers.first { $0.isContentType }?.value.text)
    } catch {
      throw .configuration([ConfigurationIssue(file: file, message: "no memory for SQLite")])
    }
    for capability in Capability.allCases {
      compiled[capability] = api.operations[capability].flatMap { compiler.compile(capability, $0) }
    }
    guard compiler.issues.isEmpty else { throw .configuration(compiler.issues) }
    return (compiled, SandboxPool(compiler.connection))
  }

  /// Returns the request for the first page of the answer.
  ///
  /// - Throws: `BitpalError.unsupported`, `.unsupportedCurrency`, `.planLimit`, or `.notFound` for a coin that the
  ///   source cannot be asked for.
  package func plan(_ query: ProviderQuery) throws(BitpalError) -> [HTTPRequest] {
    [try request(for: query, cursor: nil)]
  }

  /// Returns the request for a page of the answer; the first page has no cursor, and 0 pages before it.
  ///
  /// - Throws: The errors of ``plan(_:)``.
  func request(for query: ProviderQuery, cursor: RequestValues.Cursor?, after pages: Int = 0) throws(BitpalError)
    -> HTTPRequest
  {
    let operation = try operation(query.capability)
    var named = try values(for: query, operation)
    named[.page] = String(pages + 1)
    named[.offset] = String(pages * (operation.declared.limit ?? 0))
    let values = RequestValues(named, cursor: cursor)
    let url = operation.url(reaching: reach(of: query, operation))
    var get = ""
    for part in url {
      switch part {
      case .literal(let text): get += URLText.encodedMarks(of: text)
      case .placeholder(.key): get += HTTPRequest.keyMark
      case .placeholder, .date: get += URLText.encoded(values.text(of: part), keeping: ",")
      }
    }
    guard !get.prefix(while: { $0 != "?" }).split(separator: "/").contains(where: { !URLText.isSegment($0) }) else {
      // An id such as `..` would change the path of the URL.
      throw .notFound(coin: query.coins.first ?? "?", provider: descriptor.id)
    }
    var headers = [HTTPHeader("accept", operation.declared.body.mediaTypes)]
    var secret: HTTPRequest.SecretHeader?
    for header in api.headers {
      let text = header.value.text
      guard text.hasSuffix("{key}") else {
        headers.removeAll { $0.name.lowercased() == header.name.lowercased() }
        headers.append(HTTPHeader(header.name, text))
        continue
      }
      if let key { secret = HTTPRequest.SecretHeader(header.name, key, after: String(text.dropLast(5))) }
    }
    if let body = operation.body, !api.headers.contains(where: \.isContentType) {
      headers.append(HTTPHeader("content-type", body.contentType))
    }
    var request = HTTPRequest(
      url: (operation.declared.baseURL ?? base) + get, headers: headers, body: operation.body?.bytes(values),
      secret: secret,
      queryKey: url.contains(.placeholder(.key)) ? key : nil)
    request.charset = operation.declared.encoding
    request.weight = operation.declared.weight
    return request
  }

  /// Returns the time that the answer must go back; nil for all there is, and for a past window, because the present
  /// time is unknown here.
  private func reach(of query: ProviderQuery, _ operation: CompiledOperation) -> Duration? {
    switch query {
    case .line(_, _, let window): return window.isPast || window.isAll ? nil : window.length
    case .candles(_, _, let window, let width):
      // The candle in which the window begins is needed too.
      let first = operation.declared.interval(for: width)?.width ?? .zero
      return window.isPast || window.isAll ? nil : window.length + first
    case .quotes, .coinList, .top, .detail: return nil
    }
  }

  /// Returns the answer, or the page of it, in the last response, with the request for the page after it.
  ///
  /// - Throws: `BitpalError`: the source's own failure, or `.unreadable` with the problem and its place.
  package func step(after exchanges: [HTTPExchange], asking query: ProviderQuery, round: Int) throws -> DialectStep {
    guard let last = exchanges.last else { return .ask(try plan(query)) }
    let operation = try operation(query.capability)
    let isCounted = operation.declared.isCounted
    let rows = isCounted ? rows(in: last.response, of: operation, answering: query) : nil
    if isCounted, let end = try endOfCount(exchanges, of: rows, query) { throw end }
    func next() throws(BitpalError) -> HTTPRequest? {
      if isCounted { return try nextCounted(after: exchanges, of: rows, asking: query) }
      return try self.next(after: exchanges.map(\.request), asking: query, response: last.response)
    }
    do {
      let page = try answer(to: query, from: last.response)
      return try next().map { .page(page, next: $0) } ?? .answer(page)
    } catch let error as BitpalError where isCounted && exchanges.count > 1 && error.code == .notFound {
      // The page before was the last.
      throw noData(query)
    } catch let error as BitpalError where error.isEmptyPage {
      // A list may have an empty page in between; it ends with two of them, or with one that leads back.
      guard let next = try? next(), exchanges.count < 2 || !isEmpty(exchanges[exchanges.count - 2], query) else {
        throw error
      }
      return .ask([next])
    }
  }

  /// Returns whether a page has no rows.
  private func isEmpty(_ page: HTTPExchange, _ query: ProviderQuery) -> Bool {
    do { _ = try answer(to: query, from: page.response) } catch let error as BitpalError {
      return error.isEmptyPage
    } catch {}
    return false
  }

  /// Returns the answer of a response to a query.
  ///
  /// - Throws: `BitpalError`: the source's own failure, or `.unreadable` with the problem and its place.
  package func answer(to query: ProviderQuery, from response: HTTPResponse) throws -> ProviderAnswer {
    var operation = try operation(query.capability)
    let (response, warnings) = try json(of: response, operation, answering: query)
    if response.isSuccess, let unit = try unit(of: response, asked: query, operation) {
      guard let multiplied = operation.multiplied(by: unit) else {
        throw unreadable(
          "its factor times \(unit.plainText), of the unit of the prices, has more than 38 digits", operation)
      }
      operation = multiplied
    }
    var answer = try answer(to: query, operation, from: response)
    answer.warnings += warnings
    return answer
  }

  private func answer(
    to query: ProviderQuery, _ operation: CompiledOperation, from response: HTTPResponse
  ) throws -> ProviderAnswer {
    switch query {
    case .quotes(let coins, _): try quotes(coins, query, operation, from: response)
    case .top: throw noData(query)
    case .coinList: try coinList(operation, from: response)
    case .detail(let coin, _): try detail(coin, query, operation, from: response)
    case .line(let coin, _, _): try line(of: coin, query, operation, from: response)
    case .candles(let coin, _, _, let width): try candles(of: coin, width, query, operation, from: response)
    }
  }

  /// Returns the queries that together answer one: batches of coins, or stretches of a window.
  ///
  /// A stretch is as long as one answer of the source. A window that needs more than ``pageLimit`` gets the latest.
  package func pages(of query: ProviderQuery) -> [ProviderQuery] {
    if let window = query.window, let start = operations[query.capability]?.startOfPeriod {
      return periods(of: window, start).map { query.within($0) }
    }
    let namesDay = operations[query.capability]?.namesDay == true
    guard let window = query.window, let stretch = operations[query.capability]?.stretch(of: query),
      window.length > stretch || namesDay
    else { return listedBatches(of: query) }
    var pages: [ProviderQuery] = []
    // A window of the past does not contain its end, and midnight is of the next day.
    let isOfDays = window.isPast && window.end == window.end.startOfDay && namesDay
    var end = isOfDays ? window.end.adding(.milliseconds(-1)) : window.end
    // An address of midnight is that of the day which begins then, and may be the first of the window.
    while end > window.start || namesDay && window.contains(end), pages.count < Self.pageLimit {
      var start = end.adding(.zero - stretch)
      // Stretches of a line have one length, so that all have the same spacing.
      if case .candles = query { start = max(window.start, start) }
      pages.append(query.within(window.part(from: start, to: end)))
      end = start
    }
    return pages.reversed()
  }

  /// Returns the parts of a window in each calendar year or month, oldest first; at most the latest ``pageLimit``.
  private func periods(of window: TimeWindow, _ startOfPeriod: (Date) -> Date) -> [TimeWindow] {
    var parts: [TimeWindow] = []
    var end = window.end
    while end > window.start || parts.isEmpty, parts.count < Self.pageLimit {
      // A window does not contain its start, and midnight of the first day belongs to its year.
      let start = max(window.start, startOfPeriod(end).adding(.milliseconds(-1)))
      parts.append(window.part(from: start, to: end))
      end = start
    }
    return parts.reversed()
  }

  /// Returns batches of the coins in the source's scope; each other coin is a query that fails before it is sent.
  private func listedBatches(of query: ProviderQuery) -> [ProviderQuery] {
    guard case .quotes(let coins, let currency) = query, names.scope != .any else { return batches(of: query) }
    let others = coins.filter { !names.scope.has($0) }.map { ProviderQuery.quotes(coins: [$0], currency: currency) }
    return batches(of: .quotes(coins: coins.filter { names.scope.has($0) }, currency: currency)) + others
  }

  /// Returns the quote at a point of a coin's line.
  ///
  /// - Throws: `ValidationError` for a point that is not a price.
  package func quote(of coin: String, at point: ChartDataPoint) throws -> Coin {
    try Coin(
      validating: coin, symbol: names.shownSymbol(of: coin), name: names.shownName(of: coin),
      currentPrice: point.price, lastUpdated: point.timestamp)
  }

  /// The most requests for one chart (24).
  static let pageLimit = 24

  func operation(_ capability: Capability) throws(BitpalError) -> CompiledOperation {
    guard let operation = operations[capability] else {
      throw .unsupported(capability, provider: descriptor.id, others: [])
    }
    return operation
  }
}

extension DeclaredAPI.Header {
  fileprivate var isContentType: Bool { name.lowercased() == "content-type" }
}

extension CompiledOperation {
  /// The limit on how far back the operation answers; nil where there is none.
  fileprivate var reach: SourceReach? {
    let most = DeclarativeDialect.pageLimit
    if let startOfPeriod {
      let days = startOfPeriod(Date(milliseconds: 5_000_000_000)) == Date(milliseconds: 0) ? 366 : 31
      return SourceReach(.requests(most, rows: days), longest: .seconds(86_400) * (most * (days - 2)))
    }
    guard reaches.isEmpty, !declared.isCounted, let limit = declared.limit,
      let widest = declared.intervals.last?.width
    else { return nil }
    return hasEnd
      ? SourceReach(.requests(most, rows: limit), longest: widest * (most * max(1, limit - 2)))
      : SourceReach(.latest(rows: limit), longest: widest * limit)
  }

  /// Returns the spacing of the rows that answer a query; nil where the file has no widths.
  func spacing(of query: ProviderQuery) -> Duration? {
    switch query {
    case .line(_, _, let window): declared.interval(covering: window.length)?.width
    case .candles(_, _, _, let width): declared.interval(for: width)?.width
    case .quotes, .coinList, .top, .detail: nil
    }
  }

  /// Returns the longest window that one answer covers; nil where longer ones cannot be split into several requests.
  fileprivate func stretch(of query: ProviderQuery) -> Duration? {
    // A path with a limited reach has no older stretches.
    guard reaches.isEmpty, hasEnd, !declared.isCounted, let limit = declared.limit, let spacing = spacing(of: query)
    else { return nil }
    // Both ends are included, and for candles the one in which the window begins is requested too.
    let spare = if case .candles = query { 2 } else { 1 }
    return spacing * max(1, limit - spare)
  }

  /// Whether the request has the end of the window, so that older rows can be requested.
  var hasEnd: Bool {
    !placeholders.isDisjoint(with: [.to, .toMilliseconds, .toISO, .date])
  }
}
