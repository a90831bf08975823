import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `A session as a file` {
  private let folder: TemporaryFolder
  private let transcript: Transcript

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("Greets.\n\n$ greet\nhello\n\n$ part\nhalf(no line end)\n! oops\n!\n[3]\n", to: "s.txt")
    try folder.write("not a session", to: "notes.md")
    transcript = try #require(Transcript.all(in: folder.path).first)
  }

  private func run(_ line: String) -> Transcript.Outcome {
    line == "greet"
      ? Transcript.Outcome(output: "hello\n\n")
      : Transcript.Outcome(output: "half", errors: "oops\n\n", status: 3)
  }

  @Test func `Passes when every command says what it says`() throws {
    #expect(Transcript.all(in: folder.path).map(\.testDescription) == ["s.txt"])
    try folder.write("Greets.\n\n$ greet\nhello\n\n$ part\nhalf(no line end)\n! oops\n!\n[3]\n", to: "s.txt")
    try transcript.expect(run: run)
  }

  @Test func `Fails with the line in which it differs`() throws {
    try withKnownIssue {
      try transcript.expect { _ in Transcript.Outcome(output: "bye\n") }
    } matching: { issue in
      issue.comments.first?.rawValue == """
        s.txt differs: line 4 is
          bye
        instead of
          hello
        BITPAL_RECORD_GOLDEN=1 writes it again
        """
    }
  }

  @Test func `A file that is not there fails`() throws {
    try withKnownIssue {
      try Transcript("/nowhere/s.txt").expect(run: run)
    } matching: {
      $0.comments.first?.rawValue == "/nowhere/s.txt is missing"
    }
  }
}
