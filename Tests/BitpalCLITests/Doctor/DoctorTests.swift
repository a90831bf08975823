import BitpalConfig
import BitpalModel
import Testing

@testable import bitpal

@Suite struct `The doctor's findings` {
  @Test(arguments: [
    (Duration.seconds(0), DoctorFinding(.clock, "kraken", "agrees with the source's")),
    (.seconds(-60), DoctorFinding(.clock, "kraken", "agrees with the source's")),
    (
      .seconds(3725),
      DoctorFinding(.clock, "kraken", .warning, "1h 2m ahead of the source's", fix: "timedatectl set-ntp true")
    ),
    (
      .seconds(-90),
      DoctorFinding(.clock, "kraken", .warning, "1m 30s behind the source's", fix: "timedatectl set-ntp true")
    ),
  ])
  func `A clock that is off by more than a minute is reported`(ahead: Duration, expected: DoctorFinding) {
    #expect(ClockCheck.comparison(ahead, "kraken") == expected)
  }

  @Test func `A proxy is shown without its user`() {
    let environment = Environment(
      variables: ["https_proxy": "http://me:secret@proxy.test:3128", "NO_PROXY": "localhost"], currentDirectory: "/")
    #expect(
      NetworkCheck(environment).findings == [
        DoctorFinding(.network, "https_proxy", .note, "http://…@proxy.test:3128"),
        DoctorFinding(.network, "NO_PROXY", .note, "localhost"),
      ])
  }

  @Test func `The first bad finding decides the status, a warning does not`() {
    let warning = DoctorFinding(.files, "cache", .warning, "cannot be written", status: .configuration)
    let bad = DoctorFinding(.data, "user data", .bad, "damaged", status: .dataFile)
    #expect(DoctorView([warning]).status == .answered)
    #expect(DoctorView([warning]).isUsable)
    #expect(DoctorView([warning, bad]).status == .dataFile)
    #expect(!DoctorView([warning, bad]).isUsable)
  }

  @Test(arguments: [
    ("plain/path-1.db", "plain/path-1.db"), ("it's here", #"'it'\''s here'"#), ("", "''"), ("~", "'~'"),
  ])
  func `A path in a command can be pasted`(text: String, word: String) {
    #expect(ShellWord(text).description == word)
  }
}
