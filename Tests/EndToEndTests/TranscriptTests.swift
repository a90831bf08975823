import BitpalTesting
import Testing

@Suite(.ownThreads) struct `Sessions at the command line` {
  private static let sessions = Transcript.all(in: Repository.transcripts)

  @Test(arguments: sessions, [World.Climate.plain, .far])
  func `The tool says what the transcript says, in every language and time zone`(
    transcript: Transcript, climate: World.Climate
  ) throws {
    // The session about trust begins without it.
    let world = try World(climate, isTrusted: transcript.testDescription != "trust.txt")
    try transcript.expect { line in
      let outcome = try world.run(line)
      return Transcript.Outcome(output: outcome.output, errors: outcome.errors, status: outcome.status)
    }
  }

  @Test func `There are transcripts`() {
    #expect(Self.sessions.count > 10)
  }
}
