import BitpalModel
import FoundationEssentials

extension DeclarativeDialect {
  /// Returns the values of the placeholders of a request.
  ///
  /// - Throws: `.unsupportedCurrency` for one that the file does not list, `.notFound` for a coin outside the scope or
  ///   without a required ticker, `.planLimit` for a past window at a source whose requests have no end.
  func values(
    for query: ProviderQuery, _ operation: CompiledOperation
  ) throws(BitpalError) -> [DeclaredPlaceholder: String] {
    var values: [DeclaredPlaceholder: String] = [:]
    if let currency = query.currency {
      guard descriptor.mayAnswer(in: currency) else {
        throw .unsupportedCurrency(currency, provider: descriptor.id, supported: descriptor.currencies)
      }
      let code = names.code(of: currency)
      values[.currency] = code.lowercased()
      values[.upperCurrency] = code
    }
    try fill(&values, with: query.coins, operation)
    switch query {
    case .quotes, .coinList, .top, .detail: break
    case .line(_, _, let window):
      try check(query, operation)
      values[.interval] = operation.declared.interval(covering: window.length)?.code
      fill(&values, with: window)
    case .candles(_, _, let window, let wanted):
      guard let interval = operation.declared.interval(for: wanted) else { break }
      values[.interval] = interval.code
      try check(query, operation)
      // Sources select candles by their opening, and the first candle opens before the window begins.
      fill(
        &values,
        with: TimeWindow(start: window.start.adding(.zero - interval.width), end: window.end, isPast: window.isPast))
    }
    return values
  }

  /// Sets the names of the coins: of all coins in a batch, otherwise of the first.
  ///
  /// An unknown ticker is an error only where the request needs it. A batch leaves out coins without a ticker, which
  /// then have no row.
  private func fill(
    _ values: inout [DeclaredPlaceholder: String], with coins: [String], _ operation: CompiledOperation
  ) throws(BitpalError) {
    guard let asked = coins.first else { return }
    let coins = coins.filter { names.scope.has($0) }
    guard let first = coins.first else { throw .notFound(coin: asked, provider: descriptor.id) }
    if operation.declared.batch != nil {
      values[.ids] = coins.map { names.id(of: $0) }.joined(separator: ",")
      let symbols = coins.compactMap { names.symbol(of: $0) }
      guard !symbols.isEmpty || !operation.needsSymbol else { throw noSymbol(first) }
      values[.upperSymbols] = symbols.joined(separator: ",")
      return
    }
    values[.id] = names.id(of: first)
    values[.upperID] = names.id(of: first).uppercased()
    let symbol = names.symbol(of: first)
    guard symbol != nil || !operation.needsSymbol else { throw noSymbol(first) }
    values[.symbol] = symbol?.lowercased()
    values[.upperSymbol] = symbol
  }

  /// Sets the window in every notation; the number of days is rounded up, so that they cover the window.
  private func fill(_ values: inout [DeclaredPlaceholder: String], with window: TimeWindow) {
    let start = window.start.milliseconds
    let end = window.end.milliseconds
    values[.days] = String(max(1, (window.length.milliseconds + 86_399_999) / 86_400_000))
    values[.fromMilliseconds] = String(start)
    values[.toMilliseconds] = String(end)
    values[.from] = String(start / 1000)
    values[.to] = String(end / 1000)
    values[.fromISO] = Date(milliseconds: start / 1000 * 1000).iso8601
    values[.toISO] = Date(milliseconds: end / 1000 * 1000).iso8601
  }

  /// Throws for a past window at a source whose requests have no end, because its latest rows are later.
  private func check(_ query: ProviderQuery, _ operation: CompiledOperation) throws(BitpalError) {
    // A path that goes back to the beginning includes past windows.
    guard query.window?.isPast == true, !operation.hasEnd, operation.reaches.isEmpty else { return }
    let reason =
      operation.declared.limit.map { "it gives only its latest \($0), and no older ones" }
      ?? "it cannot be asked for a time that ended in the past"
    throw .planLimit(provider: descriptor.id, reason: reason)
  }

  /// Returns the failure of a coin without a ticker at a source that is asked by ticker.
  private func noSymbol(_ coin: String) -> BitpalError {
    .notFound(coin: coin, provider: descriptor.id)
  }

  /// Returns the values of the parameters of a SELECT; empty for a SELECT without parameters.
  func parameters(for query: ProviderQuery, _ operation: CompiledOperation) -> [String: String] {
    operation.parameters.isEmpty ? [:] : names(of: query)
  }

  /// Returns the names of the query's currency and of its only coin, as parameters.
  func names(of query: ProviderQuery) -> [String: String] {
    var values: [String: String] = [:]
    if let currency = query.currency {
      let code = names.code(of: currency)
      values[":currency"] = code.lowercased()
      values[":CURRENCY"] = code
    }
    if let coin = query.coins.first, query.coins.count == 1 {
      values[":id"] = names.id(of: coin)
      values[":ID"] = names.id(of: coin).uppercased()
      let symbol = names.symbol(of: coin)
      values[":symbol"] = symbol?.lowercased()
      values[":SYMBOL"] = symbol
    }
    return values
  }
}
