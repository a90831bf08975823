import BitpalModel
import BitpalProviders
import BitpalReplay
import BitpalTesting
import Testing

@Suite struct `The replay trait` {
  @Test(.replay("market"))
  func `A test finds its recording in Fixtures above it, and time stands at its instant`() async throws {
    #expect(try Replay.time().now.iso8601 == "2025-01-15T10:30:00Z")
    let list: [CoinListItem] = try await Replay.provider().value(.coinList)
    #expect(list.count > 100)
  }

  @Test func `Without the trait the error says what to add`() {
    let error = #expect(throws: Replay.NotReplaying.self) { try Replay.provider() }
    #expect(error?.description == "this test replays nothing: give it a trait, @Test(.replay(\"NAME\"))")
  }

  @Test func `A missing exchange fails the test even if the error is swallowed`() async throws {
    try await withKnownIssue {
      try await ReplayTraitTestsProbe.run {
        _ = try? await Replay.provider().answer(to: .detail(coin: "nothing", currency: "usd"))
      }
    } matching: { issue in
      issue.comments.first?.rawValue.hasPrefix("the recording market has no answer to GET ") == true
    }
  }

  @Test func `Unused answers fail the test if that is requested`() async throws {
    try await withKnownIssue {
      try await ReplayTraitTestsProbe.run(unused: .reported) { _ = try await Replay.provider().answer(to: .coinList) }
    } matching: { issue in
      issue.comments.first?.rawValue.hasPrefix("74 answers were not asked for, of market:\nGET https://") == true
    }
  }
}

/// Runs a body as the trait does.
private enum ReplayTraitTestsProbe {
  static func run(unused: ReplayTrait.Unused = .allowed, _ body: @escaping @Sendable () async throws -> Void)
    async throws
  {
    let trait: ReplayTrait = .replay("market", unused: unused)
    try await trait.provideScope(for: try #require(Test.current), testCase: Test.Case.current, performing: body)
  }
}
