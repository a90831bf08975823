import BitpalTesting
import Foundation
import Testing

@Suite(.ownThreads) struct `Sessions at the command line` {
  /// Under a sanitizer a process does not start with limits on files or memory, which some transcripts set.
  private static let sessions = Transcript.all(in: Repository.transcripts).filter { transcript in
    guard ProcessInfo.processInfo.environment["BITPAL_INSTRUMENTED"] != nil else { return true }
    let text = try? String(contentsOfFile: transcript.path, encoding: .utf8)
    return text?.contains("ulimit") != true
  }

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
