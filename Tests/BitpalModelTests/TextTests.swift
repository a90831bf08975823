import BitpalModel
import FoundationEssentials
import Testing

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
    #expect(limited.hint == "an answer from the cache needs no request; a key of your own raises the limit")
    let long = BitpalError.rateLimited(provider: "coingecko", wait: .seconds(3600), reason: "r")
    #expect(long.hint?.contains("\"bitpal cache clear --budgets\"") == true)
  }

  @Test func `A source that there was no time to ask is not blamed for it`() {
    #expect(BitpalError.timedOut(provider: "p", limit: .milliseconds(40)).message == "p did not answer within 40ms")
    #expect(BitpalError.timedOut(provider: "p", limit: .zero).message == "no time was left to ask p")
  }
}
