import Testing

@testable import bitpal

@Suite struct `Keys of a terminal` {
  @Test(
    arguments: [
      ("a", [.text("a")]), ("é", [.text("é")]), ("日b", [.text("日"), .text("b")]), ("\r", [.enter]), ("\n", [.enter]),
      ("\u{7F}", [.erase]), ("\u{8}", [.erase]), ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]),
      ("\u{1B}[1;5Ax", [.up, .text("x")]),
      ("\u{1B}[3~x", [.text("x")]), ("\u{1B}bx", [.text("x")]), ("\u{1}\u{0}x", [.text("x")]),
      ("\u{10}\u{E}", [.up, .down]),
    ] as [(String, [TerminalKey])])
  func `Characters and sequences become keys`(bytes: String, keys: [TerminalKey]) {
    var reader = KeyReader()
    #expect(bytes.utf8.compactMap { reader.take($0) } == keys)
    #expect(!reader.isPending)
  }

  @Test func `A lone escape is a key after a pause, and half a character is none`() {
    var reader = KeyReader()
    #expect(reader.take(0x1B) == nil)
    #expect(reader.isPending)
    #expect(reader.pause() == .escape)
    #expect(reader.take(0xC3) == nil)
    #expect(reader.pause() == nil)
    #expect(reader.take(0x61) == .text("a"))
  }

  @Test func `Bytes that are not UTF-8 are ignored`() {
    var reader = KeyReader()
    #expect([0xFF, 0xFE, 0xFF, 0xFE].compactMap { reader.take($0) } == [])
    #expect(reader.take(0x61) == .text("a"))
  }
}
