import BitpalModel
import BitpalService

/// A loop that passes events to a ``WatchModel`` and performs the effects that it returns.
struct WatchLoop: Sendable {
  /// A function that asks for prices; `isFirst` is true for the first call.
  typealias Ask = @Sendable (_ coins: [String], _ isFirst: Bool) async throws -> QuotesAnswer

  private let time: any TimeSource
  private let ask: Ask
  private let events: AsyncStream<WatchModel.Event>
  private let mailbox: AsyncStream<WatchModel.Event>.Continuation

  init(time: any TimeSource, ask: @escaping Ask) {
    self.time = time
    self.ask = ask
    (events, mailbox) = AsyncStream.makeStream()
  }

  /// Posts an event, from any thread.
  func post(_ event: WatchModel.Event) {
    mailbox.yield(event)
  }

  /// Runs until the model ends the watch.
  ///
  /// - Parameter show: A function that is called with the model and its effects after each event.
  /// - Returns: The last state of the model.
  /// - Throws: The errors of `show`.
  func run(_ model: WatchModel, show: (WatchModel, WatchModel.Effects) throws -> Void) async throws -> WatchModel {
    var model = model
    var isFirst = true
    var question: Task<Void, Never>?
    var timer: Task<Void, Never>?
    defer {
      question?.cancel()
      timer?.cancel()
    }
    var iterator = events.makeAsyncIterator()
    var effects = model.handle(.start, at: time.monotonic)
    while true {
      if effects.contains(.ask) {
        question = start(model.asked, isFirst)
        isFirst = false
      }
      try show(model, effects)
      if effects.contains(.quit) { return model }
      timer?.cancel()
      timer = model.wake(after: time.monotonic).map { instant in
        Task { [time, mailbox] in
          guard (try? await time.sleep(for: instant - time.monotonic)) != nil, !Task.isCancelled else { return }
          mailbox.yield(.clock)
        }
      }
      guard let event = await iterator.next() else { return model }
      effects = model.handle(event, at: time.monotonic)
    }
  }

  private func start(_ coins: [String], _ isFirst: Bool) -> Task<Void, Never> {
    Task { [ask, mailbox] in
      do {
        mailbox.yield(.answer(try await ask(coins, isFirst)))
      } catch is CancellationError {
      } catch {
        mailbox.yield(.failure(error as? BitpalError ?? .unreadable(provider: "the source", reason: "\(error)")))
      }
    }
  }
}
