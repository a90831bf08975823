import Testing

@Suite struct `Unit tests wait for conditions` {
  /// A real server has a clock of its own, which only time moves.
  private static let exceptions = ["Tests/Support/TestFleet/TestFleet.swift"]

  @Test func `No unit test sleeps`() {
    let call = /\b(usleep|nanosleep|sleep)\(|\b(Task|Thread|SystemTime\(\))\.sleep\b/
    let clock = /\b(time|base)\.sleep\(for:|func sleep\(for/
    let folders = ["Tests/EndToEndTests/", "Tests/TruthTests/"]
    for file in Repository.files(in: "Tests", endings: ["swift"])
    where !Self.exceptions.contains(file) && !folders.contains(where: file.hasPrefix)
      && !file.hasSuffix("/SleepTests.swift")
    {
      for (number, line) in Repository.lines(of: file).enumerated()
      where line.contains("sleep") && line.contains(call) && !line.contains(clock) {
        Issue.record("\(file):\(number + 1): \(line)")
      }
    }
  }
}
