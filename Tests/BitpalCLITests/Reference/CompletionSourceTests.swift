import Testing

@testable import bitpal

@Suite struct `What completes a word` {
  @Test(arguments: [
    (OptionSpec(.provider, .text("NAME"), help: ""), CompletionSource.asked(.providers)),
    (OptionSpec(.range, .text("NAME"), help: ""), .asked(.ranges)),
    (OptionSpec(.config, .text("FILE"), help: ""), .files),
    (OptionSpec(.type, .choice(["line", "candle"]), help: ""), .words(["line", "candle"])),
    (OptionSpec(.notes, .text("TEXT"), help: ""), .nothing),
    (OptionSpec(.quiet, help: ""), nil),
  ])
  func `An option's value`(option: OptionSpec, expected: CompletionSource?) {
    #expect(CompletionSource(valueOf: option) == expected)
  }

  @Test func `Operands are completed by their place, the last of them again and again`() throws {
    let price = try #require(CommandTable.bitpal.command("price"))
    #expect(price.completedOperands == [.init(word: "COIN", source: .asked(.coins), isRepeated: true)])
    let buy = try #require(CommandTable.bitpal.command("buy"))
    #expect(
      buy.completedOperands == [
        .init(word: "QUANTITY", source: .nothing, isRepeated: false),
        .init(word: "COIN", source: .asked(.coins), isRepeated: false),
      ])
  }
}
