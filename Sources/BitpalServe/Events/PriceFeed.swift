import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService

/// Prices for those who listen: all of theirs at once, and again whenever one has changed.
///
/// The listeners of a currency are asked for together, as often as the cache wants it: a hundred pages cost the source what
/// one costs.
final class PriceFeed: Sendable {
  private struct Listener: Sendable {
    let names: [String]
    let stream: WebStream

    /// The hash of what it was sent last, of which each client would otherwise keep a copy.
    var sent: Int

    /// How long it has been told nothing.
    var silence = Duration.zero
  }

  /// Every how often the cache is looked at.
  static let step = Duration.seconds(2)

  /// After how long a listener is sent an empty line, by which a connection that is gone is found out.
  static let heartbeat = Duration.seconds(15)

  /// After how long a client asks again whose connection was lost.
  private static let retry = Duration.seconds(3)

  /// The most listeners; each has a connection, of which others want some too.
  static let most = 512

  /// By currency; a currency that is here has a task that looks after it.
  private let listeners = Locked<[String: [ObjectIdentifier: Listener]]>([:])
  private let market: Market

  /// The half of the budget of the first source on the web, which usually answers, that streams may use.
  private let idle: Locked<IdleBudget>
  private let coinsPerRequest: Int

  init(_ market: Market) {
    self.market = market
    let source = market.service.descriptors.first { $0.needsNetwork }
    idle = Locked(IdleBudget(source?.budgets ?? []))
    coinsPerRequest = max(1, source?.coinsPerRequest ?? 1)
  }

  /// A stream of the prices of some coins, which begins with those of now.
  ///
  /// - Parameter first: What they are now.
  /// - Returns: Nil when there are too many listeners.
  func stream(_ names: [String], currency: String, first: PriceList) -> WebStream? {
    let stream = WebStream()
    let id = ObjectIdentifier(stream)
    let text = Self.event(first.output(market, currency: currency))
    let listener = Listener(names: names, stream: stream, sent: text.hashValue)
    let place = listeners.withLock { listeners -> (isFree: Bool, isFirst: Bool) in
      guard listeners.values.reduce(0, { $0 + $1.count }) < Self.most else { return (false, false) }
      let isFirst = listeners[currency] == nil
      listeners[currency, default: [:]][id] = listener
      return (true, isFirst)
    }
    guard place.isFree else { return nil }
    stream.send(Array("retry: \(Self.retry.milliseconds)\n\n\(text)".utf8), isReplaceable: true)
    stream.whenOver { [weak self] in
      self?.listeners.withLock { _ = $0[currency]?.removeValue(forKey: id) }
    }
    if place.isFirst { Task(executorPreference: BlockingPool.shared) { await self.look(after: currency) } }
    return stream
  }

  /// Goes round until nobody listens any more.
  private func look(after currency: String) async {
    while true {
      try? await market.pace.sleep(for: Self.step)
      let current = listeners.withLock { listeners -> [ObjectIdentifier: Listener] in
        if listeners[currency]?.isEmpty == true { listeners[currency] = nil }
        return listeners[currency] ?? [:]
      }
      guard !current.isEmpty else { return }
      await goRound(current, currency)
    }
  }

  /// Tells each what has changed for it.
  private func goRound(_ current: [ObjectIdentifier: Listener], _ currency: String) async {
    let texts = market.isOnWeb ? await texts(for: current.values.map(\.names), currency) : [:]
    for (id, listener) in current {
      let text = texts[listener.names]
      let isNews = text.map { $0.hash != listener.sent } ?? false
      let silence = isNews ? .zero : listener.silence + Self.step
      if isNews, let text {
        listener.stream.send(text.bytes, isReplaceable: true)
      } else if silence >= Self.heartbeat {
        listener.stream.sendHeartbeat()
      }
      listeners.withLock { listeners in
        listeners[currency]?[id]?.silence = silence >= Self.heartbeat ? .zero : silence
        if let text { listeners[currency]?[id]?.sent = text.hash }
      }
    }
  }

  /// Returns the event for each list of names; none while streams have used their half of the budget.
  private func texts(
    for lists: [[String]], _ currency: String
  ) async -> [[String]: (bytes: [UInt8], hash: Int)] {
    let lists = Set(lists)
    let all = Set(lists.flatMap(\.self)).sorted()
    guard let answers = try? await answers(all, currency) else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: lists.map { names in
        let text = Self.event(PriceList(names, answers).output(market, currency: currency))
        return (names, (Array(text.utf8), text.hashValue))
      })
  }

  /// Returns the prices out of the cache, or of the source if streams may ask it now; nil otherwise.
  private func answers(_ names: [String], _ currency: String) async throws -> SharedQuotes.Answers? {
    if let cached = try await market.quotes.cached(names, currency: currency) { return cached }
    let requests = (names.count - 1) / coinsPerRequest + 1
    guard idle.withLock({ $0.take(requests, at: market.pace.monotonic) }) else { return nil }
    return try await market.quotes.quotes(names, currency: currency)
  }

  private static func event(_ prices: PricesOutput) -> String {
    "event: prices\ndata: \(prices.jsonLine)\n"
  }
}
