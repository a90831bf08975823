import BitpalModel
import BitpalOutput
import Testing

@testable import bitpal

@Suite struct `The doctor's findings` {
  @Test func `The first bad finding decides the status, a warning does not`() {
    let warning = Finding(.files, "cache", .warning, "cannot be written")
    let bad = Finding(.data, "user data", .bad, "damaged")
    #expect(DoctorView([warning]).status == .answered)
    #expect(DoctorView([warning]).output.isUsable)
    #expect(DoctorView([warning, bad]).status == .dataFile)
    #expect(!DoctorView([warning, bad]).output.isUsable)
  }

  @Test(arguments: [
    ("plain/path-1.db", "plain/path-1.db"), ("it's here", #"'it'\''s here'"#), ("", "''"), ("~", "'~'"),
  ])
  func `A path in a command can be pasted`(text: String, word: String) {
    #expect(ShellWord(text).description == word)
  }
}
