import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService

/// A source of price streams: each listener receives all its prices at first, and again after every change.
///
/// One refresh serves all listeners of a currency, as often as the cache needs it: a hundred pages cost the source as
/// much as one.
final class PriceFeed: Sendable {
  /// The bytes of an event, shared by all listeners to the same prices.
  private struct Event: Sendable {
    let bytes: [UInt8]
    let hash: Int

    init(_ prices: PricesOutput) {
      let text = "event: prices\ndata: \(prices.jsonLine)\n"
      bytes = Array(text.utf8)
      hash = text.hashValue
    }
  }

  private struct Listener: Sendable {
    let names: [String]
    let stream: WebStream

    /// The last event sent.
    var sent: Event

    /// The time since the last event or heartbeat.
    var silence = Duration.zero
  }

  /// The interval between two looks at the cache: 2 s.
  static let step = Duration.seconds(2)

  /// The silence after which a listener is sent an empty line, which detects lost connections: 15 s.
  static let heartbeat = Duration.seconds(15)

  /// The time after which a client with a lost connection connects again: 3 s.
  private static let retry = Duration.seconds(3)
  private static let retryLine = Array("retry: \(retry.milliseconds)\n\n".utf8)

  /// The largest number of listeners; each holds a connection, and other requests need some too.
  static let most = 512

  /// The listeners by currency; one task per currency sends updates.
  private let listeners = Locked<[String: [ObjectIdentifier: Listener]]>([:])
  private let market: Market

  /// The part of the request budget that streams may use: half of that of the first source on the web.
  private let idle: Locked<IdleBudget>
  private let coinsPerRequest: Int

  init(_ market: Market) {
    self.market = market
    let source = market.service.descriptors.first { $0.needsNetwork }
    idle = Locked(IdleBudget(source?.budgets ?? []))
    coinsPerRequest = max(1, source?.coinsPerRequest ?? 1)
  }

  /// Returns a stream of the prices of some coins, which begins with the present ones.
  ///
  /// - Parameter first: The present prices.
  /// - Returns: Nil when there are too many listeners.
  func stream(_ names: [String], currency: String, first: PriceList) -> WebStream? {
    let stream = WebStream()
    let id = ObjectIdentifier(stream)
    let event = Event(first.output(market, currency: currency))
    stream.send(Self.retryLine)
    let place = listeners.withLock { listeners -> (isFree: Bool, isFirst: Bool) in
      guard listeners.values.reduce(0, { $0 + $1.count }) < Self.most else { return (false, false) }
      let isFirst = listeners[currency] == nil
      let same = listeners[currency]?.values.first { $0.sent.hash == event.hash && $0.names == names }
      let shared = same?.sent ?? event
      listeners[currency, default: [:]][id] = Listener(names: names, stream: stream, sent: shared)
      // Within the lock, so that no later event is sent before this one.
      stream.send(shared.bytes, isReplaceable: true)
      return (true, isFirst)
    }
    guard place.isFree else { return nil }
    stream.whenOver { [weak self] in
      self?.listeners.withLock { _ = $0[currency]?.removeValue(forKey: id) }
    }
    if place.isFirst { Task(executorPreference: BlockingPool.shared) { await self.refresh(currency) } }
    return stream
  }

  /// Sends updates to the listeners of a currency until the last one leaves.
  private func refresh(_ currency: String) async {
    while true {
      try? await market.pace.sleep(for: Self.step)
      let current = listeners.withLock { listeners -> [ObjectIdentifier: Listener] in
        if listeners[currency]?.isEmpty == true { listeners[currency] = nil }
        return listeners[currency] ?? [:]
      }
      guard !current.isEmpty else { return }
      await broadcast(current, currency)
    }
  }

  /// Sends each listener its prices if they have changed, or a heartbeat after a long silence.
  private func broadcast(_ current: [ObjectIdentifier: Listener], _ currency: String) async {
    let events = market.isOnWeb ? await events(for: current.values.map(\.names), currency) : [:]
    for (id, listener) in current {
      let event = events[listener.names]
      let isNews = event.map { $0.hash != listener.sent.hash } ?? false
      let silence = isNews ? .zero : listener.silence + Self.step
      if isNews, let event {
        listener.stream.send(event.bytes, isReplaceable: true)
      } else if silence >= Self.heartbeat {
        listener.stream.sendHeartbeat()
      }
      listeners.withLock { listeners in
        listeners[currency]?[id]?.silence = silence >= Self.heartbeat ? .zero : silence
        if let event { listeners[currency]?[id]?.sent = event }
      }
    }
  }

  /// Returns the event for each list of names; empty while streams have used their half of the budget.
  private func events(for lists: [[String]], _ currency: String) async -> [[String]: Event] {
    let lists = Set(lists)
    let all = Set(lists.flatMap(\.self)).sorted()
    guard let answers = try? await answers(all, currency) else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: lists.map { names in
        (names, Event(PriceList(names, answers).output(market, currency: currency)))
      })
  }

  /// Returns prices from the cache, or from the source if streams may use its budget now; nil otherwise.
  private func answers(_ names: [String], _ currency: String) async throws -> SharedQuotes.Answers? {
    if let cached = try await market.quotes.cached(names, currency: currency) { return cached }
    let requests = (names.count - 1) / coinsPerRequest + 1
    guard idle.withLock({ $0.take(requests, at: market.pace.monotonic) }) else { return nil }
    return try await market.quotes.quotes(names, currency: currency)
  }
}
