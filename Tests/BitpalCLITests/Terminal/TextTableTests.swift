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

@Suite struct `Tables in a terminal` {
  private func table(_ width: Int?) -> [String] {
    var table = TextTable([
      .init("COIN", narrowest: 8), .init("PRICE", .right), .init("24H", .right, drops: 2), .init("UPDATED", drops: 1),
    ])
    table.add(["A coin of a long name", "67,187.34", "+1.50%", "2025-01-15 10:30:00Z"])
    table.add(["日本の硬貨の名前", "1", "-", "never"])
    var style = Style.plain
    style.width = width
    return table.text(style: style).split(separator: "\n").map(String.init)
  }

  @Test(arguments: [nil, 62] as [Int?])
  func `Are whole where there is room or no terminal`(width: Int?) {
    #expect(
      table(width) == [
        "COIN                       PRICE     24H  UPDATED",
        "A coin of a long name  67,187.34  +1.50%  2025-01-15 10:30:00Z",
        "日本の硬貨の名前               1       -  never",
      ])
  }

  @Test func `Shorten the words first`() {
    #expect(
      table(50) == [
        "COIN           PRICE     24H  UPDATED",
        "A coin o…  67,187.34  +1.50%  2025-01-15 10:30:00Z",
        "日本の硬…          1       -  never",
      ])
  }

  @Test func `Drop columns in the order that is stated, and give their room to the others`() {
    #expect(
      table(40) == [
        "COIN                       PRICE     24H",
        "A coin of a long name  67,187.34  +1.50%",
        "日本の硬貨の名前               1       -",
      ])
    #expect(table(22) == ["COIN             PRICE", "A coin of …  67,187.34", "日本の硬貨…          1"])
  }

  @Test(arguments: 10...70)
  func `Never cut a number, and fit as far as that allows`(width: Int) {
    let lines = table(width)
    #expect(lines.contains { $0.contains("67,187.34") })
    #expect(lines.allSatisfy { $0.displayWidth <= max(width, 19) })
  }

  @Test func `Break the last column into lines where it says so`() {
    var table = TextTable([.init(""), .init("", wraps: true)])
    table.add(["path", "/a/very/long/path/that/has/no/space/in/it"])
    table.add(["note", "words that are broken where they end", "beyond"])
    var style = Style.plain
    style.width = 26
    #expect(
      table.text(style: style) == """
        path  /a/very/long/path/th
              at/has/no/space/in/i
              t
        note  words that are
              broken where they
              end

        """)
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

  @Test(arguments: [
    ("", 5, [""]), ("a b", 5, ["a b"]), ("aaa bbb", 5, ["aaa", "bbb"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
    ("日本の硬貨", 4, ["日本", "の硬", "貨"]), ("日", 1, ["日"]), ("x  yyyyyy", 4, ["x ", "yyyy", "yy"]),
  ])
  func `A text is broken at spaces, and a long word within`(text: String, width: Int, lines: [String]) {
    #expect(text.wrapped(toWidth: width) == lines)
  }
}
