import FoundationEssentials
import Testing

@testable import BitpalModel

@Suite struct `Words` {
  @Test(arguments: [
    ("tll", "ttl"), ("provder", "provider"), ("bitcon", "bitcoin"), ("etherium", "ethereum"), ("BTC", "btc"),
    ("teh", "the"),
  ])
  func `The nearest name is found`(typed: String, meant: String) {
    #expect(NearestName.match(typed, among: ["the", "btc", "ttl", "provider", "bitcoin", "ethereum"]) == meant)
  }

  @Test(arguments: ["", "zzzzzz", "completely-different"])
  func `Nothing near is nothing`(typed: String) {
    #expect(NearestName.match(typed, among: ["ttl", "provider", "bitcoin"]) == nil)
  }

  @Test func `Text from elsewhere cannot move the cursor`() {
    #expect("a\u{1B}[31mb\u{7}\n\u{202E}c\u{9B}".printable() == "a\u{FFFD}[31mb\u{FFFD}\u{FFFD}\u{FFFD}c\u{FFFD}")
    #expect("bitcoin".printable(limit: 3) == "bit…")
    #expect("ビットコイン 🚀".printable() == "ビットコイン 🚀")
  }

  @Test(
    arguments: [
      // What is seen stays: letters of all scripts, marks of languages, emoji of several parts.
      ("Ἀχιλλεύς ﷽ ไทย हिन्दी", "Ἀχιλλεύς ﷽ ไทย हिन्दी"), ("e\u{301}\u{323}", "e\u{301}\u{323}"),
      ("👩🏽\u{200D}❤\u{FE0F}\u{200D}👨🏿 1\u{FE0F}\u{20E3}", "👩🏽\u{200D}❤\u{FE0F}\u{200D}👨🏿 1\u{FE0F}\u{20E3}"),
      // What is not seen does not: zero width, direction, tags, fillers, joiners where nothing is joined.
      ("bit\u{200B}coin", "bit\u{FFFD}coin"), ("bit\u{200D}coin\u{200C}", "bit\u{FFFD}coin\u{FFFD}"),
      ("\u{FEFF}a\u{2060}b\u{61C}c\u{200F}d", "\u{FFFD}a\u{FFFD}b\u{FFFD}c\u{FFFD}d"),
      ("a\u{E0041}\u{E0042}\u{E007F}", "a\u{FFFD}"), ("\u{3164}\u{115F}\u{AD}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ("a\u{FE0F}b\u{E0100}", "a\u{FFFD}b\u{FFFD}"), ("\u{FFF9}x\u{2067}y", "\u{FFFD}x\u{FFFD}y"),
    ])
  func `Invisible characters are replaced, visible ones stay`(text: String, shown: String) {
    #expect(text.printable() == shown)
  }

  @Test func `Marks heaped on one character are cut`() {
    let heap = "a" + String(repeating: "\u{301}", count: 3000)
    #expect(heap.printable().unicodeScalars.count == 13)
    let crowd = "👩" + String(repeating: "\u{200D}👩", count: 1000) + "b"
    #expect(crowd.printable().unicodeScalars.count == 14)
  }

  @Test func `Lines may stay lines`() {
    #expect("a\u{1B}[1m\r\nb\n\u{7}".printableLines() == "a\u{FFFD}[1m\nb\n\u{FFFD}")
  }

  @Test(
    arguments: [
      ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"), ("@SUM(1)", "'@SUM(1)"), ("+1", "'+1"), ("-a", "'-a"),
      ("\tx", "'\tx"), ("\r\nx", "\"'\r\nx\""), ("\u{FF1D}1", "'\u{FF1D}1"), ("'=1", "''=1"), ("''-x", "'''-x"),
      // A number is none, and neither is what begins otherwise.
      ("-1.5", "-1.5"), ("0", "0"), ("-", "'-"), ("", ""), ("'", "'"), ("it's", "it's"), ("'twas", "'twas"),
      (" =1", " =1"), ("a=1,\"b\u{301}", "\"a=1,\"\"b\u{301}\""), ("\"\u{301}", "\"\"\"\u{301}\""),
    ])
  func `A field is never a formula, and is read back unchanged`(text: String, field: String) {
    #expect(Array(CSVField.text(text).utf8) == Array(field.utf8))
    #expect(CSVField.unguarded(CSVField.guarded(text)) == text)
  }

  @Test func `A key cannot be printed`() {
    let secret = Secret("CG-canary")
    #expect("\(secret) \(String(reflecting: secret)) \(String(describing: [secret]))" == "(set) (set) [(set)]")
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!dumped.contains("canary"))
  }

  @Test func `An issue shows the line and a caret under the fault`() {
    let issue = ConfigurationIssue(
      file: "config.yaml", line: 12, column: 3, message: "unknown key \"tll\"", excerpt: "  tll: 5m")
    #expect(issue.description == "config.yaml:12:3: unknown key \"tll\"\n    tll: 5m\n    ^")
    #expect(ConfigurationIssue(file: "a\u{1B}[2J", message: "bad").description == "a\u{FFFD}[2J: bad")
  }

  @Test func `Every error code has its own spelling`() {
    #expect(Set(ErrorCode.allCases.map(\.rawValue)).count == ErrorCode.allCases.count)
    #expect(ErrorCode.notFound.rawValue == "not_found")
  }

  @Test func `An error says what happened and what to do`() {
    let error = BitpalError.notFound(coin: "bitcon", provider: "coingecko", suggestion: "bitcoin")
    #expect(error.description == "no coin \"bitcon\" at coingecko; did you mean \"bitcoin\"?")
    let limited = BitpalError.rateLimited(
      provider: "coingecko", wait: .seconds(42), reason: "5 requests a minute are used")
    #expect(
      limited.message == "coingecko allows no more requests now: 5 requests a minute are used (free again in 42s)")
    #expect(limited.hint == "--wait 42s waits for it; -p asks another source")
    let used = BitpalError.budgetUsed(
      provider: "coingecko", used: 5, limit: .perMinute(5), wait: .milliseconds(42_100), keyVariable: "K")
    #expect(used.message == "5 of 5 requests to coingecko in 1m are used; the next is free in 42s")
    #expect(used.hint == "--wait 43s waits for it; a key in K allows more; -p asks another source")
    #expect(used.code == .rateLimited && used.retryAfter == .milliseconds(42_100))
    let long = BitpalError.rateLimited(provider: "coingecko", wait: .seconds(3600), reason: "r")
    #expect(
      long.hint == "-p asks another source, --offline answers from the cache; to ask earlier may make the wait longer")
  }

  @Test func `A source that there was no time to ask is not blamed for it`() {
    #expect(BitpalError.timedOut(provider: "p", limit: .milliseconds(40)).message == "p did not answer within 40ms")
    #expect(BitpalError.timedOut(provider: "p", limit: .zero).message == "no time was left to ask p")
  }
}
