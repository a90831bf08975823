import BitpalModel
import BitpalNetwork
import BitpalProviders

extension ProviderConformance {
  /// Never answers, tells when it has been asked, and can be cancelled.
  private struct Silent: Transport {
    let asked: AsyncStream<Moment>.Continuation

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      asked.yield(.sent)
      // Longer than anybody waits, but not for ever: who does not pass the cancellation on must not keep a task alive.
      try await Task.sleep(for: .seconds(60))
      throw CancellationError()
    }
  }

  /// What happens to a question that is asked of a silent source.
  private enum Moment: Sendable {
    case sent
    case ended(Result<String, any Error>)
    case late
  }

  /// How long it may take until a question is on its way.
  private static var untilSent: Duration { .seconds(30) }

  /// On the real clock, because no test's clock can tell whether somebody ends.
  private static func alarm(after duration: Duration, _ tell: AsyncStream<Moment>.Continuation) -> Task<Void, any Error>
  {
    Task {
      try await Task.sleep(for: duration)
      tell.yield(.late)
    }
  }

  func endsWhenCancelled() async throws {
    let question = try anyQuestion()
    guard let make else { return try await endsWhenCancelledBefore(question) }
    // Tasks of their own, because a group would wait for one that does not end.
    let (moments, tell) = AsyncStream<Moment>.makeStream()
    let asked = try make(Silent(asked: tell), StandingTime(now: sample.now))
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
    // The moments end only for a check that is itself cancelled.
    throw CancellationError()
  }

  /// Without a transport to hold the answer back all that can be seen is that the end is one of the two allowed.
  private func endsWhenCancelledBefore(_ question: ProviderQuery) async throws {
    let provider = provider
    let task = Task { try await ask(question, of: provider).text }
    task.cancel()
    if case .failure(let error) = await task.result, !(error is CancellationError) {
      throw Verdict.failed("a cancelled question ends with: \(error)")
    }
  }
}
