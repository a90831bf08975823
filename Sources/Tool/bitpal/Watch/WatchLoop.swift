import Bitpal
import BitpalModel

/// A loop that passes the updates of a ticker and other events to a ``WatchModel``, and performs the effects that it
/// returns.
struct WatchLoop: Sendable {
  private enum Mail: Sendable {
    case event(WatchModel.Event)

    /// The next element of the ticker, and the iterator after it.
    case tick(PriceTicker<SteadyRule>.Element?, PriceTicker<SteadyRule>.Iterator)
  }

  private let time: any TimeSource
  private let ticker: PriceTicker<SteadyRule>
  private let events: AsyncStream<Mail>
  private let mailbox: AsyncStream<Mail>.Continuation

  init(_ ticker: PriceTicker<SteadyRule>, on time: any TimeSource) {
    self.time = time
    self.ticker = ticker
    (events, mailbox) = AsyncStream.makeStream()
  }

  /// Posts an event, from any thread.
  func post(_ event: WatchModel.Event) {
    mailbox.yield(.event(event))
  }

  /// Runs until the model ends the watch.
  ///
  /// - Parameter show: A function that is called with the model and its effects after each event.
  /// - Returns: The last state of the model.
  /// - Throws: The errors of `show`.
  func run(_ model: WatchModel, show: (WatchModel, WatchModel.Effects) throws -> Void) async throws -> WatchModel {
    var model = model
    var timer: Task<Void, Never>?
    var pull = next(ticker.makeAsyncIterator())
    defer {
      pull.cancel()
      timer?.cancel()
    }
    for await mail in events {
      let event: WatchModel.Event
      var iterator: PriceTicker<SteadyRule>.Iterator?
      switch mail {
      case .event(let posted): event = posted
      case .tick(.asking?, let after): (event, iterator) = (.asking, after)
      case .tick(.update(let update)?, let after): (event, iterator) = (.update(update), after)
      case .tick(nil, _): event = .over
      }
      let effects = model.handle(event, at: time.monotonic)
      try show(model, effects)
      if effects.contains(.quit) { return model }
      if effects.contains(.ask) { ticker.askNow() }
      // The ticker goes on only after its last element was shown.
      if let iterator { pull = next(iterator) }
      timer?.cancel()
      timer = model.wake(after: time.monotonic).map { instant in
        Task { [time, mailbox] in
          guard (try? await time.sleep(for: instant - time.monotonic)) != nil, !Task.isCancelled else { return }
          mailbox.yield(.event(.clock))
        }
      }
    }
    return model
  }

  /// Posts the next element of the ticker when it has come.
  private func next(_ iterator: PriceTicker<SteadyRule>.Iterator) -> Task<Void, Never> {
    Task { [mailbox] in
      var iterator = iterator
      let element = await iterator.next()
      if !Task.isCancelled { mailbox.yield(.tick(element, iterator)) }
    }
  }
}
