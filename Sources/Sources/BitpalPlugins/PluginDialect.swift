package import BitpalModel
package import BitpalNetwork
package import BitpalProviders

/// A dialect implemented by a program in any language, which plans requests and reads responses; the host sends the
/// requests.
package struct PluginDialect: Dialect {
  /// The provider's names, capabilities and limits.
  package let descriptor: ProviderDescriptor

  /// The request budgets that the plugin names; empty where it names none.
  package let rateLimits: [RateLimit]

  private let host: PluginHost
  private let rows: PluginRows
  private let requests: PluginRequests
  private let time: any TimeSource

  /// Creates a plugin dialect.
  ///
  /// - Parameters:
  ///   - specification: The provider's file.
  ///   - host: The host that exchanges messages with the program; it sends `hello` unless the manifest is cached.
  ///   - key: The key, if one is set; it is sent only to the hosts under `key_hosts`.
  ///   - time: The clock whose time the plugin gets as `now`.
  ///   - symbol: Returns a coin's ticker that the file's `symbols` do not have; nil when it is unknown.
  /// - Throws: `BitpalError.plugin` when the program cannot be started, or its `hello` breaks the protocol.
  package init(
    _ specification: ProviderSpecification, host: PluginHost, key: Secret? = nil, time: any TimeSource,
    symbol: @escaping @Sendable (String) -> String? = { _ in nil }
  ) throws(BitpalError) {
    let hello = try host.hello()
    self.host = host
    self.time = time
    rows = PluginRows(specification, hello, symbol: symbol)
    requests = PluginRequests(
      hello: hello, limits: host.limits, hosts: Set(specification.plugin?.hosts ?? []),
      mayAskPrivateHosts: specification.plugin?.mayAskPrivateHosts ?? false, key: key,
      keyHosts: Set(specification.keyHosts.map { $0.lowercased() }))
    rateLimits = hello.rateLimits
    descriptor = ProviderDescriptor(
      id: specification.id,
      name: specification.name == specification.id ? hello.name ?? specification.name : specification.name,
      kind: specification.kindName, capabilities: hello.capabilities,
      currencies: specification.currencies ?? hello.currencies, candleWidths: hello.intervals.map(\.width),
      coinsPerRequest: hello.batch, attribution: specification.attribution ?? hello.attribution,
      maxAge: specification.maxAge ?? ProviderDescriptor.usualMaxAge,
      hasCurrencies: rows.names.haveCurrencies ? true : nil, listedIDs: .own,
      cacheIdentity: CacheIdentity.of(specification, plugin: host.identity))
  }

  /// The thread that waits for the program; nil when the system has no more threads.
  package var executor: (any TaskExecutor)? { host.thread }

  /// Returns batches of as many coins as the plugin takes in one question, without asking the plugin.
  package func pages(of query: ProviderQuery) -> [ProviderQuery] {
    guard case .quotes(let coins, let currency) = query else { return [query] }
    return stride(from: 0, to: coins.count, by: max(1, descriptor.coinsPerRequest)).map { start in
      .quotes(coins: Array(coins[start..<min(coins.count, start + descriptor.coinsPerRequest)]), currency: currency)
    }
  }

  /// Returns the requests that the plugin plans.
  ///
  /// - Throws: `BitpalError.unsupported` and `.unsupportedCurrency` for a query outside the manifest, the failure that
  ///   the plugin reports, `.plugin` when it breaks a rule, `.timedOut` when no time is left.
  package func plan(_ query: ProviderQuery) throws(BitpalError) -> [HTTPRequest] {
    guard descriptor.capabilities.contains(query.capability) else { throw unsupported(query) }
    if let currency = query.currency, !descriptor.mayAnswer(in: currency) {
      throw .unsupportedCurrency(currency, provider: descriptor.id, supported: descriptor.currencies)
    }
    let message = try host.ask(question(query).plan, "plan", within: timeLeft)
    if let failure = failure(in: message, asked: query) { throw failure }
    return try read(message, "$.requests")
  }

  /// Returns the plugin's next step after the responses: its answer, or more requests.
  ///
  /// - Throws: `BitpalError.plugin` when the plugin breaks a rule or asks for more than ``PluginLimits/rounds`` times,
  ///   otherwise the failure that the plugin or the response's status reports.
  package func step(
    after exchanges: [HTTPExchange], asking query: ProviderQuery, round: Int
  ) throws -> DialectStep {
    // The host reads a refusal, so that it can start the cool-down, unless the manifest claims that status.
    for exchange in exchanges where !requests.hello.reads(exchange.response.status) {
      return .answer(try rows.refusal(exchange.response, asked: query))
    }
    let message = try host.ask(question(query).parse(exchanges), "parse", within: timeLeft)
    if let failure = failure(in: message, asked: query) { throw failure }
    guard message.keys.contains("next") else { return .answer(try answer(to: query, from: message)) }
    guard round < host.limits.rounds else {
      throw broken("has asked for more \(round) times and wants more still; \(host.limits.rounds) times it can")
    }
    return .ask(try read(message, "$.next"))
  }

  // MARK: Messages

  private var timeLeft: Duration? { Deadline.current.map { $0 - time.monotonic } }

  private func question(_ query: ProviderQuery) -> PluginQuestion {
    PluginQuestion(query, symbol: rows.names.shownSymbol, interval: rows.interval(for: query), now: time.now)
  }

  private func read(_ message: PluginMessage, _ path: String) throws(BitpalError) -> [HTTPRequest] {
    do throws(PluginFault) {
      return try requests.read(message, at: path)
    } catch {
      throw error.error(of: descriptor.id)
    }
  }

  private func answer(to query: ProviderQuery, from message: PluginMessage) throws -> ProviderAnswer {
    do {
      return try rows.answer(to: query, from: message)
    } catch let fault as PluginFault {
      throw fault.error(of: descriptor.id)
    } catch BitpalError.unreadable(_, let reason) {
      // The rows are the plugin's answer, so the failure is the plugin's and not the source's.
      throw broken("answered with rows that cannot be used: \(reason)")
    }
  }

  private func broken(_ rule: String) -> BitpalError { PluginFault.broken(rule).error(of: descriptor.id) }

  // MARK: Failures

  /// Returns the failure that a plugin reports in `error`; nil when the message has none.
  private func failure(in message: PluginMessage, asked query: ProviderQuery) -> BitpalError? {
    guard message.keys.contains("error") else { return nil }
    let id = descriptor.id
    let reply: (code: String?, message: String?, coin: String?)
    do throws(PluginFault) {
      reply = try (
        message.text("$.error.code"), message.text("$.error.message"), message.text("$.error.coin")
      )
    } catch {
      return error.error(of: id)
    }
    let code = reply.code ?? ""
    let message = reply.message?.printable(limit: 200) ?? "without a message"
    let coin = reply.coin.flatMap { query.coins.contains($0) ? $0 : nil } ?? query.coins.first ?? "?"
    switch DeclaredAPI.Meaning(rawValue: code) {
    case .notFound: return .notFound(coin: coin, provider: id)
    case .noPrice: return .noPrice(coin: coin, provider: id, reason: message)
    case .noData: return .noData(question: "\(query.capability.rawValue) of \(coin)", provider: id)
    case .unsupportedCurrency:
      return .unsupportedCurrency(query.currency ?? "?", provider: id, supported: descriptor.currencies)
    case .rateLimited: return .rateLimited(provider: id, wait: nil, reason: message)
    case .unauthorized: return .unauthorized(provider: id, reason: message)
    case .planLimit: return .planLimit(provider: id, reason: message)
    case nil: break
    }
    switch code {
    case "unreadable": return .unreadable(provider: id, reason: message)
    default: return broken("answers with the error \(code.printable(limit: 40)), which there is none of (\(message))")
    }
  }

  private func unsupported(_ query: ProviderQuery) -> BitpalError {
    .unsupported(query.capability, provider: descriptor.id, others: [])
  }
}
