import BitpalModel
import BitpalNetwork

extension ProviderConformance {
  /// A source that never answers, reports each request, and can be cancelled.
  private struct Silent: Transport {
    let asked: AsyncStream<Moment>.Continuation

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      asked.yield(.sent)
      // Longer than any wait of the check, but finite: a provider that ignores cancellation must not keep a task alive.
      try await Task.sleep(for: .seconds(60))
      throw CancellationError()
    }
  }

  /// An event of a question to a silent source.
  private enum Moment: Sendable {
    case sent
    case ended(Result<String, any Error>)
    case late
  }

  /// The longest time until a request must be sent.
  private static var untilSent: Duration { .seconds(30) }

  /// Sends `late` after a time on the real clock, because a test's clock cannot show whether a task ends.
  private static func alarm(after duration: Duration, _ tell: AsyncStream<Moment>.Continuation) -> Task<Void, any Error>
  {
    Task {
      try await Task.sleep(for: duration)
      tell.yield(.late)
    }
  }

  /// Checks that a cancelled question ends with `CancellationError` within ``patience``.
  ///
  /// - Throws: `Verdict` when the rule is broken or cannot be checked; `CancellationError` when the check is cancelled.
  func endsWhenCancelled() async throws {
    let question = try anyQuestion()
    guard let make else { return try await endsWhenCancelledBefore(question) }
    // Separate tasks, because a group would wait for one that does not end.
    let (moments, tell) = AsyncStream<Moment>.makeStream()
    let asked = try make(Silent(asked: tell), StoppedClock(now: sample.now))
    let task = Task { try await ask(question, of: asked).text }
    Task { tell.yield(.ended(await task.result)) }
    var timer = Self.alarm(after: Self.untilSent, tell)
    defer {
      timer.cancel()
      task.cancel()
    }
    var wasSent = false
    for await moment in moments {
      switch moment {
      case .sent where wasSent: continue
      case .sent:
        wasSent = true
        timer.cancel()
        timer = Self.alarm(after: patience, tell)
        task.cancel()
      case .late where wasSent:
        throw Verdict.failed("\(patience.shortText) after it was cancelled, it still waits for the source")
      case .late: throw Verdict.failed("within \(Self.untilSent.shortText) it has asked the source nothing")
      case .ended(.success) where wasSent:
        throw Verdict.failed("a cancelled question is answered without a response")
      case .ended(.success): throw Verdict.failed("it answers without asking the source")
      case .ended(.failure(is CancellationError)) where wasSent: return
      case .ended(.failure(let error)):
        throw Verdict.failed("a \(wasSent ? "cancelled question" : "question to a silent source") ends with: \(error)")
      }
    }
    // The stream ends only when the check itself is cancelled.
    throw CancellationError()
  }

  /// Checks the end of a cancelled question without a silent source, where only the kind of the end can be observed.
  private func endsWhenCancelledBefore(_ question: ProviderQuery) async throws {
    let provider = provider
    let task = Task { try await ask(question, of: provider).text }
    task.cancel()
    if case .failure(let error) = await task.result, !(error is CancellationError) {
      throw Verdict.failed("a cancelled question ends with: \(error)")
    }
  }
}
