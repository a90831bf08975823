import BitpalModel
import FoundationEssentials
import Testing

@Suite struct `Dates in what a source is asked` {
  /// 2025-03-05T07:08:09Z.
  private let instant = Date(milliseconds: 1_741_158_489_000)

  @Test(arguments: [
    ("yyyy-MM-dd", "2025-03-05"), ("yyyyMMdd", "20250305"), ("d.M.yy", "5.3.25"),
    ("dd/MM/yyyy HH:mm:ss", "05/03/2025 07:08:09"),
    ("yyyy-MM-dd'T'HH:mm'Z'", "2025-03-05T07:08Z"), ("H'h'm", "7h8"), ("yyyy''MM", "2025'03"),
  ])
  func `are written as the pattern says, in UTC`(pattern: String, text: String) throws {
    #expect(try DatePattern(pattern).text(of: instant) == text)
  }

  @Test func `are whole days where no pattern is given`() {
    #expect(DatePattern.day.text(of: instant) == "2025-03-05")
  }

  @Test(arguments: [("YYYY", 0), ("yyyy-MMM", 5), ("yyy", 0), ("dd 'T", 3), ("--", 2), ("", 0), ("yyyy Q", 5)])
  func `have patterns whose mistakes are told with their place`(pattern: String, offset: Int) throws {
    let fault = #expect(throws: DatePattern.Fault.self) { try DatePattern(pattern) }
    #expect(fault?.offset == offset)
  }
}
