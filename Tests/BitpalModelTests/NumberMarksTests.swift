import Testing

@testable import BitpalModel

@Suite struct `Numbers in a source's own marks` {
  private func read(_ text: String, like example: String) throws -> String? {
    let marks = try #require(NumberMarks(example: example))
    return Array(text.utf8).withUnsafeBufferPointer { marks.plain($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("1.234,56", "96.841,32", "96841.32"), ("1.234,56", "96841,32", "96841.32"), ("1.234,56", "0,5", "0.5"),
      ("1.234,56", "1.234", "1234"), ("1.234,56", "-1.234.567,8", "-1234567.8"), ("1.234,56", "7", "7"),
      ("1,234.56", "96,841.32", "96841.32"), ("1 234,56", "1 234 567,89", "1234567.89"),
      ("1\u{A0}234,56", "1\u{A0}234,5", "1234.5"), ("1'234.56", "12'345.6", "12345.6"),
      ("1234,56", "96841,32", "96841.32"), ("1.234,56", "1,98E-06", "1.98E-06"), ("1.234,56", "-2e-8", "-2e-8"),
      ("1.234,56", "+5", "5"), ("1.234,56", ",5", "0.5"), ("1.234,56", "-,5", "-0.5"), ("1,234.56", "+.3e-2", "0.3e-2"),
    ] as [(String, String, String)])
  func `A text in the notation of the example is read`(example: String, text: String, number: String) throws {
    #expect(try read(text, like: example) == number)
  }

  @Test(
    arguments: [
      ("1.234,56", "96,841.32"), ("1.234,56", "1234.56"), ("1.234,56", "12.34"), ("1.234,56", "1.2345"),
      ("1.234,56", "1234.567"), ("1.234,56", "1.234567"), ("1.234,56", "1..234"),
      ("1.234,56", "5,"),
      ("1.234,56", ""), ("1.234,56", "-"), ("1.234,56", "+-5"), ("1.234,56", ","), ("1.234,56", "5 "),
      ("1.234,56", "5€"),
      ("1.234,56", "1,2,3"),
      ("1.234,56", ".234"), ("1234,56", "1.234,56"), ("1234,56", "1234.56"), ("1 234,56", "1.234,56"),
      ("1,234.56", "1e"), ("1,234.56", "1e+"), ("1,234.56", "e5"), ("1,234.56", "1e5e5"), ("1.234,56", "1,e5"),
    ] as [(String, String)])
  func `A text in another notation is refused, and never read as another number`(example: String, text: String) throws {
    #expect(try read(text, like: example) == nil)
  }

  @Test func `A stated decimal mark allows every other mark of thousands`() {
    func read(_ text: String, _ mark: DecimalMark) -> String? {
      Array(text.utf8).withUnsafeBufferPointer { mark.marks.plain($0) }.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(read("1'000.50", .point) == "1000.50" && read("1\u{A0}000,50", .comma) == "1000.50")
    #expect(read("1.000,5", .comma) == "1000.5" && read("1.000", .point) == "1.000" && read("1,00.5", .point) == nil)
  }

  @Test(arguments: [
    "", "1234", "1.234", "1,234", "1.234.567", "1,234,56", "12.34,56", "a", "1_234.5", ",5", "1234.567,8",
  ])
  func `An example that leaves open which mark is which is none`(example: String) {
    #expect(NumberMarks(example: example) == nil)
  }
}
