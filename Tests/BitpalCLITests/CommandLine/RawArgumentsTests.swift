import Testing

@testable import bitpal

@Suite struct `Reading the command line` {
  private func read(_ arguments: String...) -> RawArguments {
    RawArguments(arguments, table: .bitpal)
  }

  @Test(arguments: [
    ["price", "bitcoin", "--currency", "eur"], ["price", "bitcoin", "--currency=eur"],
    ["--currency", "eur", "price", "bitcoin"], ["price", "--currency=eur", "bitcoin"],
  ])
  func `An option may stand anywhere, with its value attached or not`(arguments: [String]) {
    let raw = RawArguments(arguments, table: .bitpal)
    #expect(raw.operands == ["price", "bitcoin"])
    #expect(raw["currency"] == "eur")
    #expect(raw.problems.isEmpty)
  }

  @Test(arguments: [["-c", "x.yaml"], ["-cx.yaml"], ["-c=x.yaml"], ["-vqc", "x.yaml"], ["-vcx.yaml"]])
  func `A short option takes its value from the rest of the word or from the next`(arguments: [String]) {
    let raw = RawArguments(arguments, table: .bitpal)
    #expect(raw["config"] == "x.yaml")
    #expect(raw.operands.isEmpty)
    #expect(raw.problems.isEmpty)
  }

  @Test func `Short flags can be bundled`() {
    let raw = read("-qv")
    #expect(raw.has("quiet"))
    #expect(raw.has("verbose"))
  }

  @Test func `Two dashes end the options`() {
    let raw = read("price", "--", "--currency", "-")
    #expect(raw.operands == ["price", "--currency", "-"])
    #expect(!raw.has("currency"))
  }

  @Test func `The last value of an option that is given twice counts`() {
    #expect(read("--currency", "eur", "--currency=gbp")["currency"] == "gbp")
  }

  @Test func `A value may be empty when it is attached, and hold an equals sign`() {
    #expect(read("--currency=")["currency"] == "")
    #expect(read("--config=a=b")["config"] == "a=b")
  }

  @Test func `An option is not taken for the value of the one before it`() {
    let raw = read("--currency", "--format", "json")
    #expect(raw.problems == [.missingValue("currency")])
    #expect(raw["format"] == "json")
  }

  @Test func `Unknown arguments are kept for the command to check`() {
    #expect(read("--bogus=1").problems == [.unknown("--bogus")])
    #expect(read("-vx").problems == [.unknown("-x")])
    #expect(read("--offline=yes").problems == [.unexpectedValue("offline")])
    #expect(read("-c").problems == [.missingValue("config")])
  }
}
