import Testing

@testable import bitpal

@Suite struct `Tables` {
  @Test func `Numbers keep to the right, words to the left, and nothing trails`() {
    var table = TextTable([.init("COIN", widest: 8), .init("PRICE", .right), .init("NOTE")])
    table.add(["日本", "1.00", "full"])
    table.add(["Very long name", "12,345.00"])
    table.add(["e\u{301}\u{1B}[2J", "0.5", ""])
    #expect(
      table.text(style: .plain) == """
        COIN          PRICE  NOTE
        日本           1.00  full
        Very lo…  12,345.00
        é�[2J           0.5

        """)
  }

  @Test func `A table without titles has no header`() {
    var table = TextTable([.init(""), .init("")])
    table.add(["a", "b"])
    #expect(table.text(style: .plain) == "a  b\n")
  }

  @Test func `Colour does not move a column`() {
    var table = TextTable([.init("A", .right), .init("B")])
    table.add([.init("10", .good), .init("x", .bad)])
    #expect(
      table.text(style: Style(isEnabled: true))
        == " \u{1B}[1mA\u{1B}[0m  \u{1B}[1mB\u{1B}[0m\n\u{1B}[32m10\u{1B}[0m  \u{1B}[31mx\u{1B}[0m\n")
  }
}

@Suite struct `Columns of a terminal` {
  @Test(arguments: [
    ("", 0), ("Bitcoin", 7), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｗｉｄｅ", 8), ("ﾊﾝｶｸ", 4), ("한국", 4),
    ("🚀", 2), ("👩‍👩‍👧‍👦", 2), ("🇯🇵", 2), ("❤️", 2), ("1️⃣", 2), ("שלום", 4), ("مرحبا", 5), ("Dog (🐕)", 8),
    ("\u{200B}", 0), ("…", 1), ("₿", 1), ("ไทย", 3), ("กำ", 2),
  ])
  func `A text takes as many as people see`(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("Bitcoin", 7, "Bitcoin"), ("Bitcoin", 6, "Bitco…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("🚀🚀", 3, "🚀…"),
  ])
  func `A text is cut between characters`(text: String, width: Int, expected: String) {
    #expect(text.truncated(toWidth: width) == expected)
    #expect(expected.displayWidth <= width)
  }
}
