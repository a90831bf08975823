package import BitpalModel
import FoundationEssentials

/// A sequence of the updates of prices, for a screen or a stream that follows them.
///
/// Due → ask → changed? Its rule decides when coins are due, the ticker waits and asks, and ``QuotesAnswer/states`` show
/// a change. The next wait or request begins when the next element is taken.
package struct PriceTicker<Rule: AskingRule>: AsyncSequence, Sendable {
  /// The beginning of a request, or an update.
  package enum Element: Sendable {
    case asking
    case update(PriceUpdate)
  }

  /// A function that asks for the prices of coins; `isFirst` is true for the first call.
  package typealias Ask = @Sendable (_ coins: [String], _ isFirst: Bool) async throws -> QuotesAnswer

  private let rule: Rule
  private let time: any TimeSource
  private let ask: Ask
  private let alarm = Alarm()

  /// Creates a ticker.
  ///
  /// - Parameters:
  ///   - rule: The rule in its first state.
  ///   - time: The clock by which the rule waits.
  package init(_ rule: Rule, on time: any TimeSource, ask: @escaping Ask) {
    self.rule = rule
    self.time = time
    self.ask = ask
  }

  /// Ends the present wait, so that the coins are asked for at once.
  package func askNow() { alarm.ring() }

  package func makeAsyncIterator() -> Iterator { Iterator(ticker: self, rule: rule) }

  /// The state of one run through the updates; each wait and each request ends with its task.
  package struct Iterator: AsyncIteratorProtocol, Sendable {
    fileprivate let ticker: PriceTicker
    private var rule: Rule
    private var due: [String]?
    private var isFirst = true

    fileprivate init(ticker: PriceTicker, rule: Rule) {
      self.ticker = ticker
      self.rule = rule
    }

    /// Returns the next element; nil when nothing is left to ask for, and after a cancellation.
    package mutating func next() async -> Element? {
      if let due {
        self.due = nil
        return await asked(due).map(Element.update)
      }
      await ticker.alarm.wait(for: rule.next - ticker.time.monotonic, on: ticker.time)
      guard !Task.isCancelled, let coins = await rule.due(at: ticker.time.monotonic) else { return nil }
      if coins.isEmpty { return .update(update()) }
      due = coins
      return .asking
    }

    private mutating func asked(_ coins: [String]) async -> PriceUpdate? {
      let begun = ticker.time.monotonic
      var outcome: Result<QuotesAnswer, BitpalError>
      do {
        outcome = .success(try await ticker.ask(coins, isFirst))
      } catch is CancellationError {
        return nil
      } catch {
        outcome = .failure(error as? BitpalError ?? .unreadable(provider: "the source", reason: "\(error)"))
      }
      isFirst = false
      rule.take(outcome, to: coins, askedAt: begun, now: ticker.time.monotonic)
      return update()
    }

    private func update() -> PriceUpdate {
      PriceUpdate(
        answer: QuotesAnswer(rule.coins, rule.known), failure: rule.failure,
        next: rule.next)
    }
  }
}

/// The prices that are known after a look or a request.
package struct PriceUpdate: Sendable {
  package let answer: QuotesAnswer

  /// The failure that prevents new prices; nil when the last request had some.
  package let failure: RefreshFailure?

  /// The instant of the next look, on the clock of the ticker.
  package let next: Duration

  package init(answer: QuotesAnswer, failure: RefreshFailure?, next: Duration) {
    self.answer = answer
    self.failure = failure
    self.next = next
  }
}

/// The failure that prevents new prices, and the number of failed attempts in a row.
package struct RefreshFailure: Equatable, Sendable {
  /// The cause, in a sentence.
  package let message: String
  package let tries: Int

  package init(message: String, tries: Int) {
    self.message = message
    self.tries = tries
  }
}

/// The part of an answer that makes it news: its price, change and freshness, or its failure.
///
/// The time of the request is not part of it, so that the same price fetched again is not a change.
package struct PriceState: Hashable, Sendable {
  private enum Content: Hashable {
    case price(id: String, price: Decimal, change: Decimal?, isStale: Bool, isServedStale: Bool)
    case failure(ErrorCode)
  }

  private let content: Content

  /// Creates the state of an answer.
  package init(_ outcome: Result<Sourced<Coin>, BitpalError>) {
    switch outcome {
    case .success(let quote):
      content = .price(
        id: quote.value.id, price: quote.value.currentPrice, change: quote.value.priceChangePercentage24h,
        isStale: quote.freshness.isStale, isServedStale: quote.freshness.isServedStale)
    case .failure(let error): content = .failure(error.code)
    }
  }
}

extension QuotesAnswer {
  /// The states of the coins in the order of the question; two answers with the same states are the same news.
  package var states: [PriceState] { coins.compactMap { outcomes[$0].map(PriceState.init) } }
}

extension PriceService {
  /// Returns the prices of coins again and again: at once, and after each change of a price, its freshness or its
  /// failure.
  ///
  /// It asks for all coins together, more rarely while the source fails, and never for a coin that does not exist again.
  /// A price that is fetched again without a change is not an element. A consumer that is slower than the prices gets
  /// the last ones. The stream ends with its task, and when no coin is left.
  ///
  /// ```swift
  /// for await answer in service.updates(of: coins, every: .seconds(30)) {
  ///   for quote in answer.quotes { print(quote.name, NumberFormat.price(quote.price), quote.freshness) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - coins: Ids, aliases or symbols.
  ///   - currency: The currency, in lower case.
  ///   - pace: The time between two requests, above zero. Prices that are fresh by the settings are not fetched again.
  public func updates(
    of coins: [String], currency: String = "usd", every pace: Duration = .seconds(30)
  ) -> AsyncStream<QuotesAnswer> {
    let rule = SteadyRule(coins, every: pace, from: time.monotonic) { name(ofID: $0) }
    let ticker = PriceTicker(rule, on: time) { coins, _ in try await quotes(coins, currency: currency) }
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { updates in
      let task = Task(executorPreference: BlockingPool.shared) {
        var last: [PriceState]?
        for await case .update(let update) in ticker where update.answer.states != last {
          last = update.answer.states
          updates.yield(update.answer)
        }
        updates.finish()
      }
      updates.onTermination = { _ in task.cancel() }
    }
  }
}

/// A wait that can be ended early.
private final class Alarm: Sendable {
  private struct State {
    var sleeper: Task<Void, Never>?

    /// Whether the next wait is over before it begins.
    var isRung = false
  }

  private let state = Locked(State())

  func wait(for duration: Duration, on time: any TimeSource) async {
    guard duration > .zero else { return }
    let task = Task { _ = try? await time.sleep(for: duration) }
    let isRung = state.withLock { state in
      defer { state = State(sleeper: task) }
      return state.isRung
    }
    if isRung { task.cancel() }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    state.withLock { $0.sleeper = nil }
  }

  func ring() {
    state.withLock { state in
      state.isRung = state.sleeper == nil
      state.sleeper?.cancel()
    }
  }
}
