import Bitpal
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries

/// A source of price streams: each listener receives all its prices at first, and again after every change.
///
/// One `PriceTicker` serves all listeners of a currency, as often as the cache needs it: a hundred pages cost the source
/// as much as one.
final class PriceFeed: Sendable {
  /// The bytes of an event, shared by all listeners to the same prices.
  private struct Event: Sendable {
    let bytes: [UInt8]

    /// The states of its prices: an event with others is news.
    let states: [PriceState]

    init(_ prices: QuotesAnswer, _ currency: String, _ market: Market) {
      let line = market.output(prices, currency: currency).jsonLine
      bytes = Array("event: prices\ndata: \(line)\n".utf8)
      states = prices.states
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
    // No list of names is longer.
    coinsPerRequest = max(1, min(source?.coinsPerRequest ?? 1, 1_000_000))
  }

  /// Returns a stream of the prices of a question, which begins with the present ones.
  ///
  /// - Parameters:
  ///   - first: The present prices.
  ///   - currency: Their currency, in lower case.
  /// - Returns: Nil when there are too many listeners.
  func stream(_ first: QuotesAnswer, in currency: String) -> WebStream? {
    let names = first.coins
    let stream = WebStream()
    let id = ObjectIdentifier(stream)
    let states = first.states
    stream.send(Self.retryLine)
    let place = listeners.withLock { listeners -> (isFree: Bool, isFirst: Bool) in
      guard listeners.values.reduce(0, { $0 + $1.count }) < Self.most else { return (false, false) }
      let isFirst = listeners[currency] == nil
      // Five hundred pages that are opened at once share the bytes of the first.
      let same = listeners[currency]?.values.first { $0.names == names && $0.sent.states == states }
      let shared = same?.sent ?? Event(first, currency, market)
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
    let rule = ExpiryRule(
      every: Self.step, from: market.pace.monotonic, coinsPerRequest: coinsPerRequest,
      coins: { [listeners] in
        listeners.withLock { listeners in
          if listeners[currency]?.isEmpty == true { listeners[currency] = nil }
          return Set((listeners[currency] ?? [:]).values.flatMap(\.names))
        }
      },
      cached: { [market] names in
        guard market.isOnWeb else { return nil }
        let query = PricesQuery(names, currency: currency)
        return try? await query.answer(by: market.service, policy: .cached).outcomes
          .filter { _, answer in (try? answer.get())?.freshness.isServedStale == false }
      }, room: { [idle] requests, now in idle.withLock { $0.take(upTo: requests, at: now) } })
    let ticker = PriceTicker(rule, on: market.pace) { [market] coins, _ in
      try await market.quotes.answer(PricesQuery(coins, currency: currency))
    }
    for await case .update(let update) in ticker { broadcast(update.answer, in: currency) }
  }

  /// Sends each listener its prices if they have changed, or a heartbeat after a long silence.
  private func broadcast(_ known: QuotesAnswer, in currency: String) {
    let current = listeners.withLock { $0[currency] ?? [:] }
    var lists: [[String]: (prices: QuotesAnswer, states: [PriceState])] = [:]
    for names in Set(current.values.map(\.names)) where names.allSatisfy({ known.outcomes[$0] != nil }) {
      let prices = QuotesAnswer(names, known.outcomes)
      lists[names] = (prices, prices.states)
    }
    var events: [[String]: Event] = [:]
    for (id, listener) in current {
      var news: Event?
      if let (prices, states) = lists[listener.names], states != listener.sent.states {
        news = events[listener.names] ?? Event(prices, currency, market)
        events[listener.names] = news
      }
      let silence = news == nil ? listener.silence + Self.step : .zero
      if let news {
        listener.stream.send(news.bytes, isReplaceable: true)
      } else if silence >= Self.heartbeat {
        listener.stream.sendHeartbeat()
      }
      listeners.withLock { listeners in
        listeners[currency]?[id]?.silence = silence >= Self.heartbeat ? .zero : silence
        if let news { listeners[currency]?[id]?.sent = news }
      }
    }
  }
}
