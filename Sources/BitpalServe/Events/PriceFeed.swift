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

    /// The hash of what makes an event news: prices, changes, freshness and failures, but not the time of asking.
    let hash: Int

    init(_ list: PriceList, _ market: Market, _ currency: String) {
      bytes = Array("event: prices\ndata: \(list.output(market, currency: currency).jsonLine)\n".utf8)
      hash = Self.hash(of: list)
    }

    static func hash(of list: PriceList) -> Int {
      var hasher = Hasher()
      for quote in list.quotes {
        hasher.combine(quote.value.id)
        hasher.combine(quote.value.currentPrice)
        hasher.combine(quote.value.priceChange24h)
        hasher.combine(quote.freshness.isStale)
        hasher.combine(quote.freshness.isServedStale)
      }
      for failure in list.failures {
        hasher.combine(failure.coin)
        hasher.combine(failure.error.code)
      }
      return hasher.finalize()
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

  /// Returns a stream of the prices of some coins, which begins with the present ones.
  ///
  /// - Parameter first: The present prices.
  /// - Returns: Nil when there are too many listeners.
  func stream(_ names: [String], currency: String, first: PriceList) -> WebStream? {
    let stream = WebStream()
    let id = ObjectIdentifier(stream)
    let hash = Event.hash(of: first)
    stream.send(Self.retryLine)
    let place = listeners.withLock { listeners -> (isFree: Bool, isFirst: Bool) in
      guard listeners.values.reduce(0, { $0 + $1.count }) < Self.most else { return (false, false) }
      let isFirst = listeners[currency] == nil
      // Five hundred pages that are opened at once share the bytes of the first.
      let same = listeners[currency]?.values.first { $0.sent.hash == hash && $0.names == names }
      let shared = same?.sent ?? Event(first, market, currency)
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
    var known = Known()
    while true {
      try? await market.pace.sleep(for: Self.step)
      let current = listeners.withLock { listeners -> [ObjectIdentifier: Listener] in
        if listeners[currency]?.isEmpty == true { listeners[currency] = nil }
        return listeners[currency] ?? [:]
      }
      guard !current.isEmpty else { return }
      if market.isOnWeb { try? await renew(&known, Set(current.values.flatMap(\.names)), currency) }
      broadcast(current, known.answers, currency)
    }
  }

  /// Sends each listener its prices if they have changed, or a heartbeat after a long silence.
  private func broadcast(
    _ current: [ObjectIdentifier: Listener], _ known: SharedQuotes.Answers, _ currency: String
  ) {
    var lists: [[String]: (list: PriceList, hash: Int)] = [:]
    for names in Set(current.values.map(\.names)) where names.allSatisfy({ known[$0] != nil }) {
      let list = PriceList(names, known)
      lists[names] = (list, Event.hash(of: list))
    }
    var events: [[String]: Event] = [:]
    for (id, listener) in current {
      var news: Event?
      if let (list, hash) = lists[listener.names], hash != listener.sent.hash {
        news = events[listener.names] ?? Event(list, market, currency)
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

  /// The answers that streams were sent last, and when the source was last asked for each.
  private struct Known {
    var answers: SharedQuotes.Answers = [:]

    /// The look at which the source was last asked for a name.
    var asked: [String: Int] = [:]
    var looks = 0
  }

  /// Brings the answers up to date: from the cache, and from the source as far as streams may use its budget now.
  ///
  /// A price for which they may not ask now keeps its last answer.
  ///
  /// - Throws: `CancellationError`.
  private func renew(_ known: inout Known, _ names: Set<String>, _ currency: String) async throws {
    known.looks += 1
    let cached = try await market.quotes.cached(names.sorted(), currency: currency)
    known.answers = known.answers.filter { names.contains($0.key) }.merging(cached) { $1 }
    known.asked = known.asked.filter { names.contains($0.key) }
    // All have their turn, also beside a coin that always fails.
    let expired = names.subtracting(cached.keys)
      .sorted { (known.asked[$0] ?? 0, $0) < (known.asked[$1] ?? 0, $1) }
    guard !expired.isEmpty else { return }
    let wanted = (expired.count - 1) / coinsPerRequest + 1
    let requests = idle.withLock { $0.take(upTo: wanted, at: market.pace.monotonic) }
    guard requests > 0 else { return }
    let asked = Array(expired.prefix(requests * coinsPerRequest))
    for name in asked { known.asked[name] = known.looks }
    known.answers.merge(try await market.quotes.quotes(asked, currency: currency)) { old, new in
      // An answer that is being renewed is sent when the new one has come.
      if case .success(let quote) = new, case .stale(_, because: .renewing) = quote.freshness { old } else { new }
    }
  }
}
