import Testing

@Suite(.ownThreads) struct `Sessions at the command line` {
  @Test(arguments: Transcript.all, [World.Climate.plain, .far])
  func `The tool says what the transcript says, in every language and time zone`(
    transcript: Transcript, climate: World.Climate
  ) throws {
    let actual = try transcript.actual(in: climate)
    if Transcript.isRecording {
      try transcript.record(actual)
    } else {
      let expected = try transcript.expected()
      #expect(actual == expected, "\(firstDifference(actual, expected))")
    }
  }

  @Test func `There are transcripts`() {
    #expect(Transcript.all.count > 10)
  }

  /// Where two texts part, for a failure that can be read.
  private func firstDifference(_ actual: String, _ expected: String) -> String {
    let lines = [actual, expected].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    let line = zip(lines[0], lines[1]).enumerated().first { $1.0 != $1.1 }
    guard let line else { return "\(lines[0].count) lines instead of \(lines[1].count)" }
    return "line \(line.offset + 1) is\n\(line.element.0)\ninstead of\n\(line.element.1)"
  }
}
