import Testing

@testable import bitpal

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
